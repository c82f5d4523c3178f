# SPDX-License-Identifier: BSD-3-Clause
"""A program prints the same with the runtime as without it; on demand also where its standard sends are synchronous, or where
unexpected messages are taken out. With --each, it also ends with the same status and the same words of MPI."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from lib.job import KEEPS_NICENESS
from lib.length import IS_FULL
from lib.patience import at_most
from lib.python_mpi import environment_of, has_mpi4py

SECONDS = at_most(250)
TRIES = 6


def output(command):
    quiet = {**os.environ, "UCX_LOG_LEVEL": "error"}  # it names messages that nobody received, by address
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=True, env=quiet
    )
    return done.stdout


def ending(start, program):
    """The output of its ranks, in any order and without facts of this run alone, and the status. None: they were ended before any
    words. Ranks write to files of their own: as a job ends, launchers lose what comes through them. No core files: `mpilens run`
    allows them, and MPICH's status tells."""
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run(
            [*start, "sh", "-c", 'ulimit -c 0; exec "$@" >"$0/$$" 2>&1', directory, *program],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "UCX_HANDLE_ERRORS": "none"},  # no backtraces
        )
        words = [done.stdout, *(path.read_text(encoding="utf-8") for path in pathlib.Path(directory).iterdir())]
    lines = {re.sub(r"0x[0-9a-fA-F]+|[0-9a-f]{7,}|\d{3,}", "N", line) for text in words for line in text.splitlines()}
    lines = {
        line for line in lines if not re.fullmatch(r"/.*\(.*\) \[N\]", line)
    }  # MPICH's own stack, which has the runtime in it
    if not lines or any("ORTE_ERROR_LOG" in line for line in lines):
        return None
    return "\n".join([*sorted(lines), f"status {done.returncode}"])


def end_alike(start, without, under):
    """Launchers end ranks while these end, so that one job may end in several ways: one of both is the same."""
    endings = {name: set() for name in ("without", "with")}
    for _ in range(TRIES):
        endings["without"].add(ending(start, without))
        endings["with"].add(ending(start, under))
        if (endings["without"] & endings["with"]) - {None}:
            return True
    for name, texts in endings.items():
        print(f"{name}:", *texts, sep="\n")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True, help="the command")
    parser.add_argument("--mpiexec", required=True, help="launcher of the MPI that the program was built for")
    parser.add_argument("--ranks", default="1")
    parser.add_argument("--synchronous", action="store_true", help="once more, with mpilens run --synchronous")
    parser.add_argument(
        "--exact",
        action="store_true",
        help="with mpilens run --unexpected=exact, which acts at any time; with --full also as it acts by itself",
    )
    parser.add_argument("--each", nargs=3, type=int, help="once for each last argument: first, step, last")
    parser.add_argument(
        "--mpi4py", nargs=3, help="the program is of this Python: its path, that of mpi4py, the name of its MPI"
    )
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    arguments = parser.parse_args()
    os.environ.update([KEEPS_NICENESS.split("=")])  # these ranks end by themselves, and the sooner the better
    start = [arguments.mpiexec, "-n", arguments.ranks]
    program = [os.path.abspath(arguments.program), *arguments.arguments]
    if arguments.mpi4py:
        python, path, library = arguments.mpi4py
        if not has_mpi4py(python, path, library):
            print("skipped: there is no mpi4py for", library)
            return 77
        os.environ.update(environment_of(path))
        program = [python, *program]
    run = [os.path.abspath(arguments.mpilens), "run"]
    if arguments.each:
        first, step, last = arguments.each
        numbers = range(first, last + 1, step)
        differing = [n for n in numbers if not end_alike(start, [*program, str(n)], [*run, *program, str(n)])]
        print(f"{len(differing)} of {len(numbers)} end in another way:", *differing)
        return 1 if differing else 0
    printed = {"without": output([*start, *program])}
    if not arguments.exact or IS_FULL:
        printed["with"] = output([*start, *run, *program])
    if arguments.synchronous:
        printed["synchronous"] = output([*start, *run, "--synchronous", *program])
    if arguments.exact:
        printed["exact"] = output([*start, *run, "--unexpected=exact", "--unexpected-after=0", *program])
    for name, text in printed.items():
        print(f"{name}:\n{text}")
    return 0 if printed["without"] and len(set(printed.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
