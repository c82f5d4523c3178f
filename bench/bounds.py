#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does anything that counts exactly cost more than was recorded? Instructions of one iteration in the runtime's own code
(callgrind), memory that it maps for pending operations, callbacks, bytes and allocations of a dump by the DLL. Fails where
one is more than 2 % above its bound. That operations allocate nothing is in steady_state.c; times: bench/compare.

bounds.py --bounds FILE [--record] --built-with TEXT --program PROGRAM --runtime LIBRARY --pending PROGRAM --dump PROGRAM

Lines of FILE: what, which, bound; separated by tabs. --record writes what is measured now. The bounds are those of one
compiler, its options, and one MPI library, which FILE names: with others, nothing is compared. Under Valgrind the runtime
reads the processor's counter for every stamp, which takes four instructions more than without.
"""
import argparse
import os
import shutil
import subprocess
import sys

from callgrind_run import own_instructions_of_iteration

TOLERANCE = 1.02
SKIPPED = 77

# Of those whose number does not depend on where handles lie that are addresses.
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
# Of a dump: what is counted, and its column.
DUMP_COLUMNS = (("callbacks", 1), ("bytes", 3), ("allocations", 4))
BUILT_WITH = "# Built with: "


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


def read_bounds(path):
    """({(what, which): bound}, what they were built with)"""
    bounds = {}
    built_with = ""
    with open(path) as file:
        for line in file:
            if line.startswith(BUILT_WITH):
                built_with = line[len(BUILT_WITH) :].strip()
            elif not line.startswith("#"):
                what, which, bound = line.rstrip("\n").split("\t")
                bounds[what, which] = float(bound)
    return bounds, built_with


def write_bounds(path, counted, built_with):
    with open(path, "w") as file:
        file.write("# What bounds.py counts: what, which, bound. It writes this file.\n")
        file.write(f"{BUILT_WITH}{built_with}\n")
        for (what, which), number in counted.items():
            file.write(f"{what}\t{which}\t{number:.10g}\n")


def compare(bounds, counted):
    """Prints the table; returns how many are above."""
    above = 0
    print(f'{"":44} {"bound":>12} {"now":>12} {"ratio":>7}')
    for key, number in counted.items():
        bound = bounds.get(key)
        if bound is None:
            print(f'{" ".join(key):44} {"-":>12} {number:12.1f}          FAIL: no bound is recorded')
            above += 1
            continue
        is_above = number > bound * TOLERANCE
        above += is_above
        ratio = number / bound if bound else 1
        print(f'{" ".join(key):44} {bound:12.1f} {number:12.1f} {ratio:7.3f}{"  FAIL" if is_above else ""}')
    return above


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bounds", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--built-with", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--pending", required=True)
    parser.add_argument("--dump", required=True)
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return SKIPPED
    built_with = f"{options.built_with}; {name_library(options.program)}"
    bounds, recorded_with = ({}, "") if options.record else read_bounds(options.bounds)
    if not options.record and recorded_with != built_with:
        print(f"skipped: {options.bounds} is of another build\n  recorded: {recorded_with}\n  here:     {built_with}")
        return SKIPPED
    counted = count_instructions(options) | count_mapped(options) | count_dumps(options)
    if options.record:
        write_bounds(options.bounds, counted, built_with)
        return 0
    above = compare(bounds, counted)
    if above:
        print(f"{above} more than {100 * (TOLERANCE - 1):.0f} % above their bounds; where that is meant: --record")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
