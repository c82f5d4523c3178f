# SPDX-License-Identifier: BSD-3-Clause
"""A program prints the same with the runtime as without it; on demand also where its standard sends are synchronous, or where
unexpected messages are taken out."""
import argparse
import os
import subprocess
import sys

from lib.patience import at_most

SECONDS = at_most(250)


def output(command):
    quiet = {**os.environ, "UCX_LOG_LEVEL": "error"}  # it names messages that nobody received, by address
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=True, env=quiet
    )
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True, help="the command")
    parser.add_argument("--mpiexec", required=True, help="launcher of the MPI that the program was built for")
    parser.add_argument("--ranks", default="1")
    parser.add_argument("--synchronous", action="store_true", help="once more, with mpilens run --synchronous")
    parser.add_argument(
        "--exact", action="store_true", help="once more, with mpilens run --unexpected=exact, which acts at any time"
    )
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    arguments = parser.parse_args()
    start, program = [arguments.mpiexec, "-n", arguments.ranks], [
        os.path.abspath(arguments.program),
        *arguments.arguments,
    ]
    run = [*start, os.path.abspath(arguments.mpilens), "run"]
    printed = {"without": output([*start, *program]), "with": output([*run, *program])}
    if arguments.synchronous:
        printed["synchronous"] = output([*run, "--synchronous", *program])
    if arguments.exact:
        printed["exact"] = output([*run, "--unexpected=exact", "--unexpected-after=0", *program])
    for name, text in printed.items():
        print(f"{name}:\n{text}")
    return 0 if printed["without"] and len(set(printed.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
