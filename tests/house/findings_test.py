#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the JSON schema or the table of doc/why.md do not list the kinds of findings as findings.def has them.

    findings_test.py SOURCE            checks the directory with the sources
    findings_test.py SOURCE --write    writes both lists
"""
import json
import os
import re
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "live"))
from lib.kinds import finding_summaries  # pylint: disable=wrong-import-position


def schema_list(summaries):
    words = textwrap.wrap(", ".join(json.dumps(kind) for kind in summaries), 106, break_on_hyphens=False)
    return "\n".join(" " * 12 + line for line in words)


def table(summaries):
    code = re.compile(r"(--[a-z-]+|MPI_\w+)")
    rows = [(kind, code.sub(r"`\1`", summary)) for kind, summary in summaries.items()]
    return "\n".join(f"| `{kind}` | {summary} |" for kind, summary in rows)


# Path, what stands before and behind the list, and how it is written.
LISTS = [
    ("doc/mpilens-1.schema.json", r'"finding": \{.*?"kind": \{\s*"enum": \[\n', r"\n\s*\]", schema_list),
    ("doc/why.md", r"\n\| finding \| meaning \|\n\|---\|---\|\n", r"\n\n", table),
]


def main():
    source, write = sys.argv[1], "--write" in sys.argv[2:]
    summaries = finding_summaries()
    failures = 0 if summaries else 1
    for path, before, behind, make in LISTS:
        with open(os.path.join(source, path), encoding="utf-8") as file:
            text = file.read()
        head, old, tail = re.fullmatch(f"(.*?{before})(.*?)({behind}.*)", text, flags=re.S).groups()
        new = make(summaries)
        if old == new:
            continue
        if write:
            with open(os.path.join(source, path), "w", encoding="utf-8") as file:
                file.write(head + new + tail)
        else:
            failures += 1
            print(f"{path}: not as in findings.def; to mend it: {sys.argv[0]} {source} --write")
    print(f"{len(summaries)} kinds")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
