#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where a header declares a function of another file than its own: x.h declares functions of x.c. headers.txt says
which may. Functions that no file of the part has (generated ones) may be declared anywhere. Argument: the directory with
the sources. Needs universal-ctags."""
import collections
import os
import sys

from sources import has_ctags, sources, tags

SKIPPED = 77


def read_table(path):
    """The headers that may declare functions of other files."""
    with open(path, encoding="utf-8") as file:
        return {line.split()[1] for line in file if line.startswith("may ")}


def find_pairs(root):
    """Header and file -> names of the functions of the file that the header declares."""
    defined = collections.defaultdict(set)
    declared = []
    for kind, name, path, is_static in tags(root, sources(root), "pf", ("kind", "name", "input", "file")):
        if kind.startswith("f") and path.endswith(".c") and is_static != "file":
            defined[path.split("/")[0], name].add(path)
        elif kind.startswith("p") and path.endswith(".h"):
            declared.append((path, name))
    pairs = collections.defaultdict(list)
    for header, name in declared:
        files = defined[header.split("/")[0], name]
        if header[:-1] + "c" not in files:
            for path in files:
                pairs[header, path].append(name)
    return len(declared), pairs


def main():
    if not has_ctags():
        print("universal-ctags is not installed")
        return SKIPPED
    may = read_table(os.path.join(os.path.dirname(os.path.abspath(__file__)), "headers.txt"))
    count, pairs = find_pairs(sys.argv[1])
    complaints = [f"no exception is needed for {header}" for header in sorted(may - {pair[0] for pair in pairs})]
    for (header, path), names in sorted(pairs.items()):
        if header not in may:
            complaints.append(f"{header} declares functions of {path}: {', '.join(names)}")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints or count == 0 else 0


sys.exit(main())
