# SPDX-License-Identifier: BSD-3-Clause
"""The programs of examples/, built outside of the tree with the commands of their README, against an installed mpilens; each must say of a job
of two ranks that wait for each other who waits for whom."""
import argparse
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from installed_test import install
from lib.command import Command
from lib.job import SKIP, Job, JobFailed, wait_until
from lib.patience import at_most
from lib.report import Report
from lib.source import Source

RANKS = 2
TAGS = 1, 2  # that rank 0 and rank 1 wait for
MARKS = "server", "client"  # of the lines where they do
SECONDS = at_most(60)
BUILD = re.compile(r"^## Build\n[\s\S]*?\n((?:    .*\n)+)", re.MULTILINE)


class ExamplesTest(Report):
    def __init__(self, arguments, directory):
        super().__init__()
        self.arguments = arguments
        self.source = Source(arguments.source)
        self.command = Command(install(arguments.build, directory))
        self.directory = os.path.join(directory, "examples")
        self.environment = dict(os.environ, PREFIX=os.path.dirname(os.path.dirname(self.command.path)))

    def place(self, rank):
        return f"{self.source.file}:{self.source.place(MARKS[rank])[1]}"

    def build(self):
        """With the commands of the README, warnings being errors."""
        shutil.copytree(self.arguments.examples, self.directory)
        with open(os.path.join(self.directory, "README.md"), encoding="utf-8") as file:
            commands = BUILD.search(file.read())[1].replace("cc -std", "cc -Wall -Wextra -Wpedantic -Werror -std")
        subprocess.run(
            ["sh", "-e", "-c", commands + '    echo "$LIBRARY" >library\n'],
            check=True,
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
        )

    def expect_lines(self, expected, line, **options):
        """All of these lines among those that the command prints."""
        result = subprocess.run(line, cwd=self.directory, capture_output=True, text=True, timeout=SECONDS, **options)
        printed = result.stdout.splitlines()
        self.check(
            result.returncode == 0 and set(expected) <= {re.sub(r"\d+\.\d s", "TIME", one) for one in printed},
            f"{line}: expected {expected}: {result}",
        )

    def debuggers(self, rank, pid):
        with open(os.path.join(self.directory, "library"), encoding="utf-8") as file:
            library = file.read().strip()
        operation = f"receive from rank {1 - rank}, tag {TAGS[rank]}"
        self.expect_lines(
            [f"rank {rank} of {RANKS}, MPI_Recv: {operation}, MPI_COMM_WORLD"], ["./extension_debugger", str(pid)]
        )
        self.expect_lines(
            [f"MPI_COMM_WORLD: rank {rank} of {RANKS}", f"{operation}, 4 bytes: pending"],
            ["./queues_debugger", library, str(pid)],
        )

    def script(self, document):
        self.expect_lines(
            [
                f"rank {rank} waits TIME in MPI_Recv at {self.place(rank)} for rank {1 - rank}, tag {TAGS[rank]} "
                "on MPI_COMM_WORLD"
                for rank in range(RANKS)
            ],
            [sys.executable, "who_waits.py"],
            input=document,
        )

    def query(self, snapshot):
        with open(os.path.join(self.directory, "longest_waits.sql"), encoding="utf-8") as file, contextlib.closing(
            sqlite3.connect(snapshot)
        ) as database:
            rows = database.execute(file.read()).fetchall()
        self.check(
            {(rank, call, site.split()[-1], source, tag) for rank, call, _since, site, source, tag in rows}
            == {(rank, "MPI_Recv", self.place(rank), 1 - rank, TAGS[rank]) for rank in range(RANKS)},
            f"rows: {rows}",
        )

    def run(self):
        self.build()
        program = os.path.abspath(self.arguments.program)
        with Job(self.arguments.mpiexec, RANKS, [self.command.path, "run", program]) as job:
            if not wait_until(lambda: self.command.run("why", "--interval", "0.1", job.launcher).status == 1, SECONDS):
                raise JobFailed("the job does not hang")
            shown = self.command.show("--json", job.launcher)
            for process in shown.document()["processes"]:
                self.debuggers(process["rank"], process["pid"])
            self.script(shown.output)
            snapshot = os.path.join(job.directory, "snapshot")
            self.command.run("snapshot", "-o", snapshot, job.launcher)
            self.query(snapshot)
        return self.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--examples", required=True, help="directory of the examples")
    parser.add_argument("--source", required=True, help="of the program, whose two ranks wait for each other")
    parser.add_argument("program")
    arguments = parser.parse_args()
    for tool in ("meson", "strip", "cc"):
        if shutil.which(tool) is None:
            print(f"SKIPPED: {tool} is not installed")
            return SKIP
    with tempfile.TemporaryDirectory(prefix="mpilens-examples-") as directory:
        return ExamplesTest(arguments, directory).run()


if __name__ == "__main__":
    sys.exit(main())
