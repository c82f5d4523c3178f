# SPDX-License-Identifier: BSD-3-Clause
"""The table's facts about a function, without its parameters."""


class Facts:
    """One function: its row and its template (None: not wrapped). `small_count`: the function of which this is the large-count variant;
    None: it is none."""

    def __init__(self, row, template, small_count=None):
        self.name = f"{small_count}_c" if small_count else row.name
        self.row, self.small_count = row, small_count
        self.call_class = template.call_class if template else "OTHER"
        self.template_flags = template.flags if template else []

    def operation_flags(self, half=""):
        """The flags of the operations that it starts, or of that half ("send_", "recv_"); "0": none."""
        flags = [
            "RECEIVE" if flag == "SEND" and half == "recv_" else flag for flag in self.template_flags + self.row.flags
        ]
        return " | ".join(f"MPILENS_OPERATION_{flag}" for flag in flags) or "0"

    def collective_class(self):
        """None: none."""
        return f"MPILENS_COLLECTIVE_{self.row.collective.upper()}" if self.row.collective else None


def describe(facts, small_count):
    """The initializer of its struct mpilens_function; `small_count`: the number of that function, in C."""
    row = facts.row
    agreements = " | ".join(f"MPILENS_AGREE_{agreement.upper()}" for agreement in row.agreements) or "0"
    return (
        f'{{.name = "{facts.name}", .call_class = MPILENS_CALL_{facts.call_class}, .flags = {facts.operation_flags()}, '
        f".collective_class = {facts.collective_class() or -1}, .purpose = MPILENS_PURPOSE_{row.purpose.upper()}, "
        f".completion = MPILENS_COMPLETION_{(row.completion or 'none').upper()}, "
        f".data_flow = MPILENS_FLOW_{(row.data_flow or 'none').upper()}, .agreement = {agreements}, .small_count = {small_count}}}"
    )


def all_facts(table, templates):
    """The facts of all functions that the table knows, and of the large-count variant that each may have."""
    named = {row.name for row in table}
    facts = []
    for row in table:
        own_row_of = row.name[:-2] if row.name.endswith("_c") and row.name[:-2] in named else None
        facts.append(Facts(row, templates.get(row.template), own_row_of))
        if row.name + "_c" not in named:
            facts.append(Facts(row, templates.get(row.template), row.name))
    return facts
