# SPDX-License-Identifier: BSD-3-Clause
"""Bounds of what counts exactly, and whether they are held.

Lines of a file of bounds: count, case and bound, separated by tabs. --record writes what is measured now. The bounds belong to one
compiler, its options and its libraries, which the file names: with others, nothing is compared.
"""
import os
import shutil
import sys

TOLERANCE = 1.02
SKIPPED = 77
BUILT_WITH = "# Built with: "


def add_arguments(parser):
    """Adds the options whose values judge() wants."""
    parser.add_argument("--bounds", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--built-with", required=True)


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
        file.write(f"# Counts of {os.path.basename(sys.argv[0])}, which writes this file: count, case, bound.\n")
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


def judge(options, built_with, count):
    """The exit status. count() gives {(what, which): number}, by valgrind."""
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return SKIPPED
    bounds, recorded_with = ({}, "") if options.record else read_bounds(options.bounds)
    if not options.record and recorded_with != built_with:
        print(f"skipped: {options.bounds} is of another build\n  recorded: {recorded_with}\n  here:     {built_with}")
        return SKIPPED
    counted = count()
    if options.record:
        write_bounds(options.bounds, counted, built_with)
        return 0
    above = compare(bounds, counted)
    if above:
        print(f"{above} more than {100 * (TOLERANCE - 1):.0f} % above their bounds; where that is meant: --record")
    return 1 if above else 0
