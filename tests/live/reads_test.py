# SPDX-License-Identifier: BSD-3-Clause
"""The command's reads of processes outside the requested job, and of all processes for a list: only their identity, less than a kilobyte
at a time, whatever they have pending. The mappings of a rank, which the kernel takes long to list, are read once. Counted in the command
by a preloaded library."""
import os
import subprocess
import sys
import time

from lib.command import Command, argument_parser
from lib.job import Job, run_test
from lib.patience import at_most
from lib.report import Report

RANKS = 2
FOREIGN_RECEIVES = 200000
RECORD_BYTES = 100  # an operation has more
IDENTITY_BYTES = 1024
# `why` looks at what runs on the host before and after the interval, and once more for what was launched beside the job.
MOST_LOOKS = 4
READY_SECONDS = at_most(60)
# For so long the command keeps mappings of a process that does not use other memory (KEPT_MAPS_S).
KEPT_SECONDS = 2
TURNS = 20


class ReadsTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def count(self, job, *arguments):
        """({pid: (bytes, lists of mappings)}, result) of a run of the command"""
        path = os.path.join(job.directory, "reads")
        environment = {"LD_PRELOAD": os.path.abspath(self.arguments.counting), "MPILENS_TEST_READS": path}
        result = self.command.run(*arguments, environment=environment)
        with open(path) as file:
            lines = [list(map(int, line.split())) for line in file]
        os.remove(path)
        return {pid: (size, lists) for pid, _, size, lists in lines}, result

    def count_bytes(self, job, *arguments):
        """({pid: bytes}, result)"""
        read, result = self.count(job, *arguments)
        return {pid: size for pid, (size, _) in read.items()}, result

    def ask_for_mappings(self, job, pids):
        """A rank that waits uses other memory now and then: then its mappings are read again."""
        for verb in ("show", "why"):
            for _ in range(TURNS):
                begun = time.monotonic()
                read, result = self.count(job, verb, job.launcher)
                most = 1 + int((time.monotonic() - begun) / KEPT_SECONDS)
                lists = [read.get(pid, (0, 0))[1] for pid in pids]
                if all(0 < count <= most for count in lists):
                    break
            self.check(all(0 < count <= most for count in lists), f"mpilens {verb}: mappings {lists} times, {result}")

    def ask(self, job, foreign, pids):
        """`foreign` and `pids`: of the process that is no part of the job, and of its ranks"""
        for status, *arguments in ((0, "show"), (0, "show", "--json"), (1, "why"), (1, "why", "--json"), (0, "list")):
            read, result = self.count_bytes(job, *arguments, job.launcher)
            what = f'mpilens {" ".join(arguments)}: {read}, {result}'
            self.check(result.status == status, what)
            self.check(0 < read.get(foreign, 0) <= MOST_LOOKS * IDENTITY_BYTES, f"of a foreign process: {what}")
            for pid in pids:
                most = MOST_LOOKS * IDENTITY_BYTES if arguments[0] == "list" else float("inf")
                self.check(0 < read.get(pid, 0) <= most, f"of a rank: {what}")
        read, result = self.count_bytes(job, "list")
        self.check(result.status == 0 and str(foreign) in result.output, f"{result}")
        listed = {pid: read.get(pid, 0) for pid in [foreign, *pids]}
        self.check(all(0 < size <= MOST_LOOKS * IDENTITY_BYTES for size in listed.values()), f"list: {read}, {result}")
        read, result = self.count_bytes(job, "show", foreign)
        self.check(
            read.get(foreign, 0) > FOREIGN_RECEIVES * RECORD_BYTES, f"it does not have what is to be left alone: {read}"
        )

    def run(self):
        prepared = [self.command.path, "run"]
        with Job(self.arguments.mpiexec, RANKS, [*prepared, os.path.abspath(self.arguments.program)]) as job:
            job.wait_ready()
            pids = [rank["pid"] for rank in job.expectations()]
            with subprocess.Popen(
                ["timeout", str(READY_SECONDS * 10), *prepared, self.arguments.foreign, str(FOREIGN_RECEIVES)],
                env=job.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as foreign:
                try:
                    self.check(foreign.stdout.readline() == "ready\n", "the foreign process does not get ready")
                    with open(f"/proc/{foreign.pid}/task/{foreign.pid}/children") as file:
                        self.ask(job, int(file.read()), pids)
                    self.ask_for_mappings(job, pids)
                finally:
                    foreign.stdin.close()
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--counting", required=True, help="the library that counts")
    parser.add_argument("--foreign", required=True, help="a program with very many receives")
    parser.add_argument("program", help="of two ranks, that hangs")
    return run_test(ReadsTest(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
