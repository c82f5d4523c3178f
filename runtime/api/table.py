# SPDX-License-Identifier: BSD-3-Clause
"""Reads the table of functions (functions.tsv) and the templates (templates/*.txt).

A template is what a wrapper's body does: one section "%% name CALL_CLASS: FLAGS (record)" per kind of function, or "%% name CALL_CLASS:
FLAGS = other" where it equals another one. template_body.py explains @...@. FLAGS are the flags of the operation that the function
starts, without MPILENS_OPERATION_ (the send's flags if it starts a send and a receive). None: it starts none.

"borrows" and "takes" say where the record `operation` comes from that the wrapper's quick look has found, with `entry`, before the body
begins: the recorder, or the free list; the body takes the thread out of the call itself. "finds" and "starts": it may find that the
request is a simple send or receive; then it does without the body, which waits for it or starts it in general.
"ends": it has found the `record` of the communicator, and the body takes the thread out of the call itself. "polls": `expected` is the
poll that the thread's loop makes next if the condition on the template's first line holds, else NULL.
"""
import re
from typing import NamedTuple

# The words of the column `facts`, in the order of layout.h: enumerators of mpilens_purpose, mpilens_completion and mpilens_data_flow
# in lower case, and flags MPILENS_AGREE_*.
PURPOSES = (
    "initialize",
    "finalize",
    "spawn",
    "connect",
    "get_parent",
    "split",
    "duplicate",
    "from_process_set",
    "free_common",
    "exchange",
    "complete_request",
    "window_fence",
    "window_start",
    "window_complete",
    "window_post",
    "window_wait",
    "window_lock",
    "window_lock_all",
    "window_unlock",
    "window_flush",
    "leaders",
    "abort",
    "of_group",
)
COMPLETIONS = ("all", "any", "some")
DATA_FLOWS = ("root_to_all", "all_to_root", "all_to_all", "prefix", "neighbours")
AGREEMENTS = ("same_data", "same_count", "same_across_groups", "same_arguments")


class TableError(Exception):
    """The tables, the templates and mpi.h do not fit."""


class Row(NamedTuple):
    """One function, as functions.tsv says."""

    name: str
    template: str
    flags: list
    collective: str  # None: no class
    detail: str
    purpose: str
    completion: str  # None: none, as of the next
    data_flow: str
    agreements: list
    roles: list


def words(text):
    return [] if text == "-" else text.split()


def only(facts, kind, name):
    """The one fact of that kind; None: there is none."""
    found = [fact for fact in facts if fact in kind]
    if len(found) > 1:
        raise TableError(f"{name}: {' and '.join(found)} cannot both be")
    return found[0] if found else None


def read_row(line):
    columns = line.rstrip("\n").split("\t")
    if len(columns) != 7:
        raise TableError(f"{columns[0]}: there are {len(columns)} columns, not 7")
    name, template, flags, collective, detail, facts, roles = columns
    facts = words(facts)
    for fact in facts:
        if fact not in PURPOSES + COMPLETIONS + DATA_FLOWS + AGREEMENTS:
            raise TableError(f"{name}: there is no fact {fact}")
    return Row(
        name,
        template,
        [flag.upper() for flag in words(flags)],
        None if collective == "-" else collective,
        detail,
        only(facts, PURPOSES, name) or "other",
        only(facts, COMPLETIONS, name),
        only(facts, DATA_FLOWS, name),
        [fact for fact in facts if fact in AGREEMENTS],
        roles.split(),
    )


def read_table(path):
    """Its rows."""
    return [read_row(line) for line in open(path, encoding="utf-8") if line.strip() and not line.startswith("#")]


class Template:
    """One section of the templates: its lines, the class of its calls, the flags of the operation that these start, and where the record
    of the operation comes from ("borrows", "takes", "finds", "starts", "ends", "polls" or None)."""

    def __init__(self, call_class, flags, record, same):
        self.call_class, self.flags, self.record, self.same = call_class, flags, record, same
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
            name, call_class, flags, record, same = re.fullmatch(
                r"%%\s*(\w+)\s+([A-Z_]+)(?::([A-Z_ ]*))?\s*(?:\((\w+)\))?\s*(?:=\s*(\w+))?\s*", line
            ).groups()
            if name in sections:
                raise TableError(f"{path}: a second template {name}")
            sections[name] = Template(call_class, (flags or "").split(), record, same)
        elif name:
            sections[name].lines.append(line)
