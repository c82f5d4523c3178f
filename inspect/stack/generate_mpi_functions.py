#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the command knows of MPI functions that no runtime tells it about: the array mpi_functions, by name in lower case, out of the
table of functions (functions.tsv) and the templates.

PYTHONPATH=.../runtime/api generate_mpi_functions.py --table functions.tsv --templates templates/*.txt --output mpi_functions.c
"""
import argparse

from facts import all_facts
from table import read_table, read_templates


def describe(facts):
    return (
        f'{{.name = "{facts.name}", .call_class = MPILENS_CALL_{facts.call_class}, '
        f".collective_class = {facts.collective_class() or -1}, .operation = {facts.operation_flags()}, "
        f'.purpose = MPILENS_PURPOSE_{facts.row.purpose.upper()}, .roles = "{" ".join(facts.row.roles)}"}}'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for option in ("table", "output"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--templates", required=True, nargs="+")
    options = parser.parse_args()
    facts = all_facts(read_table(options.table), read_templates(options.templates))
    with open(options.output, "w", encoding="utf-8") as out:
        out.write('#include "stack/stack.h"\n\n#include "mpilens/layout.h"\n\n')
        out.write("const struct mpi_function mpi_functions[] = {\n")
        for one in sorted(facts, key=lambda one: one.name.lower()):
            out.write(describe(one) + ",\n")
        out.write("};\nconst size_t mpi_function_count = sizeof mpi_functions / sizeof *mpi_functions;\n")


if __name__ == "__main__":
    main()
