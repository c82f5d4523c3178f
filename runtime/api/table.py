# SPDX-License-Identifier: BSD-3-Clause
"""Reads the table of functions (functions.tsv) and the templates (templates/*.txt).

A template is what a wrapper's body does: one section "%% name CALL_CLASS (record)" per kind of function, or "%% name CALL_CLASS = other"
where it is that of another one. template_body.py says what @...@ is in them.

"borrows" and "takes" say where the record `operation` comes from that the wrapper's quick look has found, with `entry`, before the body
begins: the recorder, or the free list. "finds": it may find that the request is a simple send or receive; then it does without the body.
"ends": it has found the `record` of the communicator, and the body takes the thread out of the call itself. "polls": `expected` is the
poll that the thread's loop makes next if the condition on the template's first line holds, else NULL.
"""
import re


class TableError(Exception):
    """The tables, the templates and mpi.h do not fit."""


def read_table(path):
    """Rows: name, template, mode and roles."""
    rows = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        name, template, mode, roles = (line.rstrip("\n").split("\t") + [""])[:4]
        rows.append((name, template, mode, roles.split()))
    return rows


class Template:
    """One section of the templates: its lines, the class of its calls, and where the record of its operation comes from ("borrows",
    "takes", "finds", "ends", "polls" or None)."""

    def __init__(self, call_class, record, same):
        self.call_class, self.record, self.same = call_class, record, same
        self.lines = []

    def text(self):
        return "".join(self.lines).strip("\n") + "\n"


def read_templates(paths):
    """All sections by name."""
    sections = {}
    for path in paths:
        read_template_file(path, sections)
    for name, section in sections.items():
        if section.same:
            if section.same not in sections or sections[section.same].same:
                raise TableError(f"template {name}: there is no template {section.same} with a body")
            section.record, section.lines = sections[section.same].record, sections[section.same].lines
    return sections


def read_template_file(path, sections):
    name = None
    for line in open(path, encoding="utf-8"):
        if line.startswith("%%"):
            name, call_class, record, same = re.fullmatch(r"%%\s*(\w+)\s+([A-Z_]+)\s*(?:\((\w+)\))?\s*(?:=\s*(\w+))?\s*",
                                                          line).groups()
            if name in sections:
                raise TableError(f"{path}: a second template {name}")
            sections[name] = Template(call_class, record, same)
        elif name:
            sections[name].lines.append(line)
