# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens gdb` of a job of two ranks that hang: gdb really attaches to both, in the call of MPI, and the job hangs on when it quits; the
same of their core files. Of a snapshot, of black boxes, without gdb and of a rank that is not there it says why not."""
import os
import shlex
import shutil
import sys
import tempfile

from lib.command import UNREADABLE, USAGE, Command, argument_parser
from lib.job import SKIP, Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
RANKS = 2
FUNCTIONS = ("serve", "ask")  # of the ranks, that call MPI
QUIET = {"HOME": "/nonexistent", "DEBUGINFOD_URLS": ""}
SESSION = "info inferiors\nbacktrace 3\ninferior 2\nmpi frame\n"


class GdbVerbTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def gdb(self, *words, session="", environment=None):
        read, write = os.pipe()
        os.write(write, session.encode())
        os.close(write)
        try:
            return self.command.run("gdb", *words, stdin=read, environment=environment or QUIET)
        finally:
            os.close(read)

    def pids(self, job):
        """The PIDs of the ranks once all hang; None: they do not."""
        document = self.command.show("--json", job.launcher).document()
        processes = document["processes"] if document else []
        calls = [thread["call"] and thread["call"]["function"] for one in processes for thread in one["threads"][:1]]
        return [one["pid"] for one in processes] if calls == RANKS * ["MPI_Recv"] else None

    def refuses(self, status, reason, *words, environment=None):
        result = self.gdb(*words, environment=environment)
        self.check(
            result.status == status and reason in result.diagnostics and not result.output, f"{reason}: {result}"
        )

    def session(self, targets, expected):
        """A gdb with both ranks, the first one selected where it has called MPI."""
        result = self.gdb("0,1", *targets, session=SESSION)
        self.check(result.status == 0, f"{result}")
        for text in (*expected, *(f"  {name} (" for name in FUNCTIONS)):
            self.check(text in result.output.replace(" in ", "  "), f"{text} of {result}")
        listed = [line for line in result.output.splitlines() if line.startswith(("* 1 ", "  2 "))]
        self.check(len(listed) == RANKS, f"inferior 1 is selected: {result}")

    def printed(self, job, pids):
        result = self.gdb("--print", 1, job.launcher)
        words = shlex.split(result.output)
        self.check(result.status == 0 and words[:1] == ["gdb"], f"{result}")
        self.check(f"with pagination off -- attach {pids[1]}" in words, f"{result}")
        self.check(not any(f"attach {pids[0]}" in word for word in words), f"{result}")
        self.check(words[-1] == "mpi frame", f"{result}")

    def wrong(self, job, cores):
        self.refuses(UNREADABLE, "the job has no rank 7; it has 2 ranks", "0,7", job.launcher)
        self.refuses(USAGE, "name a rank")
        self.refuses(USAGE, "'x' is no rank", "x", job.launcher)
        self.refuses(UNREADABLE, "install the package gdb", 1, job.launcher, environment={"PATH": job.directory})
        snapshot = os.path.join(job.directory, "hang.mpilens")
        self.command.run("snapshot", "-o", snapshot, job.launcher)
        self.refuses(UNREADABLE, f"'mpilens show --rank 1 {snapshot}'", 1, snapshot)
        self.refuses(UNREADABLE, "in none of the files that were named", 0, cores[1])

    def run(self):
        with tempfile.TemporaryDirectory(prefix="mpilens-gdb-") as boxes:
            self.job(boxes)
            self.refuses(UNREADABLE, f"a black box has no registers: 'mpilens show --rank 1 {boxes}'", 1, boxes)
        return not self.end()

    def job(self, boxes):
        line = [self.command.path, "run", "--keep", boxes, os.path.abspath(self.arguments.program)]
        with Job(self.arguments.mpiexec, RANKS, line) as job:
            self.check(wait_until(lambda: self.pids(job), SECONDS, pause=0.2), f"they hang: {job.printed()}")
            pids = self.pids(job)
            self.printed(job, pids)
            self.session([job.launcher], [f"process {pid} " for pid in pids])
            self.check(self.pids(job) == pids, "they hang on")
            why = self.command.run("why", job.launcher)
            self.check(why.status == 1 and "deadlock" in why.output, f"{why}")
            self.check(f": mpilens gdb 1 {job.launcher}\n" in why.output, f"{why}")
            cores = job.dump_cores(pids)
            self.session(cores, [])
            self.wrong(job, cores)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("program", help="of recv_recv.c")
    arguments = parser.parse_args()
    if shutil.which("gdb") is None:
        print("SKIPPED: gdb is not installed")
        return SKIP
    return run_test(GdbVerbTest(arguments))


if __name__ == "__main__":
    sys.exit(main())
