# SPDX-License-Identifier: BSD-3-Clause
"""The functions that are wrapped or only called, and what the table says of each."""
from table import TableError


class Wrapper:
    """One function that is wrapped or called: its prototype, and its parameters by role."""

    def __init__(self, name, template, call_class, mode, roles, prototype):
        self.name, self.template, self.call_class, self.mode = name, template, call_class, mode
        self.prototype = prototype
        self.names = [f"argument_{i + 1}" for i in range(len(prototype.types))]
        if template != "-" and len(roles) != len(prototype.types):
            raise TableError(f"{name}: the table has {len(roles)} roles, mpi.h {len(prototype.types)} parameters")
        self.roles = {}
        for role, argument in zip(roles, self.names):
            self.roles[role.rstrip("?")] = argument
        self.in_place_unused = any(role.endswith("?") for role in roles)

    def parameters(self):
        """As they are declared."""
        return self.prototype.declaration(self.names)

    def declarations(self):
        """Of each parameter."""
        return [type_.replace("@", name) for type_, name in zip(self.prototype.types, self.names)]

    def passed(self):
        """The parameters as they are passed on."""
        return ", ".join(self.names)

    def role(self, name, half=""):
        """The parameter with that role, in one half ("send_", "recv_") of a call with two operations."""
        return self.roles.get(half + name) or self.roles[name]

    def flags(self, half=""):
        """Of the operation that it starts, or of that half."""
        flags = []
        if (self.template.startswith("send") or self.template == "partitioned_send") and half != "recv_":
            flags.append("SEND")
        else:
            flags.append("RECEIVE")
        if self.template in ("send", "receive", "sendrecv", "sendrecv_replace", "mrecv"):
            flags.append("BLOCKING")
        if self.call_class == "PERSISTENT_INIT":
            flags.append("PAIRED")
        if self.template in ("mrecv", "imrecv"):
            flags.append("FROM_MESSAGE")
        if self.mode not in ("-", ""):
            flags.append(self.mode.upper())
        return " | ".join(f"MPILENS_OPERATION_{flag}" for flag in flags)

    def operation_flags(self):
        """Of the operations that it starts; "0": none."""
        if self.call_class in ("POINT_TO_POINT", "PERSISTENT_INIT"):
            return self.flags()
        if self.call_class == "COLLECTIVE_START":
            return "MPILENS_OPERATION_COLLECTIVE"
        if "request" in self.roles and self.mode in ("one_sided", "file", "communicator", "generalized", "buffer"):
            return f"MPILENS_OPERATION_{self.mode.upper()}"
        return "0"

    def gives_request(self):
        """It starts an operation or makes a persistent one, and gives a request for it."""
        return "request" in self.roles and self.operation_flags() != "0"

    def collective_class(self):
        """None: it is no collective."""
        return f"MPILENS_COLLECTIVE_{self.mode.upper()}" if self.call_class in ("COLLECTIVE", "COLLECTIVE_START") else None


def collect(table, prototypes, templates, exported):
    """The wrappers of what `prototypes` has and the library exports."""
    wrappers = []
    named = {row[0] for row in table}
    for name, template, mode, roles in table:
        if template != "-" and template not in templates:
            raise TableError(f"{name}: no template {template}")
        call_class = templates[template].call_class if template != "-" else "OTHER"
        for variant in (name, name + "_c"):
            if variant not in prototypes or (variant != name and variant in named) or not exported & {variant, "P" + variant}:
                continue
            wrappers.append(Wrapper(variant, template, call_class, mode, roles, prototypes[variant]))
    return wrappers
