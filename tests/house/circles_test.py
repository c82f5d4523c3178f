#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where files of a part use each other in a circle. A file is an x.c; the inline functions of headers are part of each
file that uses them. A file uses another one when it names a function or a variable that the other one defines:
calls it, takes its address, or puts it into a table. Calls through a
pointer, types and macros are not counted, and what is generated belongs to no file. circles.txt says which circles stay, and
which rooms still have others. Argument: the directory with the sources; then, if wanted, --arrows: prints who uses what in
each circle. Needs universal-ctags."""
import bisect
import collections
import os
import re
import sys

from sources import has_ctags, sources, tags

MOST_CIRCLES = 2  # that may stay, in the whole tree
NO_CODE = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#[ \t]*include[^\n]*""",
    re.DOTALL | re.MULTILINE,
)
NAME = re.compile(r"(?P<before>->\s*|\.\s*|\b(?:struct|union|enum)\s+)?(?P<name>\b[A-Za-z_]\w*)")
SKIPPED = 77


def read_table(path):
    """The circles that stay, as sets of files, and how many files of other circles the rooms still have."""
    may, owed = [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "may":
                may.append(frozenset(words[1:]))
            elif words and words[0] == "owed":
                owed[words[1]] = int(words[2])
    return may, owed


def file_of(path):
    """x of x.c; a header is itself."""
    return path.removesuffix(".c")


class Source:
    """The definitions and uses that ctags finds in one .c or .h."""

    def __init__(self):
        self.own = set()  # static functions and variables, which hide those of other files
        self.prototypes = set()  # (name, line)
        self.functions = []  # (first line, name), sorted
        self.local = collections.defaultdict(set)  # first line of a function -> its parameters and variables

    def function_at(self, line):
        """Its first line and its name; None: none."""
        place = bisect.bisect_right(self.functions, (line, "\x7f")) - 1
        return self.functions[place] if place >= 0 else None


def read_tags(root):
    """Each source, and (part, name) -> the file that defines it."""
    paths = sources(root)
    read = {path: Source() for path in paths}
    defined = {}
    inside = []
    for kind, name, path, is_static, line in tags(root, paths, "fvplz", ("kind", "name", "input", "file", "line")):
        source = read[path]
        if kind == "prototype":
            source.prototypes.add((name, int(line)))
        elif kind in ("local", "parameter"):
            inside.append((source, int(line), name))
        else:
            if kind == "function":
                bisect.insort(source.functions, (int(line), name))
            if path.endswith(".c") and is_static == "file":
                source.own.add(name)
            else:
                defined[path.split("/")[0], name] = file_of(path)
    for source, line, name in inside:
        function = source.function_at(line)
        if function is not None:
            source.local[function[0]].add(name)
    return read, defined


def read_uses(root, path, source, defined):
    """(function or None, line, name, file that defines it) of each use of another file."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = NO_CODE.sub(lambda match: "\n" * match[0].count("\n") or " ", file.read())
    part = path.split("/")[0]
    for match in NAME.finditer(text):
        name = match["name"]
        used = defined.get((part, name))
        if used is None or used == file_of(path) or match["before"] is not None or name in source.own:
            continue
        line = text.count("\n", 0, match.start("name")) + 1
        function = source.function_at(line)
        if (name, line) in source.prototypes or (function is not None and name in source.local[function[0]]):
            continue
        yield function[1] if function is not None else None, line, name, used


def files_behind(part, name, used, inline, seen=()):
    """The sources that a use leads to: through inline functions to what these use."""
    if not used.endswith(".h"):
        return {used}
    found = set()
    for other, file in inline[part, name]:
        if other not in seen:
            found |= files_behind(part, other, file, inline, (*seen, name))
    return found


def find_circles(arrows):
    """Tarjan's strongly connected components that have more than one file."""
    numbers, low, stack, on_stack, circles = {}, {}, [], set(), []

    def visit(node):
        numbers[node] = low[node] = len(numbers)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(arrows[node]):
            if other not in numbers:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], numbers[other])
        if low[node] == numbers[node]:
            circle = set()
            while node not in circle:
                circle.add(stack.pop())
            on_stack.difference_update(circle)
            if len(circle) > 1:
                circles.append(frozenset(circle))

    for node in sorted(arrows):
        if node not in numbers:
            visit(node)
    return circles


def main():
    if not has_ctags():
        print("universal-ctags is not installed")
        return SKIPPED
    root = sys.argv[1]
    may, owed = read_table(os.path.join(os.path.dirname(os.path.abspath(__file__)), "circles.txt"))
    read, defined = read_tags(root)
    arrows = collections.defaultdict(dict)  # file -> file that it uses -> the uses
    inline = collections.defaultdict(list)  # (part, inline function of a header) -> what it uses
    for path, source in sorted(read.items()):
        if path.endswith(".h"):
            for function, _, name, used in read_uses(root, path, source, defined):
                inline[path.split("/")[0], function].append((name, used))
    for path, source in sorted(read.items()):
        if path.endswith(".h"):
            continue
        arrows[file_of(path)]
        for function, line, name, used in read_uses(root, path, source, defined):
            place = f"{path}:{line}: {function or 'a table'} uses {name}"
            for file in files_behind(path.split("/")[0], name, used, inline):
                if file != file_of(path):
                    arrows[file_of(path)].setdefault(file, []).append(place)
    for used in {used for uses in arrows.values() for used in uses}:
        arrows[used]
    sys.setrecursionlimit(len(arrows) + 1000)
    circles = find_circles(arrows)
    complaints = []
    if len(may) > MOST_CIRCLES:
        complaints.append(f"circles.txt lets {len(may)} circles stay; at most {MOST_CIRCLES} may")
    complaints += [f"there is no such circle: {' '.join(sorted(circle))}" for circle in set(may) - set(circles)]
    rooms = collections.Counter(os.path.dirname(file) for circle in set(circles) - set(may) for file in circle)
    for circle in sorted(set(circles) - set(may), key=sorted):
        if "--arrows" in sys.argv or any(
            rooms[os.path.dirname(file)] > owed.get(os.path.dirname(file), 0) for file in circle
        ):
            print(f"circle of {len(circle)}: {' '.join(sorted(circle))}")
            for file in sorted(circle):
                for used in sorted(circle & set(arrows[file])):
                    print(f"  {file} -> {os.path.basename(used)}")
                    print("".join(f"    {place}\n" for place in arrows[file][used]), end="")
    for room in sorted(rooms | collections.Counter(owed)):
        if rooms[room] > owed.get(room, 0):
            complaints.append(f"{room}: {rooms[room]} files stand in circles; circles.txt has {owed.get(room, 0)}")
        elif rooms[room] < owed.get(room, 0):
            print(f"{room}: circles.txt has {owed[room]}, there are {rooms[room]}")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints or not any(arrows.values()) else 0


sys.exit(main())
