# SPDX-License-Identifier: BSD-3-Clause
"""One program of verdicts/: `mpilens why` must find the fault that it has, and nothing else; or nothing where it has
none. Live by the launcher; in all forms also by one rank, as text, from a snapshot, from core files, from two snapshots,
each of which has half of the ranks, and, when all ranks have been killed, from their black boxes."""
import os
import re
import signal
import subprocess
import sys
import time

from lib.command import FINDING, GOOD, Command, argument_parser
from lib.expectation import Expectation
from lib.job import HANG_SECONDS, PAUSE_SECONDS, SKIP, Job, run_test, wait_until
from lib.length import reads_all_forms, reads_parts
from lib.patience import at_most
from lib.python_mpi import environment_of, has_mpi4py
from lib.report import all_right
from lib.source import Source

END_SECONDS = at_most(60)
INTERVAL = "0.2"
PATIENCE = 60
READINGS_WHILE_RUNNING = int(os.environ.get("MPILENS_TEST_READINGS", 3))
# How long one correct job is asked about: whoever computes for longer than the patience is reported, as perhaps slow.
MOST_SECONDS_OF_JOB, LEAST_OF_JOB = 20, 2
# Jobs with fewer ranks are not read in parts.
LEAST_RANKS = 4
# How often a job that may end is started: enough to see one hang that does so now and then.
MOST_STARTS = 40
CALL = re.compile(r"ranks? \S+  +\S|\+ \d+ more calls: ")
PLACE = re.compile(r"([\w.]+\.\w+):(\d+)")
# Differs from reading to reading: times, numbers of messages, the line of a rank that computes.
VARIES = re.compile(r"\b[\d.]+ (?:ms|s|min|h|days?)\b|\b\d+ (?:messages|more)\b|(?<=\()[\w.]+:\d+(?=\))")


def parse_arguments(line=None):
    """`line`: None: the command's."""
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True, help="name of that MPI in LAUNCHER")
    parser.add_argument("--source", required=True)
    parser.add_argument("--synchronous", action="store_true", help="start it with mpilens run --synchronous")
    parser.add_argument("--python", help="what runs the program, a script")
    parser.add_argument("--python-path", default="", help="where it finds mpi4py; empty: where it looks by itself")
    parser.add_argument("--library", help="name of the MPI in MPI_Get_library_version, which mpi4py must be for")
    parser.add_argument("program")
    return parser.parse_args(line)


def texts(value):
    """All strings in a part of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        if value.get("file") and value.get("line"):
            yield f'{os.path.basename(value["file"])}:{value["line"]}'
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def without_moment(text):
    """Without what two readings of the same job need not agree in: a rank that computes is somewhere else."""
    return re.sub(r"computing in \w+ \([^)]*\)", "computing", text)


def one_line(text):
    """Without what differs from reading to reading."""
    return VARIES.sub("", " ".join(text.split()))


def runs(ranks):
    """Runs of three and more ranks, as text must show them: {'0-3'}."""
    found = set()
    for first in ranks - {one + 1 for one in ranks}:
        last = first
        while last + 1 in ranks:
            last += 1
        if last - first >= 2:
            found.add(f"{first}-{last}")
    return found


def is_there(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class WhyTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)
        self.expected = Expectation(arguments.source)
        self.run_options = self.expected.run_options + (["--synchronous"] if arguments.synchronous else [])
        self.all_forms = reads_all_forms(self.expected) and not arguments.synchronous
        # A correct program goes on: two parts that are not of one moment prove nothing. Nobody makes a part of ranks that are gone.
        self.parts = (
            reads_parts(self.expected)
            and self.expected.kinds
            and self.expected.ranks >= LEAST_RANKS
            and "cores" not in self.expected.without
        )
        # Black boxes have no stacks, of threads outside MPI or of Python, and show nothing of ranks that were gone before.
        has_all = not arguments.python and not {"cores", "boxes"} & self.expected.without
        self.boxes = self.all_forms and self.expected.kinds and has_all
        self.only_ended = False
        self.readings_left = 0 if self.expected.kinds else READINGS_WHILE_RUNNING - 1
        self.is_first = True

    def options(self):
        """Options of the command. On a slow machine, asking about correct programs takes longer."""
        patience = ["--patience", str(at_most(PATIENCE))] if at_most(1) > 1 and not self.expected.kinds else []
        return [*patience, *self.expected.options]

    def why(self, *arguments):
        return self.command.run("why", "--interval", INTERVAL, *self.options(), *arguments)

    def why_as_users_do(self, *arguments):
        """The command itself finds out how long it has to look."""
        return self.command.run("why", *self.options(), *arguments)

    # --- what is wrong with an answer ---

    def differences(self, result):
        """Between what was answered with --json and what is expected."""
        document = result.document()
        if document is None:
            return ["no JSON document"]
        wrong = []
        status = FINDING if self.expected.kinds else GOOD
        if result.status != status:
            wrong.append(f"exit status {result.status} instead of {status}")
        if (document.get("schema"), document.get("verb")) != ("mpilens/1", "why"):
            wrong.append(f'schema {document.get("schema")}, verb {document.get("verb")}')
        findings = document.get("findings")
        if not isinstance(findings, list):
            return wrong + ["no list of findings"]
        if not self.expected.kinds:
            return wrong + [f'a finding: {one["kind"]}: {one["message"]}' for one in findings]
        if not findings:
            return wrong + ["no finding"]
        wrong += self.finding_differences(findings[0])
        return wrong + [f'one more finding: {one["kind"]}: {one["message"]}' for one in findings[1:]]

    def finding_differences(self, finding):
        wrong = []
        if finding["kind"] not in self.expected.kinds:
            wrong.append(f'kind {finding["kind"]} instead of {" or ".join(self.expected.kinds)}: {finding["message"]}')
        if set(finding["culprits"]) != self.expected.culprits:
            wrong.append(f'culprits {finding["culprits"]} instead of {sorted(self.expected.culprits)}')
        concerned = set(finding["ranks"]) | set(finding["culprits"])
        if concerned != self.expected.concerned:
            wrong.append(f"ranks and culprits {sorted(concerned)} instead of {sorted(self.expected.concerned)}")
        if finding["confirmed"] is not True:
            wrong.append("not confirmed")
        wrong += [
            f"{one!r} is not said" for one in self.expected.said if not any(one in text for text in texts(finding))
        ]
        named = {place for text in texts(finding) for place in PLACE.findall(text)}
        for alternatives in self.expected.lines:
            lines = [self.source.place(mark)[1] for mark in alternatives]
            if not any((self.source.file, str(line)) in named for line in lines):
                wrong.append(f'{" or ".join(alternatives)}, line {lines}, is not named; named are {sorted(named)}')
        return wrong

    def text_differences(self, result, document):
        """`document`: the answer about the same job with --json."""
        status = FINDING if self.expected.kinds else GOOD
        wrong = [] if result.status == status else [f"exit status {result.status} instead of {status}"]
        if not self.expected.kinds:
            first, *others = result.output.splitlines() or [""]
            good = first.startswith("nothing wrong found") and others and all(CALL.match(one) for one in others)
            return wrong + ([] if good else ["not one line of verdict, and lines of what the ranks do"])
        text = without_moment(one_line(result.output))
        message = without_moment(one_line(document["findings"][0]["message"]))
        if message not in text:
            wrong.append(f"the text does not have the message: {message}")
        merged = runs(self.expected.culprits) | runs(self.expected.concerned - self.expected.culprits)
        return wrong + [f"the text does not merge {one}" for one in merged if not re.search(rf"\b{one}\b", text)]

    # --- how it is asked ---

    def pids(self, job):
        """The PIDs of the ranks that are there."""
        result = self.command.show("--json", job.launcher)
        return [one["pid"] for one in result.document()["processes"] if one["state"] not in ("exited", "unreadable")]

    def first_verdict(self, job):
        """(differences, result) as soon as the expected verdict stands: the ranks may be on the way into the hang."""
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            time.sleep(PAUSE_SECONDS)
            result = self.why("--json", job.launcher)
            wrong = self.differences(result)
            if not wrong:
                job.demote()
            if not wrong or time.monotonic() > deadline or self.is_of_another_kind(result):
                return wrong, result
            if job.process.poll() is not None:
                return wrong + [f"the job has ended with status {job.process.returncode}"], result

    def is_of_another_kind(self, result):
        """On the way into the hang, ranks may still be missing, and the first of those that will wait for the culprits
        may wait in another call; but once all are there, at no time is another fault there. Where the program's patience
        is short, MPI_Init may take longer."""
        findings = (result.document() or {}).get("findings") or []
        on_the_way = ["start-up"] if "--patience" in self.expected.options else []
        if "mpi-error" in self.expected.kinds:
            on_the_way.append("size-mismatch")  # until MPI looks at the message
        return any(
            one["kind"] not in [*self.expected.kinds, *on_the_way]
            and not set(one["culprits"]) <= self.expected.culprits
            and set(one["ranks"]) | set(one["culprits"]) >= self.expected.concerned
            for one in findings
        )

    def running(self, job):
        """Waits until all ranks are past MPI_Init; whatever is said before: no finding. Where the program's patience is
        short, MPI_Init may take longer."""
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            time.sleep(PAUSE_SECONDS)
            result = self.why("--patience", str(at_most(PATIENCE)), "--json", job.launcher)
            document = result.document() or {}
            if document.get("findings"):
                return self.differences(result), result
            states = [one["state"] for one in document.get("processes", [])]
            if len(states) == self.expected.ranks and not set(states) & {"initializing", "unreadable"}:
                return [], result
            if time.monotonic() > deadline or job.process.poll() is not None:
                return [f"the ranks do not run: {states}"], result

    def readings(self, job):
        """Yields (what was read, differences, result)."""
        end = time.monotonic() + MOST_SECONDS_OF_JOB
        wrong, result = self.hung_or_running(job)
        yield "launcher", wrong, result
        if self.all_forms and self.is_first:
            yield from self.other_forms(job, result.document())
        if self.parts and self.is_first:
            yield from self.part_readings(job)
        if self.boxes:
            yield from self.killed_readings(job)
        self.is_first = False
        first = self.readings_left
        while self.readings_left > 0 and (first - self.readings_left < LEAST_OF_JOB or time.monotonic() < end):
            result = self.why_as_users_do("--json", job.launcher)
            self.readings_left -= 1
            yield f"launcher, {self.readings_left} more", self.differences(result), result

    @staticmethod
    def until_found(ask, differences):
        """(differences, result): nothing is found while a rank of the cause has no processor, on a busy machine."""
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            result = ask()
            wrong = differences(result)
            if not wrong or result.status != 0 or time.monotonic() > deadline:
                return wrong, result

    def other_forms(self, job, document):
        """`document`: the answer by the launcher."""
        pids = self.pids(job)
        yield "one rank", *self.until_found(lambda: self.why("--json", pids[-1]), self.differences)
        text = self.until_found(
            lambda: self.why_as_users_do(job.launcher), lambda result: self.text_differences(result, document)
        )
        yield "text", *text
        yield from self.file_readings(job, pids)

    def file_readings(self, job, pids):
        if "snapshots" in self.expected.without:
            return
        snapshot = os.path.join(job.directory, "snapshot")
        taken = self.command.run("snapshot", "--interval", INTERVAL, "-o", snapshot, job.launcher)
        yield "taking a snapshot", [] if taken.status == 0 else [f"exit status {taken.status}"], taken
        result = self.why("--json", snapshot)
        yield "snapshot", self.differences(result), result
        if "cores" not in self.expected.without:
            result = self.why("--json", *job.dump_cores(pids))
            yield "core files", self.differences(result), result

    def part_readings(self, job):
        """As if each second rank ran on another host."""
        pids = self.pids(job)
        parts = [os.path.join(job.directory, name) for name in ("even", "odd")]
        for first, part in enumerate(parts):
            taken = self.command.run("snapshot", "--interval", INTERVAL, "-o", part, *pids[first::2])
            yield f"taking {part}", [] if taken.status == 0 else [f"exit status {taken.status}"], taken
        result = self.why("--json", *parts)
        wrong = self.differences(result)
        job_read = (result.document() or {}).get("job") or {}
        ranks = [part["ranks"] for part in job_read.get("parts", [])]
        if sorted(ranks) != sorted(len(pids[first::2]) for first in range(2)):
            wrong.append(f"parts of {ranks} ranks")
        yield "parts", wrong, result
        whole = os.path.join(job.directory, "whole")
        taken = self.command.run("snapshot", "-o", whole, *parts)
        yield "making the parts one", [] if taken.status == 0 else [f"exit status {taken.status}"], taken
        result = self.why("--json", whole)
        yield "parts made one", self.differences(result), result
        if "lines" in self.expected.without:
            return
        lines = os.path.join(job.directory, "lines")
        with open(lines, "w") as file:
            for first, name in enumerate(("even", "odd")):
                sent = self.command.run("part", "--as", name, *pids[first::2])
                file.write(sent.output)
        result = self.why("--json", lines)
        yield "lines of parts", self.differences(result), result

    def killed_readings(self, job):
        pids = self.pids(job)
        for pid in [job.launcher, *pids]:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not any(is_there(pid) for pid in pids), END_SECONDS)
        boxes = self.box_directory(job)
        modes = {os.stat(os.path.join(boxes, name)).st_mode & 0o777 for name in os.listdir(boxes)}
        result = self.why("--json", boxes)
        yield "black boxes", ([] if modes == {0o600} else [f"modes {modes}"]) + self.differences(result), result

    @staticmethod
    def box_directory(job):
        return os.path.join(job.directory, "boxes")

    @staticmethod
    def end(job):
        """A correct program ends by itself when it is told to; True: with status 0."""
        job.tell("end")
        try:
            status = job.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            status = "none"
        if status != 0:
            print(f"the job did not end as it should: status {status}", job.printed(), sep="\n")
        return status == 0

    def job(self):
        arguments = self.arguments
        program = [*([arguments.python] if arguments.python else []), os.path.abspath(arguments.program)]
        job = Job(
            arguments.mpiexec,
            self.expected.ranks,
            [self.command.path, "run", *self.run_options, *program],
            self.expected.options_of_launcher(arguments.flavour),
            environment=environment_of(arguments.python_path),
        )
        if self.boxes:
            job.environment["MPILENS_KEEP"] = self.box_directory(job)
        return job

    def hung_or_running(self, job):
        """(differences, result) when the job is where it has to be judged right."""
        return self.first_verdict(job) if self.expected.kinds else self.running(job)

    def run_once(self):
        """True: every answer was right; None: the job has ended, as it may."""
        with self.job() as job:
            if all_right(job, self.readings(job)):
                return bool(self.expected.kinds) or self.end(job)
            may_have_ended = self.expected.may_end and wait_until(lambda: job.process.poll() == 0, at_most(2))
            return None if may_have_ended else False

    def run(self):
        """True: every answer was right."""
        ended = 0
        while ended < MOST_STARTS:
            right = self.run_once()
            if right is None:
                ended += 1
                print("the job has ended, as it may: once more", flush=True)
            elif not right or self.readings_left == 0:
                return right
        self.only_ended = True
        return True


def main():
    arguments = parse_arguments()
    if arguments.python and not has_mpi4py(arguments.python, arguments.python_path, arguments.library):
        print(f"SKIPPED: {arguments.python} has no mpi4py for {arguments.library}")
        return SKIP
    test = WhyTest(arguments)
    status = run_test(test, needs_cores=test.all_forms)
    if test.only_ended:
        print("SKIPPED: this MPI has let the job end every time")
        return SKIP
    return status


if __name__ == "__main__":
    sys.exit(main())
