#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A runtime that is loaded into a process without MPI (a shell, a launcher, its helpers) does nothing there.

check_inert.py RUNTIME...: needs no symbol of MPI, takes no memory from the application's heap, brings no MPI library, and changes
neither output, nor files, nor threads of the process.
"""
import os
import re
import subprocess
import sys

MPI_SYMBOL = re.compile(r"^p?mpix?_", re.IGNORECASE)
ALLOCATORS = {
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "free",
    "strdup",
    "strndup",
    "asprintf",
}
MPI_LIBRARY = re.compile(r"/lib(mpi(?!lens)|pmpi|open-)[^/]*$")
LOOK = "cd / && ls -l /proc/self/fd | wc -l; grep -E 'Threads|SigCgt' /proc/self/status; ls /proc/self/task | wc -l"


def undefined_symbols(library):
    lines = subprocess.run(
        ["nm", "-D", "--undefined-only", library], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return [line.split()[-1].split("@")[0] for line in lines]


def run(command, preload):
    environment = dict(os.environ, **({"LD_PRELOAD": preload} if preload else {}))
    result = subprocess.run(["/bin/sh", "-c", command], check=False, capture_output=True, text=True, env=environment)
    return result.returncode, result.stdout, result.stderr


def problems_of(library):
    undefined = undefined_symbols(library)
    problems = [f"needs {name}" for name in undefined if MPI_SYMBOL.match(name) or name in ALLOCATORS]
    if any(name.startswith(("__asan", "__tsan", "__ubsan")) for name in undefined):
        return problems  # a sanitizer does not stand being loaded like this
    plain, loaded = run(LOOK, None), run(LOOK, library)
    if plain != loaded:
        problems.append(f"a shell is another one with it: {plain} and {loaded}")
    maps = run("cat /proc/self/maps", library)[1]
    if os.path.basename(library) not in maps:
        problems.append("was not loaded at all")
    problems += sorted({f"brings {line.split()[-1]}" for line in maps.splitlines() if MPI_LIBRARY.search(line)})
    return problems


def main():
    failed = False
    for library in sys.argv[1:]:
        for problem in problems_of(os.path.abspath(library)):
            print(f"{library}: {problem}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
