# SPDX-License-Identifier: BSD-3-Clause
"""The call stacks of programs/stacks.c: as a tree and as JSON, of processes, of core files and of a snapshot; of a rank that has not called
MPI; of a stripped program whose debug information a server has. The ranks run on afterwards."""
import ctypes
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from lib.command import Command, argument_parser
from lib.job import HANG_SECONDS, Job, wait_until
from lib.report import Report
from lib.source import Source

BUILD_ID = re.compile(r"Build ID: ([0-9a-f]+)")
RANKS = 6
COMPUTING = 3
CALL = "MPI_Allreduce"


def node(text, ranks):
    """A line of the tree, with its ranks."""
    return rf"[|`├└│─ -]*{re.escape(text)} +{re.escape(ranks)}"


class FileHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def can_ask_servers():
    try:
        ctypes.CDLL("libdebuginfod.so.1")
    except OSError:
        return False
    return True


class StackTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)

    def place(self, mark):
        function, line = self.source.place(mark)
        return f"{function} ({self.source.file}:{line})"

    def job(self, *words, program=None):
        program = program or os.path.abspath(self.arguments.program)
        return Job(self.arguments.mpiexec, RANKS, [self.command.path, "run", program, *words])

    @staticmethod
    def missing(text, patterns):
        return [pattern for pattern in patterns if re.search(rf"^{pattern} *$", text, re.MULTILINE) is None]

    def has(self, what, text, *patterns):
        for pattern in self.missing(text, patterns):
            self.check(False, f"{what}: {pattern} is not in\n{text}")

    def shows(self, what, patterns, *target, **options):
        """Reads again: a rank that spins may be where it cannot be unwound."""
        texts = []

        def is_shown():
            texts.append(self.command.show("--stack", *target, **options).output)
            return not self.missing(texts[-1], patterns)

        wait_until(is_shown, HANG_SECONDS, 0.2)
        self.has(what, texts[-1], *patterns)

    def tree(self):
        return [
            node(self.place("solving"), "4 ranks [0-2,5]"),
            node(self.place("telling"), "rank 4"),
            node(self.place("computing"), "rank 3"),
            node(self.place("work"), "rank 5"),
            *(rf"[|`├└│─ -]*{re.escape(self.place(mark))}" for mark in ("solve", "residual", "sum", "statistics")),
            rf"[|`├└│─ -]*{CALL} \(MPI library\)",
        ]

    def check_verdict(self, job):
        why = ["why", "--interval", "0.2", "--patience", "0.1"]
        ways = {"s [0-2,5]": ("sum", "residual", "solve", "solving"), " 4": ("sum", "statistics", "telling")}
        lines = [
            re.escape(f"  stack of rank{ranks}: " + " < ".join(self.place(mark) for mark in marks))
            for ranks, marks in ways.items()
        ]
        texts = []

        def tells_ways():
            texts.append(self.command.run(*why, job.launcher).output)
            return not self.missing(texts[-1], lines)

        wait_until(tells_ways, HANG_SECONDS)
        self.has("why", texts[-1], *lines)
        without = self.command.run(*why, "--no-stack", job.launcher).output
        self.check("stack of" not in without and "waiting-for-rank" in without, f"--no-stack:\n{without}")
        document = self.command.run(*why, "--json", job.launcher).document()
        threads = document["processes"][COMPUTING]["threads"]
        functions = [line["function"] for line in threads[0]["stack"]]
        self.check(functions == ["compute", "main"], f"JSON: {threads}")

    def check_late(self):
        with self.job("late") as job:
            self.shows(
                "a late rank",
                [node(self.place("late"), "rank 1"), node(self.place("init"), "5 ranks [0,2-5]")],
                job.launcher,
            )

    def strip(self, directory):
        """A stripped copy of the program in a directory, which is a server's: its debug information is there by build id."""
        program = os.path.join(directory, "program")
        shutil.copy(self.arguments.program, program)
        notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
        files = os.path.join(directory, "buildid", BUILD_ID.search(notes).group(1))
        os.makedirs(files)
        subprocess.run(["objcopy", "--only-keep-debug", program, os.path.join(files, "debuginfo")], check=True)
        subprocess.run(["strip", program], check=True)
        return program

    def check_server(self):
        with tempfile.TemporaryDirectory(prefix="mpilens-server-") as directory:
            program = self.strip(directory)
            handler = functools.partial(FileHandler, directory=directory)
            with self.job(program=program) as job, http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
                thread = threading.Thread(target=server.serve_forever)
                thread.start()
                environment = {
                    "DEBUGINFOD_URLS": f"http://127.0.0.1:{server.server_address[1]}",
                    "DEBUGINFOD_CACHE_PATH": os.path.join(directory, "cache"),
                }
                self.shows("a server has the lines", self.tree(), job.launcher, environment=environment)
                server.shutdown()
                thread.join()

    def check_saved(self, job):
        """As it was read at one moment, which may not be the best for each rank."""
        saved = os.path.join(job.directory, "saved.mpilens")

        def is_saved_well():
            self.command.run("snapshot", "--interval", "0.1", "-o", saved, job.launcher)
            return not self.missing(self.command.show("--stack", saved).output, self.tree())

        self.check(wait_until(is_saved_well, HANG_SECONDS), "the stacks of a snapshot are not those of the job")

    def check_job(self):
        with self.job() as job:
            self.shows("the job", self.tree(), job.launcher)
            self.check_verdict(job)
            self.check_saved(job)
            processes = self.command.show("--json", job.launcher).document()["processes"]
            pids = [process["pid"] for process in processes]
            self.check(
                all(thread["stack"] is None for process in processes for thread in process["threads"]),
                "show reads stacks that nobody has asked for",
            )
            if shutil.which("gcore") is not None:
                core = self.command.show("--stack", *job.dump_cores(pids[COMPUTING : COMPUTING + 1])).output
                self.has("a core file", core, node(self.place("computing"), "rank 3"))
            states = [open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] for pid in pids]
            self.check(not set(states) & set("tTZ"), f"ranks do not run: {states}")

    def run(self):
        self.check_job()
        self.check_late()
        if self.arguments.server and can_ask_servers():
            self.check_server()
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--server", action="store_true", help="also a server that has debug information")
    parser.add_argument("program")
    return StackTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
