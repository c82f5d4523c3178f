# SPDX-License-Identifier: BSD-3-Clause
"""Answers of show, why and another debugger about messages that MPI itself had (`mpilens run --unexpected=exact`)."""
import os
import re
import sys

from lib.command import Command, argument_parser
from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report
from lib.source import Source
from lib.third_queue import ThirdQueue

SECONDS = at_most(60)
RANKS = 4


class ExactTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)

    def job(self, case, after):
        run = [self.command.path, "run", "--unexpected=exact", f"--unexpected-after={after}"]
        return Job(self.arguments.mpiexec, RANKS, [*run, os.path.abspath(self.arguments.program), case])

    def await_answer(self, job, is_right, *arguments):
        last = []

        def is_there():
            last[:] = [self.command.run(*arguments, job.launcher)]
            return is_right(last[0])

        self.check(wait_until(is_there, SECONDS, 0.2), f"{last[0]}")
        return last[0]

    def at(self, mark):
        return f"{self.source.file}:{self.source.place(mark)[1]}"

    def forgotten(self):
        with self.job("forgotten", 0.1) as job:
            evidence = "sent 128 bytes, tag 7, on MPI_COMM_WORLD: nobody has received it (exact: MPI has it)"

            def is_told(result):
                findings = (result.document() or {"findings": []})["findings"]
                return any(
                    one["kind"] == "tag-mismatch"
                    and "the message that rank 1 sent it has tag 7, not 8" in one["message"]
                    and self.at("recv") in one["message"]
                    and any(evidence == text["text"] and text["ranks"] == [1] for text in one["evidence"])
                    for one in findings
                )

            self.await_answer(job, is_told, "why", "--json")
            if self.problems:
                return
            shown = self.command.show("--json", job.launcher).document()
            process = next(one for one in shown["processes"] if one["rank"] == 2)
            world = next(one for one in process["communicators"] if one["name"] == "MPI_COMM_WORLD")
            message = world["unexpected"][0] if len(world["unexpected"]) == 1 else {}
            self.check(
                [message.get(name) for name in ("origin", "tag", "bytes", "function")] == ["exact", 7, 128, None]
                and message["peer"] == {"local": 1, "world": 1}
                and "sender" not in message,
                f"unexpected: {world['unexpected']}",
            )
            known = process["unexpected_messages"]
            self.check(known["origin"] == "exact" and known["as_of_s"] is not None, f"{known}")
            # Each rank asks when its own call has lasted long enough.
            told = r"^unexpected messages of ranks \[0-3\]: exact, as of [\d.]+ s( to [\d.]+ s)? ago$"
            self.await_answer(job, lambda result: re.search(told, result.output, re.M), "show")
            if self.arguments.debugger is not None:
                self.read_by_debugger(process["pid"])

    def read_by_debugger(self, pid):
        """A debugger that knows only the one rank also has the message."""
        result = ThirdQueue(*self.arguments.debugger).read([pid])
        self.check(
            "message 1 1 7 128\ntext exact: MPI had it\n" in result.output and result.output.count("message ") == 1,
            f"{result}",
        )

    def left(self):
        with self.job("left", 1000) as job:
            start = "came to MPI_Finalize without having received a message from rank 1, 32 x MPI_INT (128 bytes), tag "

            def is_told(result):
                findings = (result.document() or {"findings": []})["findings"]
                texts = [
                    one["text"]
                    for finding in findings
                    if finding["kind"] == "waiting-for-rank" and finding["culprits"] == [0]
                    for one in finding["evidence"]
                    if one["ranks"] == [0] and one["text"].startswith(start) and self.at("send") in one["site"]
                ]
                return len(texts) == 3 and all(one.endswith("on MPI_COMM_WORLD, sent with MPI_Send") for one in texts)

            self.await_answer(job, is_told, "why", "--json")

    def ended(self):
        with self.job("ended", 1000) as job:
            sentence = (
                "nothing wrong found: rank 0 came to MPI_Finalize without having received 3 messages, the first one "
                "from rank 1, 32 x MPI_INT (128 bytes), tag 5, on MPI_COMM_WORLD, sent with MPI_Send at "
                + self.at("send")
            )
            self.await_answer(job, lambda result: result.status == 0 and sentence in result.output, "why")

    def run(self):
        self.forgotten()
        self.left()
        self.ended()
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--debugger", nargs=2, help="job_debugger, and the library for it")
    parser.add_argument("program")
    return run_test(ExactTest(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
