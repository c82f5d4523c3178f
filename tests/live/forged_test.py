# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots of a real job, changed to do harm: every verb answers soon and in little memory, with a job or with a reason."""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from lib.command import Command, argument_parser
from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

RANKS = 2
SECONDS, MEGABYTES = at_most(2), 50
START_SECONDS = at_most(60)
VERBS = ["why"], ["show", "--json"], ["leaks"]
ENDINGS = 0, 1, 2, 3
NUMBERS = "WITH RECURSIVE number(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM number WHERE n < {last}) "
# The contents of the second snapshot; the first stays as it was.
FORGED = {
    "the same rank twice": "",
    "billions of ranks": "UPDATE process SET size = 2147483647; UPDATE job SET size = 2147483647",
    "many ranks": "UPDATE process SET size = 16777216; UPDATE job SET size = 16777216",
    "the last of billions": "UPDATE process SET rank = 2147483646, size = 2147483647",
    "another job": "UPDATE job SET identity = (SELECT row FROM text LIMIT 1)",
    "processes in few bytes": NUMBERS.format(first="(SELECT max(row) + 1 FROM process)", last=100000)
    + "INSERT INTO process (row, job) SELECT n, 1 FROM number",
    "ranges in few bytes": NUMBERS.format(first="(SELECT max(row) + 1 FROM group_range)", last=1000000)
    + "INSERT INTO group_range SELECT n, (SELECT max(row) FROM communicator_group), 1, 1, 1 FROM number",
    "a range of all": "UPDATE group_range SET count = 16777216",
    "a size without end": "UPDATE communicator SET size = 2147483647",
    "ages without end": "UPDATE thread SET age_s = 1e300",
    "numbers without end": "UPDATE receive SET bytes = 9223372036854775807, count = 9223372036854775807",
}


class ForgedTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def save(self):
        """A job of which nothing is missing."""
        original = os.path.join(self.directory, "original")
        with Job(
            self.arguments.mpiexec, RANKS, [self.command.path, "run", os.path.abspath(self.arguments.program)]
        ) as job:

            def is_whole():
                result = self.command.run("snapshot", "--output", original, job.launcher)
                return result.status == 0 and self.command.run("why", original).status == 1

            self.check(wait_until(is_whole, START_SECONDS, 0.2), "no snapshot with a finding")
        return original

    def ask(self, what, *arguments):
        started = time.monotonic()
        with subprocess.Popen(
            [self.command.path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as process:
            said = process.stderr.read().decode(errors="replace")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        spent = usage.ru_utime + usage.ru_stime
        print(
            f"{what}, {arguments[0]}: {process.returncode}, {spent:.2f} s, {usage.ru_maxrss >> 10} MB, {said.strip()[:150]}"
        )
        self.check(process.returncode in ENDINGS, f"{what}, {arguments}: status {process.returncode}: {said}")
        self.check(spent <= SECONDS, f"{what}, {arguments}: {spent:.1f} s of a processor")
        self.check(usage.ru_maxrss <= MEGABYTES << 10, f"{what}, {arguments}: {usage.ru_maxrss >> 10} MB")
        self.check(time.monotonic() - started <= at_most(60), f"{what}, {arguments}: waits")

    def run(self):
        with tempfile.TemporaryDirectory(prefix="mpilens-forged-") as self.directory:
            original = self.save()
            if self.problems:
                return self.end() == 0
            for what, change in FORGED.items():
                forged = os.path.join(self.directory, "forged")
                shutil.copy(original, forged)
                with sqlite3.connect(forged) as database:
                    database.executescript(change)
                database.close()
                for verb in VERBS:
                    self.ask(what, *verb, forged)
                    self.ask(f"{what}, beside another", *verb, original, forged)
        return self.end() == 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("program")
    return run_test(ForgedTest(parser.parse_args()))


sys.exit(main())
