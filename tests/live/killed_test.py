# SPDX-License-Identifier: BSD-3-Clause
"""A program of verdicts/ under `mpilens run --keep`, all of whose ranks are killed where it hangs: `mpilens why` of the
directory of black boxes must say then what it has said of the living job."""
import os
import signal
import sys
import tempfile

from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import all_right
from why_test import WhyTest, parse_arguments

END_SECONDS = at_most(20)
# Differences allowed: the next step with a process, and ages, which are unknown for the dead.
COMPARED = ("kind", "message", "remedies", "ranks", "culprits")


class KilledTest(WhyTest):
    def __init__(self, arguments, directory):
        super().__init__(arguments)
        self.directory = directory

    def job(self):
        return Job(
            self.arguments.mpiexec,
            self.expected.ranks,
            [self.command.path, "run", "--keep", self.directory, os.path.abspath(self.arguments.program)],
            self.expected.options_of_launcher(self.arguments.flavour),
        )

    def boxes(self):
        return [os.path.join(self.directory, name) for name in os.listdir(self.directory)]

    def kill(self, job):
        pids = self.pids(job)
        for pid in [job.launcher, *pids]:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: all(self.has_ended(pid) for pid in pids), END_SECONDS)

    @staticmethod
    def has_ended(pid):
        try:
            with open(f"/proc/{pid}/stat") as file:
                return file.read().rpartition(")")[2].split()[0] in "ZX"
        except OSError:
            return True

    def compare(self, live, dead):
        before = [{name: one.get(name) for name in COMPARED} for one in live.document()["findings"]]
        after = [{name: one.get(name) for name in COMPARED} for one in (dead.document() or {}).get("findings", [])]
        return [] if before == after else [f"{after} instead of {before}"]

    def readings(self, job):
        wrong, live = self.first_verdict(job)
        yield "live", wrong, live
        of_directory = self.why("--json", self.directory)
        yield "by the directory, live", self.compare(live, of_directory), of_directory
        self.kill(job)
        modes = [os.stat(box).st_mode & 0o777 for box in self.boxes()]
        private = [] if modes == [0o600] * self.expected.ranks else [f"modes {modes}"]
        dead = self.why("--json", self.directory)
        yield "killed", private + self.differences(dead) + self.compare(live, dead), dead
        text = self.why(self.directory)
        yield "as text", [one for one in ("no next step",) if ", dead: mpilens show " not in text.output], text

    def run(self):
        with self.job() as job:
            return all_right(job, self.readings(job))


def main():
    with tempfile.TemporaryDirectory(prefix="mpilens-boxes-") as directory:
        return run_test(KilledTest(parse_arguments(), directory))


if __name__ == "__main__":
    sys.exit(main())
