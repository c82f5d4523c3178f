#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does a verdict on a large job cost more than was recorded? Instructions in the code of the command and of the DLL
(callgrind) and the highest use of the heap (massif), of `mpilens why` for each rank, and instructions of
`mpilens show --json` for each operation, from snapshots. Fails where one is more than 2 % above its bound. Times, and
larger jobs: scale.py.

verdict_bounds.py --bounds FILE [--record] --built-with TEXT --mpilens COMMAND --write PROGRAM

FILE: see bounds_file.py. PROGRAM is synthetic_snapshot.
"""
import argparse
import os
import subprocess
import sys
import tempfile

from bounds_file import add_arguments, judge
from callgrind_run import read_counts
from commands import PATTERNS

RANKS = 300
OPERATIONS = 10  # of each rank
SHOWN = 3  # number of the pattern that is written as JSON
SEARCHED = 2  # of that whose smallest knot is searched for in a fixed number of steps, far more than all else takes
OWN = ("mpilens", "libmpilens_dll.so.1")


def run(tool, command):
    """The tool's report about the command, as lines"""
    with tempfile.TemporaryDirectory(prefix="mpilens-bench-") as directory:
        counts = os.path.join(directory, "counts")
        done = subprocess.run(
            ["valgrind", *(argument.format(counts) for argument in tool), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode not in (0, 1):
            sys.exit(f"{command} ended with status {done.returncode}:\n{done.stderr}")
        with open(counts) as file:
            return file.readlines()


def count_instructions(command):
    _, by_object = read_counts(run(["--tool=callgrind", "--callgrind-out-file={}"], command))
    return sum(by_object.get(name, 0) for name in OWN)


def count_heap_bytes(command):
    lines = run(["--tool=massif", "--peak-inaccuracy=0.0", "--massif-out-file={}"], command)
    return max(int(line.split("=")[1]) for line in lines if line.startswith("mem_heap_B="))


def count(options):
    counted = {}
    for number, pattern in enumerate(PATTERNS):
        with tempfile.TemporaryDirectory(prefix="mpilens-bench-") as directory:
            snapshot = os.path.join(directory, "snapshot")
            subprocess.run([options.write, str(number), str(RANKS), str(OPERATIONS), snapshot], check=True)
            why = [options.mpilens, "why", snapshot]
            if number != SEARCHED:
                counted["instructions of a rank", pattern] = round(count_instructions(why) / RANKS)
            counted["heap bytes of a rank", pattern] = round(count_heap_bytes(why) / RANKS)
            if number == SHOWN:
                show = [options.mpilens, "show", "--json", snapshot]
                counted["instructions of an operation in JSON", pattern] = round(
                    count_instructions(show) / (RANKS * OPERATIONS)
                )
    return counted


def main():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--write", required=True)
    options = parser.parse_args()
    return judge(options, options.built_with, lambda: count(options))


if __name__ == "__main__":
    sys.exit(main())
