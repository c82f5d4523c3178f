# SPDX-License-Identifier: BSD-3-Clause
"""The core file of a rank that has crashed: signal, thread and stack first, then what the others waited in. One that a
debugger has made is of no crash."""
import os
import re
import resource
import shutil
import signal
import sys

from lib.command import Command, argument_parser
from lib.job import SKIP, Job, JobFailed, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
RANKS = 3
SENTENCE = re.compile(
    r"rank 1 died of SIGSEGV \(Segmentation fault\) in thread \d+: .*end_as \(rank_ends\.c:\d+\).* < main "
)
ERROR = re.compile(r"(; before that, rank 1's MPI_Send at rank_ends\.c:\d+|, which) had failed with MPI_ERR_RANK$")


class CrashTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def pids(self, job):
        """By rank, once all are running. Of those without the runtime, only that they are there is known."""
        found = []
        state = "unreadable" if self.arguments.unprepared else "running"

        def are_running():
            document = self.command.run("list", "--json", job.launcher).document() or {}
            found[:] = [one["pid"] for one in document.get("processes", []) if one["state"] == state]
            return len(found) == RANKS

        wait_until(are_running, SECONDS)
        return found

    def findings(self, *cores):
        result = self.command.run("why", "--json", *cores)
        return (result.document() or {"findings": []})["findings"], result

    def look(self, crashed, other):
        findings, result = self.findings(other)
        self.check("rank-died" not in [one["kind"] for one in findings], f"of a debugger: {result}")
        if not self.arguments.unprepared:
            absent = [(one["first"], one["last"]) for one in result.document()["job"]["ranks_absent"]]
            self.check(result.status == 3 and absent == [(1, 2)], f"not all ranks are there: {result}")
        findings, result = self.findings(crashed)
        first = findings[0] if findings else {"kind": "", "message": "", "culprits": []}
        self.check(
            result.status == 1
            and first["kind"] == "rank-died"
            and first["culprits"] == [1]
            and SENTENCE.match(first["message"]),
            f"why: {result}",
        )
        self.check(self.arguments.unprepared or ERROR.search(first["message"]), f"the call that has failed: {result}")
        shown = self.command.show(crashed)
        self.check(
            SENTENCE.match(shown.output.partition("rank-died: ")[2]) and shown.output.startswith("rank-died: "),
            f"show: {shown}",
        )
        result = self.command.run("show", "--json", crashed)
        crash = (result.document() or {"processes": [{}]})["processes"][0].get("crash")
        self.check(
            crash is not None
            and crash["signal"] == "SIGSEGV (Segmentation fault)"
            and crash["number"] == signal.SIGSEGV
            and f'in thread {crash["thread"]}:' in first["message"],
            f"show --json: {crash}, {result}",
        )
        result = self.command.run("show", "--json", other)
        self.check(
            (result.document() or {"processes": [{}]})["processes"][0].get("crash", "") is None,
            f"of a debugger: {result}",
        )
        findings, result = self.findings(other, crashed)
        evidence = [(one["rank"], one["text"]) for one in findings[0]["evidence"]] if findings else []
        self.check(any(rank == 0 and text.startswith("in MPI_") for rank, text in evidence), f"the other: {result}")

    def look_at_parts(self, crashed, other):
        """Snapshots keep the crash, as two hosts send them."""
        parts = [f"{core}.mpilens" for core in (crashed, other)]
        for core, part in zip((crashed, other), parts):
            self.command.run("snapshot", "-o", part, core)
        findings, result = self.findings(*parts)
        first = findings[0] if findings else {"kind": "", "message": "", "culprits": []}
        told = (first["kind"], first["culprits"], bool(SENTENCE.match(first["message"])))
        self.check(told == ("rank-died", [1], True), f"parts: {result}")

    def look_at_boxes(self):
        """The black boxes of the same job: the core file is found from here."""
        findings, result = self.findings("boxes")
        first = findings[0] if findings else {"kind": "", "message": "", "culprits": []}
        told = (first["kind"], first["culprits"], bool(SENTENCE.match(first["message"])))
        self.check(told == ("rank-died", [1], True), f"black boxes: {result}")
        self.check((first.get("remedy") or "").startswith("look into its core file: "), f"black boxes: {result}")

    def look_without_boxes(self, crashed, other):
        """The core files tell why they lack what was in the black boxes, and what their stacks say."""
        shutil.rmtree("boxes")
        result = self.command.run("why", other)
        self.check("its tables were in black boxes, which are gone" in result.output, f"without boxes: {result}")
        self.check("job: ended" not in result.output and "apart from its runtime" not in result.output, f"{result}")
        findings, result = self.findings(crashed)
        self.check([one["kind"] for one in findings[:1]] == ["rank-died"], f"without boxes: {result}")

    def run(self):
        program = [os.path.abspath(self.arguments.program), "segv", "error"]
        if not self.arguments.unprepared:
            program = [self.command.path, "run", "--keep", "boxes", *program]
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        before = os.getcwd()
        job = Job(self.arguments.mpiexec, RANKS, program)
        os.chdir(job.directory)
        with job:
            pids = self.pids(job)
            if len(pids) < RANKS:
                raise JobFailed(f"not all ranks run:\n{job.printed()}")
            other = job.dump_cores(pids[:1])[0]
            job.tell("end")
            self.check(wait_until(job.has_ended, SECONDS), "the job does not end")
            crashed = [
                name
                for name in os.listdir(job.directory)
                if name.startswith("core") and name != os.path.basename(other)
            ]
            if not crashed:
                print("SKIPPED: this system writes no core files into the directory of the program")
                sys.exit(SKIP)
            self.look(os.path.join(job.directory, crashed[0]), other)
            if not self.arguments.unprepared:
                self.look_at_parts(os.path.join(job.directory, crashed[0]), other)
                self.look_at_boxes()
                self.look_without_boxes(os.path.join(job.directory, crashed[0]), other)
            os.chdir(before)
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--unprepared", action="store_true", help="without the runtime")
    parser.add_argument("program", help="rank_ends")
    return run_test(CrashTest(parser.parse_args()), needs_cores=True)


if __name__ == "__main__":
    sys.exit(main())
