# SPDX-License-Identifier: BSD-3-Clause
"""A real job is read in parts, as if its ranks ran on two hosts: `mpilens part` of each, brought together as lines, in one
round and in two, torn, mixed, merged on the way. Nothing of it is left running."""
import contextlib
import os
import random
import signal
import subprocess
import sys

from lib.command import UNREADABLE, Command, argument_parser
from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

HOSTS = ("n1", "n2")
END_SECONDS = at_most(20)


def parse_arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("program", help="hung, with 4 or more ranks: of worker_wrong_tag.c")
    return parser.parse_args()


class Part:
    """A `mpilens part` of two rounds that is spoken to."""

    def __init__(self, command, host, pids):
        self.process = subprocess.Popen(
            [command.path, "part", "--rounds", "stdin", "--as", host, *map(str, pids)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lines = []

    def read_until(self, word):
        """All lines up to the one with this word, or to the end."""
        for line in self.process.stdout:
            self.lines.append(line)
            if f".{word}" in line.split()[2]:
                return True
        return False

    def go(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()


class PartTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.report = Report()

    def why(self, lines, *options):
        """Answers about lines on standard input."""
        read, write = os.pipe()
        with os.fdopen(write, "w") as file, os.fdopen(read) as stdin:
            sender = os.fork()
            if sender == 0:
                stdin.close()
                with contextlib.suppress(BrokenPipeError):
                    file.write("".join(lines))
                    file.flush()
                os._exit(0)
            file.close()
            result = self.command.run("why", "--json", *options, "-", stdin=stdin)
            os.waitpid(sender, 0)
        return result

    @staticmethod
    def notes(result):
        return "; ".join((result.document() or {"job": {"notes": ["none"]}})["job"]["notes"])

    def check_verdict(self, what, result, hosts=HOSTS):
        document = result.document()
        if document is None:
            self.report.check(False, f"{what}: no document: {result.diagnostics}")
            return
        kinds = [one["kind"] for one in document["findings"]]
        parts = [part["name"] for part in document["job"]["parts"]]
        self.report.check(kinds == ["tag-mismatch"], f"{what}: {kinds}")
        self.report.check(sorted(parts) == sorted(hosts), f"{what}: parts {parts}")
        self.report.check(all(one["confirmed"] for one in document["findings"]), f"{what}: not confirmed")

    def send(self, host, *words, statuses=(0,)):
        sent = self.command.run("part", "--as", host, *words)
        self.report.check(sent.status in statuses, f"part: {sent.diagnostics}{sent.output[-300:]}")
        return sent.output.splitlines(keepends=True)

    def one_round(self, pids):
        lines = self.send("n1", *pids[:3]) + self.send("n2", *pids[3:])
        self.report.check(max(map(len, lines)) <= 200, "a line has more than 200 bytes")
        self.check_verdict("one round", self.why(lines))
        random.Random(1).shuffle(lines)
        self.check_verdict("mixed lines with labels", self.why([f"node 7: {line}" for line in lines]))
        return lines

    def torn(self, lines):
        """One host's lines come torn: its ranks are unread, with the reason."""
        lost = [line for line in lines if not line.startswith("@mpilens n2 2.0 ")]
        result = self.why(lost)
        document = result.document() or {"job": {"ranks_unread": [], "notes": []}, "findings": []}
        reasons = {one["reason"] for one in document["job"]["ranks_unread"]}
        kinds = [one["kind"] for one in document["findings"]]
        self.report.check(
            len(reasons) == 1 and "lines of its answer are missing (0)" in str(reasons), f"torn: {reasons}"
        )
        self.report.check("host n2 did not answer" in self.notes(result), f"torn: {self.notes(result)}")
        self.report.check(kinds in ([], ["host-lost"]), f"torn: a cause is named: {kinds}")

    def two_rounds(self, pids):
        parts = [Part(self.command, *one) for one in zip(HOSTS, (pids[:3], pids[3:]))]
        for part in parts:
            self.report.check(part.read_until("ready"), f"not ready: {part.lines}")
        for part in parts:
            part.go()
        for part in parts:
            self.report.check(part.read_until("status"), f"no end: {part.lines}")
            self.report.check(part.process.wait(END_SECONDS) == 0, f"status {part.process.returncode}")
        lines = [line for part in parts for line in part.lines]
        result = self.why(lines)
        self.check_verdict("two rounds", result)
        document = result.document()
        self.report.check(
            document["samples"] == 2 and document["job"]["notes"] == [], f"two rounds: {self.notes(result)}"
        )
        self.merged(lines)
        self.merged_without(lines)

    def merge(self, lines, *options):
        done = subprocess.run(
            [self.command.path, "part", "--merge", *options],
            input="".join(lines),
            capture_output=True,
            text=True,
            timeout=END_SECONDS,
        )
        return done.returncode, done.stdout.splitlines(keepends=True)

    def merged(self, lines):
        """Through a host in between."""
        status, sent = self.merge(lines, "--as", "gateway")
        self.report.check(status == 0, f"merge: status {status}: {sent[-5:]}")
        self.check_verdict("merged", self.why(sent), hosts=("gateway",))
        self.check_verdict("merged, mixed", self.why(sorted(sent, key=hash)), hosts=("gateway",))
        said = {line.split()[1]: line.split()[3] for line in sent if " 0.status " in line}
        self.report.check(said == {"n1": "0", "n2": "0", "gateway": "0"}, f"merged: statuses {said}")
        status, again = self.merge(sent)
        self.report.check(status == 0, f"merged twice: status {status}: {again[-5:]}")
        self.check_verdict("merged twice", self.why(again), hosts=(f"{os.uname().nodename}_merged",))
        result = self.why([line for line in sent if " 2.end " not in line])
        self.report.check(result.status == 3, f"merged and torn: status {result.status}")
        status, sent = self.merge(lines, "--as", "n2")
        self.report.check(status == 3 and "one of the hosts is called n2" in sent[-2], f"named n2: {sent[-5:]}")

    def merged_without(self, lines):
        """The second part of one host comes torn to the host in between: its ranks are unread, for that."""
        begun = [line for line in lines if not line.startswith("@mpilens n2 2.0 ")]
        for ended, what in (
            (begun, {"n1": "0", "n2": "0"}),
            ([line for line in begun if not line.startswith("@mpilens n2 0.status ")], {"n1": "0", "n2": "3"}),
        ):
            status, sent = self.merge(ended, "--as", "gateway")
            said = {line.split()[1]: line.split()[3] for line in sent if " 0.status " in line}
            self.report.check((status, said) == (0, {**what, "gateway": "0"}), f"torn, merged: {status}, {said}")
            result = self.why(sent)
            document = result.document() or {"job": {"ranks_unread": [], "notes": []}, "findings": []}
            kinds = [one["kind"] for one in document["findings"]]
            self.report.check(kinds in ([], ["host-lost"]), f"torn, merged: a cause is named: {kinds}")
            notes = self.notes(result)
            self.report.check("host n2 did not answer: 1 of " in notes and "gateway" not in notes, notes)

    def identity(self, job):
        listed = self.command.run("list", "--json", job.launcher).document()
        identity = listed["job"]["identity"]
        self.check_verdict("by identity", self.why(self.send("n1", identity)), hosts=("n1",))
        # Processes that others start on this host may belong to that job until they come to MPI.
        nothing = self.send("n3", "nobody 1", statuses=(0, UNREADABLE))
        result = self.why(self.send("n1", identity) + nothing)
        self.check_verdict("a host with a part of another job", result, hosts=("n1",))
        self.report.check("of the job 'nobody 1'" in self.notes(result), f"another job: {self.notes(result)}")
        self.report.check(len(nothing) < 20, "much is said about nothing")

    def full(self, pids):
        """With memory: handles can be asked."""
        lines = self.send("n1", "--full", *pids[:3]) + self.send("n2", "--full", *pids[3:])
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"mpilens-part-{os.getpid()}")
        try:
            with open(path, "w") as file:
                file.writelines(lines)
            result = self.command.run("handle", "--json", path, "MPI_COMM_WORLD")
            ranks = [one["rank"] for one in (result.document() or {}).get("handles", [])]
            self.report.check(ranks == list(range(len(pids))), f"handles of {ranks}: {result.diagnostics}")
        finally:
            os.unlink(path)

    def named(self, pids):
        """Ranks that are not named are told of where some are."""
        result = self.command.run("why", "--json", *pids[1:3])
        absent = (result.document() or {"job": {"ranks_absent": []}})["job"]["ranks_absent"]
        told = {(one["first"], one["last"], one["reason"]) for one in absent}
        reason = "not among the processes that were named"
        self.report.check(
            (result.status, told) == (UNREADABLE, {(0, 0, reason), (3, 4, reason)}), f"two of five ranks: {result}"
        )

    def left_alone(self, pids):
        """It ends when nobody waits for it."""
        part = Part(self.command, "n1", pids)
        part.read_until("ready")
        part.process.stdin.close()
        self.report.check(part.process.wait(END_SECONDS) == 3, "it does not end with its standard input")
        # A shell that ends without a word, as an engine that is killed does; standard input and output stay.
        script = f'"{self.command.path}" part --rounds stdin {pids[0]} & echo $! >&2; read line; kill -9 $$'
        shell = subprocess.Popen(
            ["sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        pid = int(shell.stderr.readline())
        shell.send_signal(signal.SIGKILL)
        shell.wait()
        gone = wait_until(lambda: not os.path.exists(f"/proc/{pid}"), END_SECONDS)
        self.report.check(gone, "it does not end with its parent")

    def readings(self, job):
        document = self.command.show("--json", job.launcher).document()
        pids = [one["pid"] for one in document["processes"]]
        lines = self.one_round(pids)
        self.torn(lines)
        self.two_rounds(pids)
        self.identity(job)
        self.full(pids)
        self.named(pids)
        self.left_alone(pids)

    def is_hung(self, job):
        result = self.command.run("why", "--interval", "0.2", "--json", job.launcher)
        document = result.document() or {}
        return [one["kind"] for one in document.get("findings", [])] == ["tag-mismatch"]

    def run(self):
        program = os.path.abspath(self.arguments.program)
        with Job(self.arguments.mpiexec, 5, [self.command.path, "run", program]) as job:
            self.report.check(wait_until(lambda: self.is_hung(job), at_most(60), 0.2), "the job does not hang")
            self.readings(job)
        return self.report.end() == 0


if __name__ == "__main__":
    sys.exit(run_test(PartTest(parse_arguments())))
