# SPDX-License-Identifier: BSD-3-Clause
"""Libraries in C that stand before all functions of an MPI library, made while a test runs."""
import re
import subprocess


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def find_mpi_library(linked):
    """The MPI library that this file is linked with."""
    return re.search(r"=> (/\S*/libmpi(?:ch)?\.so\S*)", output("ldd", linked))[1]


def functions_of(library, prefix):
    names = re.findall(
        rf" [TW] ({prefix}MPI_[A-Z]\w*)(?:@\S*)?$", output("nm", "-D", "--defined-only", library), flags=re.M
    )
    return sorted(set(names))


def fill(text, **values):
    """With the values in place of their names in capitals."""
    for name, value in values.items():
        text = text.replace(name.upper(), str(value))
    return text


def quote(names):
    return ", ".join(f'"{name}"' for name in names)
