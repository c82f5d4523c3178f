#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The functions of an MPI for another machine, made here: found without running anything of that machine, also in libraries that only
other libraries need; a Fortran compiler that makes no program is an error.

check_exported_functions.py READELF EXPORTED_FUNCTIONS CROSS_COMPILER
"""
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, 0o755)
    return path


def main():
    readelf, lister, cross = sys.argv[1:]
    if shutil.which(cross) is None:
        print(f"skipped: no {cross}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as place:

        def library(name, text, *options):
            source = write(f"{place}/{name}.c", text)
            path = f"{place}/lib{name}.so"
            subprocess.run(
                [cross, "-shared", "-fPIC", f"-Wl,-soname,lib{name}.so", source, "-o", path, *options], check=True
            )

        def run(*arguments):
            command = [sys.executable, lister, readelf, *arguments, f"{place}/names"]
            done = subprocess.run(command, capture_output=True, text=True)
            with open(f"{place}/names", encoding="utf-8") as file:
                return done.returncode, file.read().split(), done.stderr

        write(f"{place}/mpi.h", "int MPI_Init(int *, char ***);\n")
        library("inner", "int MPI_Only_inside; int PMPI_Send(void) { return 0; } int MPI_missing(void) { return 0; }\n")
        library("mpi", "int PMPI_Send(void); int MPI_Init(void) { return PMPI_Send(); }\n", f"-L{place}", "-linner")
        library("alone", "int mpi_init(void) { return 0; } int helper(void) { return 0; }\n")
        compiler = write(
            f"{place}/mpicc", f'#!/bin/sh\nexec {cross} -I{place} "$@" -L{place} -Wl,-rpath-link,{place} -lmpi\n'
        )
        write(f"{place}/names", "")

        code, names, said = run(compiler)
        assert (code, names) == (0, ["MPI_Init", "PMPI_Send"]), (code, names, said)
        code, names, said = run("--fortran", "")
        assert (code, names) == (0, []), (code, names, said)

        write(f"{place}/names", "as before")
        code, names, said = run("--fortran", write(f"{place}/broken", "#!/bin/sh\nexit 1\n"))
        assert code != 0 and names == ["as", "before"] and "makes no program that uses MPI" in said, (code, names, said)
        program = f'-x c /dev/null -x none -shared -o "$3" -Wl,--no-as-needed,--trace -L{place} -lalone'
        asked = f'case $1 in -print*) exec {cross} "$1" ;; esac'
        other = write(f"{place}/mpifort", f"#!/bin/sh\n{asked}\nexec {cross} {program}\n")
        code, names, said = run("--fortran", other)
        assert (code, names) == (0, ["mpi_init"]), (code, names, said)
        code, names, said = run(
            write(f"{place}/mpicc.no", f'#!/bin/sh\nexec {cross} -I{place} "$@" -Wl,--unresolved-symbols=ignore-all\n')
        )
        assert code != 0 and "exports MPI_Init" in said, (code, names, said)
    return 0


sys.exit(main())
