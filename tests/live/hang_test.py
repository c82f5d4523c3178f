# SPDX-License-Identifier: BSD-3-Clause
"""One hang pattern: a real job runs into it under `mpilens run` and `mpilens show` must say exactly what its ranks say."""
import difflib
import json
import os
import sys
import time

from lib.command import UNREADABLE, Command, argument_parser
from lib.compare import Comparison
from lib.head import Head
from lib.job import HANG_SECONDS, Job, run_test
from lib.length import reads_all_forms
from lib.report import all_right
from lib.source import Source
from lib.third_queue import ThirdQueue


def parse_arguments(line=None):
    """`line`: None: the command's."""
    parser = argument_parser(__doc__)
    parser.add_argument("--mpi", default="MPICH", help="name in MPI_Get_library_version")
    parser.add_argument("--flavour", default="mpich", help="name of that MPI in LAUNCHER")
    parser.add_argument("--ranks", type=int, help="instead of those of its head")
    parser.add_argument("--source", required=True, help="C file of the program, with a head")
    parser.add_argument("--module", help="file of which the calls come, where it is not the program")
    parser.add_argument("--one-form", action="store_true", help="leave out core files and snapshots")
    parser.add_argument("--debugger", nargs=2, help="job_debugger, and the library for it")
    parser.add_argument("--script", help="shell script that starts the program")
    parser.add_argument(
        "--preload",
        default="",
        help="LD_PRELOAD of the launcher; the command does not start the ranks then, " "unless --preload-and-run",
    )
    parser.add_argument("--preload-and-run", action="store_true")
    parser.add_argument("--tool", action="store_true", help="another tool must have seen the one receive of every rank")
    parser.add_argument("program")
    return parser.parse_args(line)


def lasting(value):
    """A document without what passes, and without where it was read from."""
    if isinstance(value, dict):
        return {
            name: lasting(one)
            for name, one in value.items()
            if not name.endswith("age_s")
            and name not in ("idle_s", "polls", "kernel", "snapshot", "id" if "ranks_read" in value else "")
        }
    return [lasting(one) for one in value] if isinstance(value, list) else value


class HangTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)
        self.head = Head(arguments.source)
        self.all_forms = not arguments.one_form and reads_all_forms(self.head)
        self.program = os.path.abspath(arguments.program)

    def differences(self, job, expectations, result, launcher=None, from_core=False):
        comparison = Comparison(self.source, self.program, launcher, job.seconds(), from_core, self.arguments.module)
        found = comparison.document(expectations, result.document(), self.arguments.mpi)
        # A reader of core files is told that a rank left none.
        is_partial = from_core and any(one["state"] == "exited" for one in expectations)
        expected = UNREADABLE if is_partial else 0
        if result.status != expected:
            found.append(f"exit status: expected {expected}, got {result.status}")
        return found

    def until_hung(self, job, expectations, pids):
        """Reads until the document is as expected: the ranks may still be on the way into the hang."""
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            result = self.command.show("--json", *pids)
            found = self.differences(job, expectations, result)
            if not found or time.monotonic() > deadline or job.has_ended():
                return found, result

    def readings(self, job):
        """Yields (what was read, differences, result). The first one waits for the hang, the others must be right at once."""
        expectations = job.expectations()
        pids = [one["pid"] for one in expectations if one["state"] != "exited"]
        yield ("ranks", *self.until_hung(job, expectations, pids))
        yield from self.read_by_debugger(expectations, pids, "ranks, another debugger")
        result = self.command.show("--json", "--stop", job.launcher)
        yield "launcher, stopped", self.differences(job, expectations, result, launcher=job.launcher), result
        result = self.command.show(*pids)
        yield "text", self.text_differences(expectations, result), result
        if self.all_forms:
            cores = job.dump_cores(pids)
            result = self.command.show("--json", *cores)
            yield "core files", self.differences(job, expectations, result, from_core=True), result
            yield from self.read_by_debugger(expectations, cores, "core files, another debugger")
            yield ("snapshot", *self.read_snapshot(job, expectations, pids))

    def read_by_debugger(self, expectations, targets, what):
        """The third queue of all ranks, as those have it who know the message-queue interface only."""
        if self.arguments.debugger is None:
            return
        queue = ThirdQueue(*self.arguments.debugger)
        result = queue.read(targets)
        alive = [one for one in expectations if one["state"] != "exited"]
        yield what, queue.differences(alive, result), result

    def read_snapshot(self, job, expectations, pids):
        """The document of a snapshot is valid, and equals the ranks' except for passing facts."""
        path = os.path.join(job.directory, "job.mpilens")
        saved = self.command.run("snapshot", "-o", path, *pids)
        if saved.status != 0:
            return [f"the snapshot was not taken: {saved}"], saved
        result = self.command.show("--json", path)
        found = self.differences(job, expectations, result)
        documents = [lasting(one.document()) for one in (self.command.show("--json", *pids), result)]
        if documents[0] != documents[1]:
            lines = [json.dumps(one, indent=1, sort_keys=True).splitlines() for one in documents]
            differing = difflib.unified_diff(*lines, "of the ranks", "of the snapshot", n=2, lineterm="")
            found.append("\n".join(["the document of the snapshot is not the one of the ranks", *differing]))
        if (result.document() or {}).get("job", {}).get("snapshot", {}).get("file") != path:
            found.append("job.snapshot does not name the file")
        listed = self.command.run("list", "--json", path).document() or {}
        if lasting(listed.get("job")) != lasting(result.document()["job"]):
            found.append("list does not have the job of the snapshot")
        return found, result

    @staticmethod
    def text_differences(expectations, result):
        calls = {
            thread["function"]
            for one in expectations
            for thread in one["threads"]
            if thread["function"] and one["state"] != "exited"
        }
        found = [
            f"text does not name {call}" for call in calls if not any(name in result.output for name in call.split("|"))
        ]
        if result.status != 0:
            found.append(f"exit status: expected 0, got {result.status}")
        return found

    def run(self):
        """True: the pattern was read right in every way."""
        arguments = self.arguments
        under = [arguments.script, self.program] if arguments.script else [self.program]
        if not arguments.preload or arguments.preload_and_run:
            under = [self.command.path, "run", *under]
        environment = {"LD_PRELOAD": arguments.preload} if arguments.preload else {}
        with Job(
            arguments.mpiexec,
            arguments.ranks or self.head.ranks,
            under,
            self.head.options_of_launcher(arguments.flavour),
            environment=environment,
        ) as job:
            job.wait_ready()
            right = all_right(job, self.readings(job))
            return (not arguments.tool or self.tool_saw(job)) and right

    def tool_saw(self, job):
        seen = []
        for pid in (one["pid"] for one in job.expectations()):
            path = os.path.join(job.directory, f"tool-{pid}")
            seen.append(open(path).read() if os.path.exists(path) else None)
        print(f"the other tool: {seen}")
        return all(one == "MPI_Recv\n" for one in seen)


def main():
    test = HangTest(parse_arguments())
    return run_test(test, needs_cores=test.all_forms)


if __name__ == "__main__":
    sys.exit(main())
