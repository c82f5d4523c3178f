# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens sweep`: of several jobs of a host the stuck ones, and nothing of the others. Other jobs of the host do not matter."""
import contextlib
import sys

from lib.command import argument_parser
from lib.job import JobTest, wait_until
from lib.patience import at_most

SECONDS = at_most(60)
RANKS = 2


class SweepTest(JobTest):
    def sweep(self, *options):
        return self.command.run("sweep", "--since", 1, "--limit", SECONDS, *options)

    def states(self, jobs):
        """States of these jobs, by their launchers."""
        document = self.sweep("--json").document()
        found = {job["pid"]: job for job in document["jobs"]} if document is not None else {}
        return [found.get(job.launcher, {}).get("state") for job in jobs]

    def several(self):
        with contextlib.ExitStack() as stack:
            stuck = [stack.enter_context(self.job(self.arguments.hang)) for _ in range(2)]
            healthy = stack.enter_context(self.job(self.arguments.computing))
            unprepared = stack.enter_context(self.job(self.arguments.hang, prepared=False))
            jobs = [*stuck, healthy, unprepared]
            expected = ["stuck", "stuck", "good", "unknown"]
            last = None

            def is_so():
                nonlocal last
                last = self.states(jobs)
                return last == expected

            self.check(wait_until(is_so, SECONDS), f"{last}")
            text = self.sweep()
            lines = {int(line.split()[1].rstrip(",")): line for line in text.output.splitlines()}
            self.check(text.status == 1, f"{text}")
            for job in stuck:
                line = lines.get(job.launcher, "")
                self.check(
                    f"{RANKS} ranks of " in line and "deadlock: ranks [0,1] wait for each other" in line, f"{text}"
                )
            self.check(healthy.launcher not in lines and unprepared.launcher not in lines, f"{text}")
            later = self.sweep("--since", "1h")
            self.check(not any(f"pid {job.launcher}," in later.output for job in stuck), f"{later}")

    def run(self):
        self.several()
        named = self.command.run("sweep", "4711")
        self.check(named.status == 2 and "all jobs of this host" in named.diagnostics, f"{named}")
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--hang", required=True, help="both ranks wait for messages")
    parser.add_argument("--computing", required=True, help="computes until it is told to end")
    return SweepTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
