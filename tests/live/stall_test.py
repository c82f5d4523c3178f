# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that have done their part, and a library that keeps them: why says so after the patience, not before, and names
the rank that differs; once the library lets them go on, it says nothing."""
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor

from lib.command import Command, argument_parser
from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report
from lib.source import Source

SECONDS = at_most(60)
RANKS = 4
SHORT = ("--interval", "0.2", "--patience", "0.5")
# Where control groups can be made, the file that holds back what is in one, and what is written there to do so and to let it go on.
FREEZERS = [
    (root, file, held, free)
    for root in ("/sys/fs/cgroup/freezer", "/sys/fs/cgroup", "/sys/fs/cgroup/unified")
    for file, held, free in (("freezer.state", "FROZEN", "THAWED"), ("cgroup.freeze", "1", "0"))
]
THROTTLES = [
    ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "1000", "-1"),
    ("/sys/fs/cgroup", "cpu.max", "1000 100000", "max 100000"),
]


class ControlGroup:
    """One that holds back what is in it."""

    def __init__(self, name, ways):
        self.path = None
        for self.root, self.file, self.held, self.free in ways:
            path = os.path.join(self.root, name)
            try:
                os.mkdir(path)
            except OSError:
                continue
            if os.access(os.path.join(path, self.file), os.W_OK):
                self.path = path
                return
            os.rmdir(path)

    def write(self, directory, file, text):
        with open(os.path.join(directory, file), "w") as stream:
            stream.write(text)

    def hold(self, pid):
        self.write(self.path, "cgroup.procs", str(pid))
        self.write(self.path, self.file, self.held)

    def remove(self, pid):
        self.write(self.path, self.file, self.free)
        self.write(self.root, "cgroup.procs", str(pid))
        os.rmdir(self.path)


class StallTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)

    def why(self, *arguments):
        """The only finding (None: there is none, or another number), and the whole answer."""
        result = self.command.run("why", "--json", *arguments)
        document = result.document()
        findings = document["findings"] if document is not None else []
        if document is not None and not any(one["state"] == "unreadable" for one in document["processes"]):
            self.check(result.status == (1 if findings else 0), f"status: {result}")
        return findings[0] if len(findings) == 1 else None, result

    def pids(self, result):
        return {one["rank"]: one["pid"] for one in result.document()["processes"]}

    def await_stall(self, job, culprits, *words):
        """The finding, when it says so; it is told of what it lacks otherwise."""
        last = []

        def is_there():
            last[:] = self.why(*SHORT, job.launcher)
            finding = last[0]
            return (
                finding is not None
                and finding["kind"] == "library-stall"
                and set(finding["culprits"]) == set(culprits)
                and all(word in finding["message"] for word in words)
            )

        self.check(wait_until(is_there, SECONDS, 0.2), f"{culprits}, {words}: {last[1]}")
        return last[0], last[1]

    def release(self, pids, *ranks):
        for rank in ranks:
            os.kill(pids[rank], signal.SIGUSR1)

    # --- the cases, one after the other in one job ---

    def reduction(self, job):
        line = self.source.place("reduce")[1]
        finding, result = self.await_stall(
            job, [2], "all 4 ranks are in the same MPI_Allreduce(", "call 17 on MPI_COMM_WORLD", f"stalled.c:{line}"
        )
        pids = self.pids(result)
        if finding is None:
            return pids
        evidence = [(one["ranks"], one["text"]) for one in finding["evidence"]]
        self.check(finding["confirmed"] and finding["ranks"] == [0, 1, 2, 3], f"{finding}")
        self.check(
            any(2 in ranks and "rt_sigtimedwait" in text for ranks, text in evidence), f"system call: {evidence}"
        )
        self.check(any(text.startswith("inside MPI: ") for ranks, text in evidence), f"stacks: {evidence}")
        kernel = {one["rank"]: one["kernel"] for one in result.document()["processes"]}
        self.check(all(kernel[rank] and kernel[rank]["watched_s"] > 0 for rank in range(RANKS)), f"kernel: {kernel}")
        self.check(not any(one["shared_memory_changed"] for one in kernel.values()), f"shared memory: {kernel}")
        # The same before the patience is over, out of a file, and as another host would send it.
        last = []

        def is_said():
            last[:] = [self.command.run("why", job.launcher)]
            self.check(last[0].status == 0, f"with the default patience: {last[0]}")
            return last[0].output.startswith("nothing wrong found: all 4 ranks are in the same")

        self.check(wait_until(is_said, SECONDS, 0.2), f"before the patience is over: {last[0]}")
        path = os.path.join(job.directory, "stall.mpilens")
        self.command.run("snapshot", "-o", path, job.launcher)
        saved, result = self.why("--patience", "0.1", path)
        self.check(saved is not None and saved["kind"] == "library-stall", f"snapshot: {result}")
        lines = os.path.join(job.directory, "lines")
        with open(lines, "w") as file:
            file.write(self.command.run("part", job.launcher).output)
        sent, result = self.why("--patience", "0.1", lines)
        self.check(sent is not None and sent["kind"] == "library-stall", f"part: {result}")

        def is_drawn():
            last[0] = self.command.run("why", "--dot", *SHORT, job.launcher)
            drawn = last[0].output
            return "CAUSE" in drawn and "waits, may go on" in drawn and ": goes on" not in drawn

        self.check(wait_until(is_drawn, SECONDS, 0.2), f"drawn: {last[0]}")
        return pids

    def stopped(self, job, pids):
        os.kill(pids[1], signal.SIGSTOP)
        self.await_stall(job, [1], "the program has done its part, but rank 1 is stopped by a signal")
        os.kill(pids[1], signal.SIGCONT)

    def held_back(self, what, job, pid, ways, is_told):
        """Whether that is told while the process is in a control group that holds it back."""
        group = ControlGroup(f"mpilens-{os.path.basename(job.directory)}", ways)
        if group.path is None:
            print(f"NOT TESTED: a rank that is {what}: no such control group can be written here")
            return
        group.hold(pid)
        try:
            is_told()
        finally:
            group.remove(pid)

    def frozen(self, job, pids):
        words = "the program has done its part, but rank 3 is frozen by its control group"
        self.held_back("frozen", job, pids[3], FREEZERS, lambda: self.await_stall(job, [3], words))

    def throttled(self, job, pids):
        last = []

        def is_there():
            last[:] = self.why(*SHORT, job.launcher)
            evidence = last[0]["evidence"] if last[0] is not None else []
            return any(3 in one["ranks"] and "is throttled" in one["text"] for one in evidence)

        def is_told():
            self.check(wait_until(is_there, SECONDS, 0.2), f"throttled: {last[1]}")

        self.held_back("throttled", job, pids[3], THROTTLES, is_told)

    def busy(self, job):
        """The library has let them go on."""
        for _ in range(3):
            finding, result = self.why("--interval", "0.2", "--patience", "0.1", job.launcher)
            self.check(finding is None and result.status == 0, f"of ranks that go on: {result}")

    def message(self, job):
        job.tell("message")
        words = [f"stalled.c:{self.source.place(mark)[1]}" for mark in ("send", "recv")]
        finding, _ = self.await_stall(job, [], "ranks [0,1] are in calls that fit together: ", *words)
        self.check(finding is None or finding["ranks"] == [0, 1], f"{finding}")

    def epoch(self, job):
        line = self.source.place("complete")[1]
        finding, _ = self.await_stall(
            job, [], "rank 0 is in MPI_Win_complete(", f"stalled.c:{line}", "and the other end is there"
        )
        self.check(finding is None or finding["ranks"] == [0, 1], f"{finding}")

    def exchange(self, job, pids):
        self.await_stall(
            job,
            [3],
            "all 4 ranks are in the same MPI_Alltoall(",
            "look at rank 3 first, which sleeps in the kernel",
            "cannot be interrupted",
        )
        with open(f"/proc/{pids[3]}/task/{pids[3]}/children") as children:
            for child in children.read().split():
                os.kill(int(child), signal.SIGUSR1)

    def gather(self, job):
        finding, _ = self.await_stall(job, [], "all 4 ranks are in the same MPI_Allgather(")
        self.check(finding is None or finding["ranks"] == [0, 1, 2, 3], f"{finding}")
        evidence = [one["text"] for one in finding["evidence"]] if finding is not None else []
        self.check(any("wait_as_a_tool" in text for text in evidence), f"function of the tool: {evidence}")

    def file(self, job):
        line = self.source.place("write")[1]
        finding, _ = self.await_stall(
            job, [], "all 4 ranks are in the same MPI_File_write_at_all(", f"stalled.c:{line}", "has done its part"
        )
        self.check(finding is None or finding["ranks"] == [0, 1, 2, 3], f"{finding}")

    def flush(self, job):
        line = self.source.place("flush")[1]
        words = ("rank 0 is in MPI_Win_flush_all(", f"stalled.c:{line}", "and the other end is there")
        finding, _ = self.await_stall(job, [0], *words)
        self.check(finding is None or 0 in finding["ranks"], f"{finding}")

    def unprepared(self, job):
        """Stopped and frozen processes are also told without the runtime."""
        last = []

        def is_told(culprits, *words):
            last[:] = self.why("--interval", "0.2", job.launcher)
            finding = last[0]
            return (
                finding is not None
                and finding["kind"] == "ranks-apart"
                and finding["culprits"] == culprits
                and all(word in finding["message"] + finding["remedy"] for word in words)
            )

        def are_in_reduction():
            last[:] = [self.command.run("why", "--json", "--interval", "0.2", job.launcher)]
            return "ranks [0-3] are in MPI_Allreduce at" in ((last[0].document() or {}).get("remark") or "")

        self.check(wait_until(are_in_reduction, SECONDS, 0.2), f"without the runtime: {last[0]}")
        pids = self.pids(last[0])
        os.kill(pids[1], signal.SIGSTOP)
        told = wait_until(lambda: is_told([1], f"let rank 1 go on: kill -CONT {pids[1]}"), SECONDS, 0.2)
        self.check(told, f"stopped without the runtime: {last[1]}")
        os.kill(pids[1], signal.SIGCONT)

        def is_frozen():
            told = wait_until(lambda: is_told([3], "rank 3 is frozen by its control group", "thaw it"), SECONDS, 0.2)
            self.check(told, f"frozen without the runtime: {last[1]}")

        self.held_back("frozen", job, pids[3], FREEZERS, is_frozen)

    def run(self):
        program = ["env", f"LD_PRELOAD={os.path.abspath(self.arguments.library)}", self.command.path, "run"]
        job = Job(self.arguments.mpiexec, RANKS, [*program, os.path.abspath(self.arguments.program)])
        bare = Job(self.arguments.mpiexec, RANKS, [*program[:2], os.path.abspath(self.arguments.program)])
        with job, bare, ThreadPoolExecutor(1) as pool:
            unprepared = pool.submit(self.unprepared, bare)
            pids = self.reduction(job)
            self.stopped(job, pids)
            self.frozen(job, pids)
            self.throttled(job, pids)
            self.release(pids, 2)
            self.busy(job)
            self.message(job)
            self.release(pids, 1)
            self.epoch(job)
            self.release(pids, 0)
            self.exchange(job, pids)
            self.gather(job)
            self.release(pids, *range(RANKS))
            self.file(job)
            self.release(pids, *range(RANKS))
            self.flush(job)
            self.release(pids, 0)
            self.busy(job)
            job.tell("end")
            self.check(wait_until(job.has_ended, SECONDS) and job.process.returncode == 0, "the job does not end")
            unprepared.result()
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--library", required=True, help="that keeps ranks")
    parser.add_argument("program")
    return run_test(StallTest(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
