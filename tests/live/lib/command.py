# SPDX-License-Identifier: BSD-3-Clause
"""The mpilens command under test."""
import argparse
import json
import os
import subprocess

from lib import schema
from lib.patience import at_most

COMMAND_SECONDS = at_most(60)

# Its exit statuses.
GOOD, FINDING, USAGE, UNREADABLE = range(4)


def argument_parser(description):
    """With what every test of jobs is told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--mpilens", required=True, help="the command")
    parser.add_argument("--mpiexec", required=True, help="launcher of the MPI that the programs were built for")
    return parser


class Result:
    def __init__(self, arguments, completed):
        self.arguments = arguments
        self.status = completed.returncode
        self.output = completed.stdout
        self.diagnostics = completed.stderr
        self.is_checked = False

    def __str__(self):
        return (
            f'{" ".join(self.arguments)}\nstatus {self.status}\nstandard output:\n{self.output}\n'
            f"standard error:\n{self.diagnostics}"
        )

    def document(self):
        """The JSON document, which is as the schema says; None where the output is not one."""
        try:
            document = json.loads(self.output)
        except json.JSONDecodeError:
            return None
        if not self.is_checked:
            schema.check(document)
            self.is_checked = True
        return document

    def documents(self):
        """One document for each line."""
        found = [json.loads(line) for line in self.output.splitlines()]
        for document in found:
            schema.check(document)
        return found


class Command:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def run(self, *arguments, stdin=subprocess.DEVNULL, environment=None, **options):
        line = [self.path, *map(str, arguments)]
        completed = subprocess.run(
            line,
            stdin=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_SECONDS,
            env={**os.environ, **(environment or {}), "LC_ALL": "C.UTF-8"},
            **options,
        )
        return Result(line, completed)

    def show(self, *arguments, **options):
        return self.run("show", *arguments, **options)
