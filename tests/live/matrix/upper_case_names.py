#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a Fortran program that calls MPI by names in upper case, as some compilers do and gfortran does not: renames what the
object file refers to.

upper_case_names.py COMPILER SOURCE PROGRAM OPTION...
"""
import os
import re
import subprocess
import sys
import tempfile

UNDEFINED = re.compile(r"^\s*U (mpi_[a-z0-9_]*[a-z0-9])_$", re.M)


def main():
    compiler, source, program, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        compiled = os.path.join(directory, "program.o")
        subprocess.run([compiler, *options, "-c", source, "-o", compiled], check=True)
        symbols = subprocess.run(["nm", compiled], check=True, stdout=subprocess.PIPE, text=True).stdout
        names = UNDEFINED.findall(symbols)
        if not names:
            sys.exit(f"upper_case_names.py: {source} calls no MPI function")
        subprocess.run(["objcopy", *(f"--redefine-sym={name}_={name.upper()}" for name in names), compiled], check=True)
        subprocess.run([compiler, compiled, "-o", program], check=True)


if __name__ == "__main__":
    main()
