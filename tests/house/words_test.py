#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the words in doc/json.md are not those of words.def. Argument: the directory with the sources."""
import os
import re
import sys

# Rows of the table in doc/json.md: the list, words of it that JSON never says, and words that only JSON has.
ROWS = {
    "thread_level": ("THREAD_LEVEL", set(), set()),
    "status": ("STATUS", set(), set()),
    "mode": (
        "OPERATION_MODE",
        {"blocking", "persistent", "partitioned", "from_message", "cancel_called", "cancelled"},
        {"standard"},
    ),
    "class": ("OPERATION_CLASS", set(), set()),
    "collectives": ("COLLECTIVE_CLASS", set(), set()),
    "kind": ("OBJECT_KIND", set(), set()),
    "flavor": ("WINDOW_FLAVOR", set(), set()),
    "access_epoch": ("EPOCH", {"none", "group"}, {"start", "post"}),
    "type": ("LOCK_TYPE", set(), set()),
    "amode": ("FILE_MODE", set(), set()),
    "object": ("ATTACHABLE", set(), set()),
    "topology": ("TOPOLOGY", set(), set()),
    "combiner": ("COMBINER", set(), set()),
}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def main():
    source = sys.argv[1]
    lists = {
        name: set(re.findall(r'WORD\(\w+, "([^"]*)"', body))
        for name, body in re.findall(
            r"#define MPILENS_(\w+)_WORDS\(WORD\)(.*?)(?=\n\n|\n#)",
            read(source, "include/mpilens/words.def"),
            flags=re.S,
        )
    }
    section = read(source, "doc/json.md").partition("\n## Words\n")[2].partition("\n## ")[0]
    documented = {}
    for line in section.splitlines():
        cells = line.split("|")
        names = re.findall(r"`([^`]+)`", cells[1]) if len(cells) > 2 else []
        if names:
            documented[names[0]] = set(re.findall(r"`([^`]+)`", cells[2]))
    wrong = [f"{name}: no such row" for name in ROWS if name not in documented]
    wrong += [f"{name}: not in the table of this test" for name in documented if name not in ROWS]
    for name, (words, never, more) in ROWS.items():
        differing = documented.get(name, set()) ^ ((lists[words] - never) | more)
        if name in documented and differing:
            wrong.append(f'{name}: {", ".join(sorted(differing))}')
    print(f"{len(ROWS)} rows compared", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
