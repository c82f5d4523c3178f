#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the names of all functions that the libraries of an MPI export for programs in C, PMPI_ names among them, one a line; or those
for programs in Fortran, in all forms that compilers make of them (mpi_send_, mpi_send__, mpi_send, MPI_SEND).

exported_functions.py READELF MPICC OUTPUT
exported_functions.py READELF --fortran MPIFORT OUTPUT

Runs no program of the machine that the compiler is for, and reads libraries of any. With --fortran, MPIFORT may be empty: there is no
Fortran then, and the output is empty.
"""
import os
import re
import subprocess
import sys
import tempfile

# A function that is defined, in a table of symbols, without its version.
SYMBOL = re.compile(r"^ *\d+: [0-9a-f]+ +\S+ +I?FUNC +(?:GLOBAL|WEAK) +\S+(?: +\[.*?\])? +\d+ (\w+)(?:@.*)?$", re.M)
NEEDED = re.compile(r"\(NEEDED\).*\[(.*)\]")
PLACES = re.compile(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]")

FUNCTION = re.compile(r"P?MPIX?_[A-Z]\w*")
PROGRAM = "#include <mpi.h>\nint main(int argc, char **argv) { return MPI_Init(&argc, &argv); }\n"

FORTRAN_FUNCTION = re.compile(r"p?mpix?_[a-z][a-z0-9_]*|P?MPIX?_[A-Z][A-Z0-9_]*")
FORTRAN_PROGRAM = "      integer error\n      call MPI_Init(error)\n      end\n"


def output_of(*command):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"}
    ).stdout


class Linked:
    """The libraries of a program and their own needs, at the places that compiler and libraries name."""

    def __init__(self, readelf, compiler, program_text, suffix):
        self.readelf, self.compiler = readelf, compiler
        self.directories = []
        with tempfile.TemporaryDirectory() as directory:
            source, program = os.path.join(directory, "program" + suffix), os.path.join(directory, "program")
            with open(source, "w", encoding="utf-8") as out:
                out.write(program_text)
            traced = output_of(compiler, source, "-o", program, "-Wl,--no-as-needed", "-Wl,--trace")
            for path in re.findall(r"/\S+\.so[.\d]*", traced):
                self.add_directory(os.path.dirname(path))
            self.paths = {}  # by name
            self.add_needed_by(program)

    def add_directory(self, path):
        if path not in self.directories:
            self.directories.append(path)

    def path_of(self, name):
        candidates = [os.path.join(directory, name) for directory in self.directories]
        candidates.append(output_of(self.compiler, f"-print-file-name={name}").strip())
        return next((path for path in candidates if os.path.isabs(path) and os.path.exists(path)), None)

    def add_needed_by(self, path):
        dynamic = output_of(self.readelf, "-W", "-d", path)
        for places in PLACES.findall(dynamic):
            for place in places.split(":"):
                self.add_directory(place.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", os.path.dirname(path)))
        for name in NEEDED.findall(dynamic):
            if name not in self.paths:
                self.paths[name] = self.path_of(name)
                if self.paths[name] is not None:
                    self.add_needed_by(self.paths[name])

    def functions(self, pattern):
        tables = (output_of(self.readelf, "-W", "--dyn-syms", path) for path in self.paths.values() if path is not None)
        return {name for table in tables for name in SYMBOL.findall(table) if pattern.fullmatch(name)}


def functions(readelf, compiler, program_text, suffix, pattern, wanted):
    try:
        linked = Linked(readelf, compiler, program_text, suffix)
        names = linked.functions(pattern)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"exported_functions.py: {compiler} makes no program that uses MPI: {error}")
    if not wanted & names:
        missing = ", ".join(sorted(name for name, path in linked.paths.items() if path is None))
        sys.exit(
            f"exported_functions.py: no library of a program made by {compiler} exports {' or '.join(sorted(wanted))}"
            + (f"; not found: {missing}" if missing else "")
        )
    return names


def main():
    readelf, *what, output = sys.argv[1:]
    if what[0] != "--fortran":
        names = functions(readelf, what[0], PROGRAM, ".c", FUNCTION, {"MPI_Init"})
    elif what[1]:
        names = functions(
            readelf,
            what[1],
            FORTRAN_PROGRAM,
            ".f",
            FORTRAN_FUNCTION,
            {"mpi_init_", "mpi_init__", "mpi_init", "MPI_INIT"},
        )
    else:
        names = set()
    with open(output, "w", encoding="utf-8") as out:
        out.write("".join(name + "\n" for name in sorted(names)))


if __name__ == "__main__":
    main()
