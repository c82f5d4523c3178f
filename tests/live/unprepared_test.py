# SPDX-License-Identifier: BSD-3-Clause
"""A job that nobody has prepared: a program of programs/ hangs without the runtime, and what its ranks say of their calls is what
`mpilens show` and `mpilens why` tell from their stacks."""
import os
import sys
import time

from lib.command import FINDING, UNREADABLE, Command, argument_parser
from lib.compare import Comparison
from lib.head import Head
from lib.job import HANG_SECONDS, Job, run_test
from lib.length import IS_FULL
from lib.report import all_right
from lib.source import Source


def calls(expectation):
    """[(alternatives of the function, alternatives of the mark of its line)] of the threads of a rank that are in MPI."""
    return [(one["function"].split("|"), one["line"].split("|")) for one in expectation["threads"] if one["function"]]


class UnpreparedTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)
        self.head = Head(arguments.source)
        self.program = os.path.abspath(arguments.program)

    def comparison(self, job):
        return Comparison(self.source, self.program, None, job.seconds(), False, None)

    def rank_differences(self, comparison, expected, process):
        where = f"rank {expected['rank']}"
        if process is None:
            comparison.differ(where, "a process", None)
            return
        seen = [one for one in process.get("seen_threads", []) if one["function"]]
        seen.sort(key=lambda one: (one["site"] or {}).get("line") or 0)
        wanted = sorted(calls(expected), key=lambda one: self.source.place(one[1][0])[1])
        if len(seen) != len(wanted):
            comparison.differ(where, wanted, seen)
            return
        for (functions, marks), one in zip(wanted, seen):
            comparison.any_of(f"{where}.function", "|".join(functions), one["function"])
            line = (one["site"] or {}).get("line")
            mark = next((mark for mark in marks if self.source.place(mark)[1] == line), marks[0])
            comparison.site(f"{where}.site", mark, one["site"])

    def show_differences(self, job, expectations, result):
        comparison = self.comparison(job)
        document = result.document() or {}
        processes = {one["rank"]: one for one in document.get("processes", [])}
        for expected in expectations:
            self.rank_differences(comparison, expected, processes.get(expected["rank"]))
        if result.status != UNREADABLE:
            comparison.differ("exit status", UNREADABLE, result.status)
        return comparison.differences

    def why_differences(self, job, expectations, result):
        """Ranks in different calls are told apart; where all are in the same, or one that lives may still come, nothing is said
        for certain."""
        places = {tuple((calls(one) or [([], [])])[0][1]) for one in expectations}
        is_apart = len(places) > 1 and all(calls(one) for one in expectations)
        findings = (result.document() or {}).get("findings", [])
        comparison = self.comparison(job)
        comparison.equal("kinds", ["ranks-apart"] if is_apart else [], [one["kind"] for one in findings])
        comparison.equal("exit status", FINDING if is_apart else UNREADABLE, result.status)
        unknown = [one["rank"] for one in (result.document() or {}).get("processes", []) if one["kernel"] is None]
        comparison.equal("ranks of which the kernel tells nothing", [], unknown)
        for marks in (marks for marks in places if marks and findings):
            lines = [f"{self.source.file}:{self.source.place(mark)[1]} " for mark in marks]
            if not any(line in findings[0]["message"] for line in lines):
                comparison.differ("message", lines, findings[0]["message"])
        return comparison.differences

    def until_right(self, job, differences, *question):
        """Asks again: the ranks may still be on their way into the hang."""
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            result = self.command.run(*question)
            found = differences(job, job.expectations(), result)
            if not found or time.monotonic() > deadline or job.has_ended():
                return found, result

    def readings(self, job):
        """Yields (what was read, differences, result)."""
        yield ("show", *self.until_right(job, self.show_differences, "show", "--json", job.launcher))
        yield ("why", *self.until_right(job, self.why_differences, "why", "--json", job.launcher))
        if not IS_FULL:
            return
        path = os.path.join(job.directory, "job.mpilens")
        saved = self.command.run("snapshot", "-o", path, job.launcher)
        yield "saving", [] if os.path.exists(path) else ["no snapshot"], saved
        result = self.command.run("why", "--json", path)
        yield "snapshot", self.why_differences(job, job.expectations(), result), result
        cores = job.dump_cores([one["pid"] for one in job.expectations()])
        result = self.command.run("show", "--json", *cores)
        yield "core files", self.show_differences(job, job.expectations(), result), result

    def run(self):
        """True: all answers were right."""
        with Job(self.arguments.mpiexec, self.head.ranks, [self.program]) as job:
            job.wait_ready()
            return all_right(job, self.readings(job))


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--source", required=True, help="C file of the program, with a head")
    parser.add_argument("program")
    return run_test(UnpreparedTest(parser.parse_args()), needs_cores=IS_FULL)


if __name__ == "__main__":
    sys.exit(main())
