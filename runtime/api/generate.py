#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers of one MPI from the table of semantics, the templates and the prototypes of its mpi.h.

generate.py --table functions.tsv --not-wrapped not_wrapped.tsv --templates templates/*.txt --header PREPROCESSED_MPI_H
            --removed removed_functions.h --exported NAMES --output-header functions.h --output-globals predefined_globals.h
            --output-functions functions.c --output-source wrappers.c --output-summary functions.txt [--strict]

The summary says which functions the library exports and what becomes of each. One that neither of the two tables knows is a warning, with
--strict an error.

A function that neither mpi.h nor removed_functions.h declares, or that the library does not export, is left out; a type or a number of
parameters that does not fit the table is an error.

table.py says what a template is, template_body.py what is filled in.
"""
import argparse
import sys

from functions_header import write_header
from inputs import Inputs, add_options
from predefined import write_globals_header
from summary import read_reasons, summarize, write_summary
from table import TableError
from wrappers_source import write_functions, write_source


def generate(options):
    inputs = Inputs(options)
    lines, unknown = summarize(inputs.exported, inputs.wrappers, inputs.table, read_reasons(options.not_wrapped))
    with open(options.output_summary, "w", encoding="utf-8") as out:
        write_summary(lines, unknown, out)
    if unknown and options.strict:
        raise TableError(lines[-1])
    with open(options.output_header, "w", encoding="utf-8") as out:
        write_header(inputs.wrappers, inputs.removed, out)
    with open(options.output_globals, "w", encoding="utf-8") as out:
        write_globals_header(inputs.global_names, out)
    with open(options.output_functions, "w", encoding="utf-8") as out:
        write_functions(inputs.wrappers, out)
    with open(options.output_source, "w", encoding="utf-8") as out:
        write_source(inputs.wrappers, inputs.templates, inputs.global_names, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    add_options(parser)
    for option in (
        "not-wrapped",
        "output-header",
        "output-globals",
        "output-functions",
        "output-source",
        "output-summary",
    ):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    try:
        generate(options)
    except TableError as error:
        sys.exit(f"generate.py: {error}")


if __name__ == "__main__":
    main()
