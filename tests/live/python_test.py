# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that run Python, one of which raises, one loops and one waits: `show --stack` and `why` tell which, with the lines of Python,
with the runtime and without it, of processes, a snapshot and core files."""
import os
import re
import sys

from lib.command import Command, argument_parser
from lib.job import SKIP, Job, run_test, wait_until
from lib.patience import at_most
from lib.python_mpi import environment_of, has_mpi4py
from lib.report import Report
from lib.source import Source

SECONDS = at_most(40)
RANKS = 5
RAISES, LOOPS, WAITS = 1, 2, 3
END = "after an uncaught exception has ended its Python program"
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python", "one_of_each.py")


class PythonTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(SOURCE)

    def line(self, mark):
        return f"one_of_each.py:{self.source.place(mark)[1]}"

    def tree_patterns(self):
        """Checks the lines that `show --stack` prints."""
        loop = "|".join(re.escape(self.line(mark)) for mark in ("while", "loop"))
        return (
            rf"loops \((?:{loop})\)",
            rf"waits \({re.escape(self.line('wait'))}\)",
            rf"main \({re.escape(self.line('barrier'))}\) +2 ranks \[0,4\]",
            rf"rank {RAISES} +{END}",
            rf"rank {RAISES} +MPI_Finalize\(",
        )

    def shows(self, what, *target):
        last = []

        def is_shown():
            last[:] = [self.command.show("--stack", *target)]
            return all(re.search(pattern, last[0].output) for pattern in self.tree_patterns())

        self.check(wait_until(is_shown, SECONDS, 0.2), f"{what}: {last[0]}")

    def says(self, what, patterns, *arguments):
        """The output of `why`, in findings or a remark."""
        last = []

        def is_said():
            last[:] = [self.command.run("why", "--json", *arguments)]
            document = last[0].document() or {}
            texts = [document.get("remark") or ""]
            for one in document.get("findings", []):
                texts += [one["message"], one["remedy"] or "", *(line["text"] for line in one["evidence"])]
            return all(re.search(pattern, "\n".join(texts)) for pattern in patterns)

        self.check(wait_until(is_said, SECONDS, 0.2), f"{what}: {last[0]}")

    def why_patterns(self, is_prepared):
        at_barrier = re.escape(self.line("barrier"))
        if is_prepared:
            return (
                rf"ranks \[0,4\] wait in MPI_Barrier\(.* at {at_barrier} for ranks \[{RAISES},{WAITS}\]",
                f"fix the cause of rank {RAISES}'s failure",
                END,
            )
        return (
            rf"rank {RAISES} is in MPI_Finalize {END}",
            rf"rank {LOOPS} is not in MPI: computing at one_of_each\.py:\d+ loops",
            rf"rank {WAITS} is in MPI_Recv(_c)? at {re.escape(self.line('wait'))} waits",
            rf"ranks \[0,4\] are in MPI_Barrier at {at_barrier} main",
        )

    def ask(self, is_prepared):
        what = "with the runtime" if is_prepared else "without the runtime"
        run = [self.command.path, "run"] if is_prepared else []
        program = [*run, self.arguments.python, SOURCE]
        with Job(self.arguments.mpiexec, RANKS, program, environment=environment_of(self.arguments.python_path)) as job:
            self.shows(what, job.launcher)
            self.says(what, self.why_patterns(is_prepared), job.launcher)
            path = os.path.join(job.directory, "job.mpilens")
            self.command.run("snapshot", "-o", path, job.launcher)
            self.shows(f"{what}, snapshot", path)
            self.says(f"{what}, snapshot", self.why_patterns(is_prepared), path)
            pids = [one["pid"] for one in self.command.show("--json", path).document()["processes"]]
            self.shows(f"{what}, core files", *job.dump_cores(pids))

    def run(self):
        for is_prepared in (True, False):
            self.ask(is_prepared)
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--python", required=True)
    parser.add_argument("--python-path", default="", help="where it finds mpi4py; empty: where it looks by itself")
    parser.add_argument("--library", required=True, help="name of the MPI in MPI_Get_library_version")
    arguments = parser.parse_args()
    if not has_mpi4py(arguments.python, arguments.python_path, arguments.library):
        print(f"SKIPPED: {arguments.python} has no mpi4py for {arguments.library}")
        return SKIP
    return run_test(PythonTest(arguments), needs_cores=True)


if __name__ == "__main__":
    sys.exit(main())
