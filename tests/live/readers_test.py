# SPDX-License-Identifier: BSD-3-Clause
"""Many commands that read one job at the same time, and, where they are not too many, stop its ranks in turn: all say the
same, and leave no rank stopped or traced."""
import concurrent.futures
import os
import re
import sys

from lib.command import Command, argument_parser
from lib.job import Job, processes_with, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

RANKS = 2
SECONDS = at_most(60)
# Each of them stops each rank several times.
MOST_IN_TURN = 20
# Facts that differ with the moment: ages, and numbers of sightings.
NUMBERS = re.compile(r"\d+(\.\d+)?")


class ReadersTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def ask(self, job, *options):
        with concurrent.futures.ThreadPoolExecutor(self.arguments.readers) as pool:
            asked = [
                pool.submit(self.command.run, "why", *options, job.launcher) for _ in range(self.arguments.readers)
            ]
            results = [one.result() for one in asked]
        answers = {(one.status, NUMBERS.sub("N", one.output), one.diagnostics): one for one in results}
        self.check(len(answers) == 1, "\n".join(map(str, answers.values())))
        self.check(results[0].status == 1, f"{results[0]}")

    def check_free(self, job):
        for pid in processes_with(job.variable):
            with open(f"/proc/{pid}/status") as file:
                status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
            self.check(status["TracerPid"] == "0" and status["State"][0] not in "Tt", f"{pid}: {status}")

    def run(self):
        with Job(
            self.arguments.mpiexec, RANKS, [self.command.path, "run", os.path.abspath(self.arguments.program)]
        ) as job:
            hangs = wait_until(lambda: self.command.run("why", job.launcher).status == 1, SECONDS)
            self.check(hangs, "it does not hang")
            for options in [[], ["--stop"]] if self.arguments.readers <= MOST_IN_TURN else [[]]:
                self.ask(job, *options)
                self.check_free(job)
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--readers", required=True, type=int, help="how many at a time")
    parser.add_argument("program", help="both ranks wait for messages")
    return run_test(ReadersTest(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
