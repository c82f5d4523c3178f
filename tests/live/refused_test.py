# SPDX-License-Identifier: BSD-3-Clause
"""Calls that MPI refuses on one rank leave no trace: there is one for every template that keeps counts, ids or orders, and a job makes
them all."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from lib.patience import at_most

SECONDS = at_most(60)
# They keep objects only, or what an object is like.
WITHOUT_COUNTS = re.compile(
    r"abort|attribute_\w+|buffer_(attach|detach|call|flush)\w*|call|communicator_(call|info|name|parent)|datatype\w*|"
    r"errhandler\w*|file_(call|get_view|info)|finalize|group\w*|info\w*|init\w*|keyval\w*|op|op_free|session\w*|"
    r"window_(call|info|name)"
)


def called_functions(path):
    """Names of what the table calls, in all forms."""
    text = open(path, encoding="utf-8").read()
    names = set(re.findall(r"^REFUSED\((\w+)", text, re.M))
    for blocking, nonblocking in re.findall(r"^COLLECTIVE\((\w+), (\w+)", text, re.M):
        names |= {f"MPI_{blocking}", f"MPI_{nonblocking}", f"MPI_{blocking}_init"}
    return names


def templates_left_out(function_table, templates, calls):
    """And the collective functions."""
    sys.path.insert(0, os.path.dirname(function_table))
    from table import read_table, read_templates  # pylint: disable=import-outside-toplevel

    called = called_functions(calls)
    rows = [row for row in read_table(function_table) if row.template in read_templates(templates)]
    covered = {row.template for row in rows if row.name in called}
    left_out = {row.template for row in rows if not WITHOUT_COUNTS.fullmatch(row.template)} - covered
    left_out |= {
        row.name
        for row in rows
        if row.template.startswith("collective") and row.name.startswith("MPI_") and row.name not in called
    }
    return sorted(left_out)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True, help="the command")
    parser.add_argument("--mpiexec", required=True, help="launcher of the MPI that the program was built for")
    parser.add_argument("--table", required=True, help="functions.tsv")
    parser.add_argument("--templates", required=True, nargs="+")
    parser.add_argument("--calls", required=True, help="what the program calls")
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    left_out = templates_left_out(arguments.table, arguments.templates, arguments.calls)
    if left_out:
        print("no call that is refused for", *left_out)
        return 1
    with tempfile.TemporaryDirectory(prefix="mpilens-refused-") as directory:
        done = subprocess.run(
            [
                arguments.mpiexec,
                "-n",
                "2",
                os.path.abspath(arguments.mpilens),
                "run",
                os.path.abspath(arguments.program),
                os.path.join(directory, "file"),
            ],
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
