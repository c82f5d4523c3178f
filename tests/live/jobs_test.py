# SPDX-License-Identifier: BSD-3-Clause
"""Several jobs at once are kept apart, whatever names them; a job is found when its launcher is gone."""
import argparse
import os
import re
import signal
import sys
import time

from lib.command import USAGE, Command
from lib.job import Job
from lib.patience import at_most

STATE_SECONDS = at_most(20)


def parent_of(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("PPid:"))


def state_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return None


def wait_until(what, is_so):
    deadline = time.monotonic() + STATE_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what}: not within {STATE_SECONDS} s")


class JobsTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.failures = 0

    def judge(self, what, wrong, result):
        print(f'{what}: {"WRONG" if wrong else "right"}', flush=True)
        if wrong:
            self.failures += 1
            print("\n".join(wrong), result, sep="\n")

    def start(self):
        return Job(self.arguments.mpiexec, 2, [self.command.path, "run", os.path.abspath(self.arguments.program)])

    def shown(self, what, target, pids):
        """The identity of the job that `target` is of; it must have these processes, all of which were read."""
        result = self.command.show("--json", target)
        document = result.document() or {"job": {}, "processes": []}
        found = [process["pid"] for process in document["processes"]]
        wrong = [] if found == pids else [f"processes {found} instead of {pids}"]
        if result.status != 0 or document["job"].get("ranks_unread"):
            wrong.append(f'status {result.status}, not read: {document["job"].get("ranks_unread")}')
        identity = document["job"].get("identity")
        if not identity:
            wrong.append("no identity")
        self.judge(what, wrong, result)
        return identity

    def of_two(self, one, other):
        identities = []
        for job in (one, other):
            pids = [rank["pid"] for rank in job.expectations()]
            of_job = {
                self.shown(f"{what} of a job beside another", target, pids)
                for what, target in (("launcher", job.launcher), ("first rank", pids[0]), ("last rank", pids[1]))
            }
            self.judge("one identity", [] if len(of_job) == 1 else [str(of_job)], "")
            identities += of_job
        self.judge("identities of two jobs", [] if len(set(identities)) == 2 else [str(identities)], "")
        for job in one, other:
            offered = self.command.run("complete", "why", str(job.launcher))
            right = f"{job.launcher}\t{os.path.basename(self.arguments.program)}, 2 ranks here\n" in offered.output
            self.judge("completion of a PID", [] if right else ["not offered"], offered)
            self.complete_ranks(job)
        mixed = self.command.show(one.expectations()[0]["pid"], other.expectations()[1]["pid"])
        self.judge("ranks of two jobs", [] if mixed.status == USAGE and mixed.diagnostics else ["not refused"], mixed)
        none = self.command.show()
        # There may be others on this host.
        named = " more that " in none.diagnostics or all(
            re.search(rf"^ *{job.launcher} +2 ", none.diagnostics, re.M) for job in (one, other)
        )
        self.judge("no target", [] if none.status == USAGE and named else ["not both have a line"], none)

    def complete_ranks(self, job):
        offered = self.command.run("complete", "why", str(job.launcher), "--rank=0,")
        right = f'--rank=0,1\tprocess {job.expectations()[1]["pid"]}\n' in offered.output
        self.judge("completion of ranks", [] if right else ["not offered"], offered)

    def without_launcher(self, job, other):
        """Each of the ranks that outlive their launcher stands for all of them."""
        pids = [rank["pid"] for rank in job.expectations()]
        before = self.shown("before the launcher is gone", pids[0], pids)
        above = parent_of(pids[0])
        if above == job.launcher:
            print("SKIPPED: ranks of this MPI end with their launcher")
            return
        os.kill(above, signal.SIGSTOP)  # else it ends them
        wait_until("the proxy stops", lambda: state_of(above) == "T")
        os.kill(job.launcher, signal.SIGKILL)
        job.process.wait()
        os.kill(above, signal.SIGKILL)
        wait_until("the ranks are left", lambda: above not in {parent_of(pid) for pid in pids})
        for pid in pids:
            after = self.shown("launcher killed, one rank named", pid, pids)
            self.judge("the same job", [] if after == before else [f"{after} instead of {before}"], "")
        self.complete_ranks(other)
        mixed = self.command.show(pids[0], other.expectations()[1]["pid"])
        self.judge(
            "ranks of two jobs, one without a launcher",
            [] if mixed.status == USAGE and mixed.diagnostics else ["not refused"],
            mixed,
        )

    def run(self):
        with self.start() as one, self.start() as other:
            one.wait_ready()
            other.wait_ready()
            self.of_two(one, other)
            self.without_launcher(one, other)
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("program", help="a hanging program of two ranks")
    return JobsTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
