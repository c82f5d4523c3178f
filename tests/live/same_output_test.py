# SPDX-License-Identifier: BSD-3-Clause
"""A program prints the same with the runtime as without it."""
import argparse
import os
import subprocess
import sys

from lib.patience import at_most

SECONDS = at_most(60)


def output(command):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=True
    )
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True, help="the command")
    parser.add_argument("--mpiexec", required=True, help="launcher of the MPI that the program was built for")
    parser.add_argument("program")
    arguments = parser.parse_args()
    start, program = [arguments.mpiexec, "-n", "1"], os.path.abspath(arguments.program)
    without = output([*start, program])
    with_runtime = output([*start, os.path.abspath(arguments.mpilens), "run", program])
    print(f"without:\n{without}\nwith:\n{with_runtime}")
    return 0 if without and without == with_runtime else 1


if __name__ == "__main__":
    sys.exit(main())
