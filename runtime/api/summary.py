# SPDX-License-Identifier: BSD-3-Clause
"""The summary: which functions the MPI library exports, and what becomes of each."""
import fnmatch
import re
import sys

from table import TableError


def read_reasons(path):
    """Names and patterns of what is deliberately not wrapped, with the reason."""
    rows = [
        line.rstrip("\n").split("\t")
        for line in open(path, encoding="utf-8")
        if line.strip() and not line.startswith("#")
    ]
    for row in rows:
        if len(row) != 2 or not row[1]:
            raise TableError(f"{path}: a name, a tab and a reason are needed: {row[0]}")
    return rows


def reason_of(name, reasons):
    for pattern, reason in reasons:
        if fnmatch.fnmatchcase(name, pattern) or (name.endswith("_c") and fnmatch.fnmatchcase(name[:-2], pattern)):
            return reason
    return None


def summarize(exported, wrappers, table, reasons):
    """The lines of the summary, and the names that no table knows."""
    named = {row.name for row in table}
    wrapped = {w.name for w in wrappers if w.template != "-"}
    lines, unknown, on_purpose = [], [], 0
    for name in sorted({re.sub(r"^P", "", name) for name in exported}):
        reason = reason_of(name, reasons) or ("mpi.h does not declare it" if name in named else None)
        if name in wrapped:
            lines.append(f"{name}\twrapped")
        elif reason:
            lines.append(f"{name}\tnot wrapped: {reason}")
            on_purpose += 1
        else:
            lines.append(f"{name}\tunknown")
            unknown.append(name)
    lines.append(
        f"{len(lines)} functions exported: {len(wrapped)} wrapped, {on_purpose} not wrapped on purpose, {len(unknown)} unknown"
    )
    return lines, unknown


def write_summary(lines, unknown, out):
    out.write("".join(line + "\n" for line in lines))
    for name in unknown:
        print(
            f"generate.py: the library exports {name}, which is neither in functions.tsv nor in not_wrapped.tsv",
            file=sys.stderr,
        )


def read_wrapped(path):
    """The names of the functions that such a file calls wrapped."""
    return [line.split("\t")[0] for line in open(path, encoding="utf-8") if line.rstrip("\n").endswith("\twrapped")]
