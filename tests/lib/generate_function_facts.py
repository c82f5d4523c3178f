#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the table of MPI functions says of each: the initializers of struct mpilens_function, as of a runtime that has them all, by name.
Number 0 is "no function".

PYTHONPATH=.../runtime/api generate_function_facts.py --table functions.tsv --templates templates/*.txt --output function_facts.inc
"""
import argparse

from facts import all_facts, describe
from table import read_table, read_templates


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for option in ("table", "output"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--templates", required=True, nargs="+")
    options = parser.parse_args()
    facts = sorted(all_facts(read_table(options.table), read_templates(options.templates)), key=lambda one: one.name)
    numbers = {one.name: number for number, one in enumerate(facts, start=1)}
    with open(options.output, "w", encoding="utf-8") as out:
        out.write("{.collective_class = -1},\n")
        for one in facts:
            out.write(describe(one, numbers.get(one.small_count, 0)) + ",\n")


if __name__ == "__main__":
    main()
