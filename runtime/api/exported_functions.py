#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the names of all functions that the libraries of an MPI export for programs in C, PMPI_ names among them, one a line; or those
for programs in Fortran, in all forms that compilers make of them (mpi_send_, mpi_send__, mpi_send, MPI_SEND).

exported_functions.py MPICC OUTPUT
exported_functions.py --fortran MPIFORT OUTPUT

With --fortran, MPIFORT may be empty, or fail: there is no Fortran then, and the output is empty.
"""
import os
import re
import subprocess
import sys
import tempfile

# A function in a table of symbols, without its version.
SYMBOL = re.compile(r"^[0-9a-f]+ [TWi] (\w+)(?:@.*)?$", re.M)

FUNCTION = re.compile(r"P?MPIX?_[A-Z]\w*")
PROGRAM = "#include <mpi.h>\nint main(int argc, char **argv) { return MPI_Init(&argc, &argv); }\n"

FORTRAN_FUNCTION = re.compile(r"p?mpix?_[a-z][a-z0-9_]*|P?MPIX?_[A-Z][A-Z0-9_]*")
FORTRAN_PROGRAM = "      integer error\n      call MPI_Init(error)\n      end\n"


def libraries(compiler, program_text, suffix):
    """Paths of what a program is linked with."""
    with tempfile.TemporaryDirectory() as directory:
        source, program = os.path.join(directory, "program" + suffix), os.path.join(directory, "program")
        with open(source, "w", encoding="utf-8") as out:
            out.write(program_text)
        subprocess.run([compiler, source, "-o", program, "-Wl,--no-as-needed"], check=True)
        listing = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"=> (/\S+)", listing)


def functions(paths, pattern):
    names = set()
    for path in paths:
        symbols = subprocess.run(
            ["nm", "-D", "--defined-only", path], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        names.update(name for name in SYMBOL.findall(symbols) if pattern.fullmatch(name))
    return names


def functions_of_fortran(compiler):
    if not compiler:
        return set()
    try:
        return functions(libraries(compiler, FORTRAN_PROGRAM, ".f"), FORTRAN_FUNCTION)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"exported_functions.py: no Fortran: {error}", file=sys.stderr)
        return set()


def main():
    if sys.argv[1] == "--fortran":
        compiler, output = sys.argv[2:]
        names = functions_of_fortran(compiler)
    else:
        compiler, output = sys.argv[1:]
        names = functions(libraries(compiler, PROGRAM, ".c"), FUNCTION)
        if "MPI_Init" not in names:
            sys.exit(f"exported_functions.py: no library of a program made by {compiler} exports MPI_Init")
    with open(output, "w", encoding="utf-8") as out:
        out.write("".join(name + "\n" for name in sorted(names)))


if __name__ == "__main__":
    main()
