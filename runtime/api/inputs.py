# SPDX-License-Identifier: BSD-3-Clause
"""The inputs for the wrappers of one MPI, from the options of a command."""
from prototypes import global_names, read_header, read_prototypes
from table import read_table, read_templates
from wrapper import collect


class Inputs:
    """All of it, read; `removed`: names of functions that only the header of removed ones declares."""

    def __init__(self, options):
        self.table = read_table(options.table)
        self.templates = read_templates(options.templates)
        self.exported = read_exported(options.exported)
        header = read_header(options.header)
        prototypes = read_prototypes(header)
        removed = read_prototypes(read_header(options.removed))
        self.removed = sorted(removed.keys() - prototypes.keys())
        self.global_names = global_names(header)
        self.wrappers = collect(self.table, {**removed, **prototypes}, self.templates, self.exported)


def add_options(parser):
    for option in ("table", "header", "removed", "exported"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--templates", required=True, nargs="+")


def read_exported(path):
    """The functions that a library exports, PMPI_ names among them, one a line."""
    return {line.split()[0] for line in open(path, encoding="utf-8") if line.strip()}
