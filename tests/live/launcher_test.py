# SPDX-License-Identifier: BSD-3-Clause
"""The launcher of one MPI with a program of another: `run` says it once, and every verb does; no rank is said to be
gone."""
import os
import sys
import tempfile

from lib.command import Command, argument_parser
from lib.job import Job, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)


class LauncherTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.said = f"the launcher is that of {arguments.launcher_title}, but "

    def verbs(self, job, directory):
        snapshot = os.path.join(directory, "snapshot")
        for verb in (
            ["list", job.launcher],
            ["show", job.launcher],
            ["leaks", job.launcher],
            ["watch", "--count", 1, job.launcher],
            ["handle", job.launcher, "MPI_COMM_WORLD"],
            ["snapshot", "-o", snapshot, job.launcher],
            ["show", snapshot],
        ):
            result = self.command.run(*verb)
            self.check(result.diagnostics.count(self.said) == 1 and "exited" not in result.output, f"{verb}: {result}")
        for target in job.launcher, snapshot:
            result = self.command.run("why", "--json", target)
            document = result.document() or {"findings": [], "job": {}}
            self.check(
                [one["kind"] for one in document["findings"]] == ["launcher-mismatch"] and result.status == 1,
                f"why: {result}",
            )
            evidence = [one["text"] for finding in document["findings"] for one in finding["evidence"]]
            self.check(len(evidence) == 2 and all("rank 0 of 1" in text for text in evidence), f"why: {evidence}")
            self.check(self.said in (document["job"].get("launch_problem") or ""), f'why: {document["job"]}')
            self.check(not document["job"].get("ranks_unread"), f'why: {document["job"]}')

    def run(self):
        program = [self.command.path, "run", os.path.abspath(self.arguments.program)]
        with Job(self.arguments.mpiexec, 2, program) as job, tempfile.TemporaryDirectory() as directory:

            def is_running():
                document = self.command.run("list", "--json", job.launcher).document() or {}
                return [one["state"] for one in document.get("processes", [])] == ["running", "running"]

            self.check(wait_until(is_running, SECONDS), f"not two processes: {job.printed()}")
            self.check(job.printed().count(self.said) == 1, f"run: {job.printed()}")
            self.verbs(job, directory)
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--launcher-title", required=True, help="MPI of the launcher")
    parser.add_argument("program", help="of another MPI, computes until it is told to end")
    return LauncherTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
