#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where a room has another header than ROOM.h, for all, and ROOM_internal.h, for its own files; where a file includes
the internal header of another room; and where a header declares a function of another room. headers.txt has the exceptions.
A room below another one, as render/text, may be called after both: render_text.h. Argument: the directory with the sources.
Needs universal-ctags."""
import os
import re
import sys

from sources import has_ctags, sources, tags

SKIPPED = 77
INCLUDE = re.compile(r'^\s*#\s*include "([^"\n]+_internal\.h)"', re.M)


def read_exceptions(path):
    """The headers that may stand beside their rooms' own."""
    with open(path, encoding="utf-8") as file:
        return {line.split()[1] for line in file if line.startswith("may ")}


def names_of(room):
    """The names of its headers."""
    directories = room.split("/")[1:]
    bases = {directories[-1], "_".join(directories[-2:])}
    return {f"{base}{end}.h" for base in bases for end in ("", "_internal")}


def problems_of_files(root, paths, may):
    """Headers beside their rooms' own, and includes of another room's internal header."""
    for path in paths:
        room, name = os.path.split(path)
        if name.endswith(".h") and path not in may and "/" in room and name not in names_of(room):
            yield f"{path}: a room has {room.split('/')[-1]}.h and {room.split('/')[-1]}_internal.h"
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for match in INCLUDE.finditer(file.read()):
                if os.path.join(path.split("/")[0], os.path.dirname(match[1])) != room:
                    yield f"{path} includes {match[1]}, which only files of its room may"


def problems_of_functions(root, paths):
    """Headers that declare what another room defines."""
    defined, declared = {}, []
    for kind, name, path, is_static in tags(root, paths, "pf", ("kind", "name", "input", "file")):
        if kind.startswith("f") and path.endswith(".c") and is_static != "file":
            defined.setdefault((path.split("/")[0], name), set()).add(os.path.dirname(path))
        elif kind.startswith("p") and path.endswith(".h"):
            declared.append((path, name))
    if not declared:
        yield "no header declares anything"
    for header, name in declared:
        rooms = defined.get((header.split("/")[0], name), set())
        if rooms and os.path.dirname(header) not in rooms:
            yield f"{header} declares {name} of {', '.join(sorted(rooms))}"


def main():
    if not has_ctags():
        print("universal-ctags is not installed")
        return SKIPPED
    root = sys.argv[1]
    may = read_exceptions(os.path.join(os.path.dirname(os.path.abspath(__file__)), "headers.txt"))
    paths = sources(root)
    complaints = [*problems_of_files(root, paths, may), *problems_of_functions(root, paths)]
    complaints += [f"no exception is needed for {path}" for path in sorted(may - set(paths))]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


sys.exit(main())
