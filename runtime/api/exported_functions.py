#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the names of all functions that the libraries of an MPI export for programs in C, PMPI_ names among them, one a line.

exported_functions.py MPICC OUTPUT
"""
import os
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r"^[0-9a-f]+ [TWi] (P?MPIX?_[A-Z]\w*)(?:@.*)?$", re.M)
PROGRAM = "#include <mpi.h>\nint main(int argc, char **argv) { return MPI_Init(&argc, &argv); }\n"


def libraries(mpicc):
    """Paths of what a program is linked with."""
    with tempfile.TemporaryDirectory() as directory:
        source, program = os.path.join(directory, "program.c"), os.path.join(directory, "program")
        with open(source, "w", encoding="utf-8") as out:
            out.write(PROGRAM)
        subprocess.run([mpicc, source, "-o", program], check=True)
        listing = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"=> (/\S+)", listing)


def main():
    mpicc, output = sys.argv[1:]
    names = set()
    for library in libraries(mpicc):
        symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, text=True).stdout
        names.update(FUNCTION.findall(symbols))
    if "MPI_Init" not in names:
        sys.exit(f"exported_functions.py: no library of a program made by {mpicc} exports MPI_Init")
    with open(output, "w", encoding="utf-8") as out:
        out.write("".join(name + "\n" for name in sorted(names)))


if __name__ == "__main__":
    main()
