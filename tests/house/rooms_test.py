#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where an #include runs up: out of a part into another one, or into a room above its own. rooms.txt says which rooms
there are, and which exceptions. Argument: the directory with the sources."""
import os
import re
import sys

from sources import PARTS, sources

CONTRACTS = "include"  # may be included by all parts, and includes none
READ = (".c", ".h", ".inc", ".py")  # scripts: what they generate
WITH_MPI = "runtime"  # the one part that may include mpi.h
INCLUDE = re.compile(r'#\s*include ("([^"\n]+)"|<mpi\.h>)')


def read_table(path):
    """The rooms from bottom to top, and the exceptions: pairs of paths."""
    rooms, exceptions = [], set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words and words[0] == "room":
                rooms.append(words[1])
            elif words and words[0] == "exception":
                exceptions.add((words[1], words[3]))
    return rooms, exceptions


class House:
    def __init__(self, root, rooms):
        self.root = root
        self.rooms = rooms

    def floor(self, path):
        """The number of its room; files in none are above all. None: a directory that is no room."""
        directory = os.path.dirname(path)
        if directory in self.rooms:
            return self.rooms.index(directory)
        return len(self.rooms) if directory in PARTS else None

    def find(self, path, name):
        """The path of what a file includes; None: neither its part nor the contracts have it."""
        part = path.split("/")[0]
        for directory in (part, os.path.dirname(path) if part == CONTRACTS else CONTRACTS):
            found = os.path.join(directory, name)
            if os.path.exists(os.path.join(self.root, found)):
                return found
        return None

    def problem(self, path, name):
        """The fault of an include, and the path of the included file; None: no fault."""
        part = path.split("/")[0]
        if name is None:
            return None if part == WITH_MPI else (f"{path} includes mpi.h", "mpi.h")
        included = self.find(path, name)
        if included is None:
            return f"{path} includes {name}, which neither {part}/ nor {CONTRACTS}/ has", name
        if included.startswith(CONTRACTS + "/"):
            return None
        if self.floor(included) is None or self.floor(included) > self.floor(path):
            return f"{path} includes {included}, which is above it", included
        return None


def main():
    rooms, exceptions = read_table(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rooms.txt"))
    house = House(sys.argv[1], rooms)
    complaints = []
    needed = set()
    for part in (*PARTS, CONTRACTS):
        for path in sources(house.root, (part,), READ):
            with open(os.path.join(house.root, path), encoding="utf-8") as file:
                includes = [match[2] for match in INCLUDE.finditer(file.read())]
            if part != CONTRACTS and includes and house.floor(path) is None:
                complaints.append(f"{path} is in no room")
                continue
            for problem in filter(None, (house.problem(path, name) for name in includes)):
                if (path, problem[1]) in exceptions:
                    needed.add((path, problem[1]))
                else:
                    complaints.append(problem[0])
    complaints += [f"no exception is needed for {path} -> {included}" for path, included in sorted(exceptions - needed)]
    complaints += [f"there is no room {room}" for room in rooms if not os.path.isdir(os.path.join(house.root, room))]
    for complaint in complaints:
        print(complaint)
    return 1 if complaints or len(rooms) == 0 else 0


sys.exit(main())
