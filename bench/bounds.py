#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does anything that counts exactly cost more than was recorded? Instructions of one iteration in the runtime's own code
(callgrind), memory that it maps for pending operations, callbacks, bytes and allocations of a dump by the DLL. Fails where
one is more than 2 % above its bound. That operations allocate nothing is in steady_state.c; times: bench/compare.

bounds.py --bounds FILE [--record] --built-with TEXT --program PROGRAM --runtime LIBRARY --pending PROGRAM --dump PROGRAM

FILE: see bounds_file.py; it also names the MPI library. Under Valgrind the runtime reads the processor's counter for
every stamp, which takes four instructions more than without.
"""
import argparse
import os
import subprocess
import sys

from bounds_file import add_arguments, judge
from callgrind_run import own_instructions_of_iteration

# Workloads whose number does not depend on where handles lie that are addresses.
WORKLOADS = (
    "Send, null",
    "Recv, null",
    "Isend Wait, null",
    "Irecv Wait, null",
    "Isend Test, null",
    "Start Wait, null",
    "Irecv Isend Waitall, self",
    "4 Irecv Isend Waitall, self",
    "Sendrecv, self",
    "Test, nothing there",
    "Testsome of 2, nothing there",
    "Iprobe, nothing there",
    "Barrier, self",
    "Ibarrier Wait, self",
    "Comm_dup Comm_free, self",
)
PENDING = (1000, 100000)
# The counts of a dump, and their columns.
DUMP_COLUMNS = (("callbacks", 1), ("bytes", 3), ("allocations", 4))


def name_library(program):
    """The first line of what MPI_Get_library_version says, without what tells who has packaged it"""
    done = subprocess.run([program, "--library"], capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split("\n")[0].split(",")[0].split())


def count_instructions(options):
    counted = own_instructions_of_iteration(options.program, options.runtime, WORKLOADS)
    return {("instructions", name): round(number, 1) for name, number in counted.items()}


def count_mapped(options):
    counted = {}
    for pending in PENDING:
        done = subprocess.run(
            [options.pending, str(pending), "null"],
            env=dict(os.environ, LD_PRELOAD=options.runtime),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        counted["mapped bytes", f"{pending} pending"] = float(done.stdout.split()[1])
    return counted


def count_dumps(options):
    """The first line names the columns; operations are the first of them."""
    counted = {}
    done = subprocess.run([options.dump], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines()[1:]:
        columns = line.split()
        for what, column in DUMP_COLUMNS:
            counted[what, f"dump of {columns[0]}"] = float(columns[column])
    return counted


def main():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    parser.add_argument("--program", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--pending", required=True)
    parser.add_argument("--dump", required=True)
    options = parser.parse_args()
    built_with = f"{options.built_with}; {name_library(options.program)}"
    return judge(
        options, built_with, lambda: count_instructions(options) | count_mapped(options) | count_dumps(options)
    )


if __name__ == "__main__":
    sys.exit(main())
