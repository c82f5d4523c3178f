# SPDX-License-Identifier: BSD-3-Clause
"""The functions that are wrapped or only called, and what the table says of each."""
from facts import Facts, all_facts
from table import TableError


class Wrapper(Facts):
    """One function that is wrapped or called: its prototype, and its parameters by role."""

    def __init__(self, row, template, small_count, prototype):
        super().__init__(row, template, small_count)
        self.template, self.detail = row.template, row.detail
        self.prototype = prototype
        self.names = [f"argument_{i + 1}" for i in range(len(prototype.types))]
        if template and len(row.roles) != len(prototype.types):
            raise TableError(
                f"{self.name}: the table has {len(row.roles)} roles, mpi.h {len(prototype.types)} parameters"
            )
        self.roles = {}
        for role, argument in zip(row.roles, self.names):
            self.roles[role.rstrip("?")] = argument
        self.in_place_unused = any(role.endswith("?") for role in row.roles)

    def parameters(self):
        """As they are declared."""
        return self.prototype.declaration(self.names)

    def declarations(self):
        """The declaration of each parameter."""
        return [type_.replace("@", name) for type_, name in zip(self.prototype.types, self.names)]

    def passed(self):
        """The parameters as they are passed on."""
        return ", ".join(self.names)

    def role(self, name, half=""):
        """The parameter with that role, in one half ("send_", "recv_") of a call with two operations."""
        return self.roles.get(half + name) or self.roles[name]

    def gives_request(self):
        """It starts an operation or makes a persistent one, and gives a request for it."""
        return "request" in self.roles and self.operation_flags() != "0"


def collect(table, prototypes, templates, exported):
    """The wrappers of what `prototypes` has and the library exports."""
    for row in table:
        if row.template != "-" and row.template not in templates:
            raise TableError(f"{row.name}: no template {row.template}")
    return [
        Wrapper(facts.row, templates.get(facts.row.template), facts.small_count, prototypes[facts.name])
        for facts in all_facts(table, templates)
        if facts.name in prototypes and exported & {facts.name, "P" + facts.name}
    ]
