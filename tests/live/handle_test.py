# SPDX-License-Identifier: BSD-3-Clause
"""A real job says what it has made; `mpilens handle` must answer that, of its ranks, of their core files and of a snapshot, and
the library must answer it to debuggers, through mpidbg_* and mpid_*."""
import argparse
import contextlib
import os
import shutil
import sys
import tempfile

from lib.command import UNREADABLE, USAGE, Command
from lib.head import Head
from lib.job import Job, JobFailed
from lib.length import IS_FULL, reads_all_forms
from lib.source import Source
import mpid_test
import mpidbg_questions


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True, help="the command")
    parser.add_argument("--mpiexec", required=True, help="launcher of the MPI that the program was built for")
    parser.add_argument("--source", required=True, help="file of the program, with a head and marks")
    parser.add_argument("--runtime", required=True, type=os.path.realpath)
    parser.add_argument("--dll", required=True, type=os.path.realpath)
    parser.add_argument("program")
    return parser.parse_args()


class Answers:
    def __init__(self, source):
        self.source = source
        self.differences = []

    def differ(self, where, expected, actual):
        self.differences.append(f"{where}: expected {expected!r}, got {actual!r}")

    def compare(self, where, expected, actual):
        if expected == "*":
            if actual is None:
                self.differ(where, "anything", actual)
        elif isinstance(expected, dict):
            self.compare_object(where, expected, actual)
        elif isinstance(expected, list):
            self.compare_list(where, expected, actual)
        elif type(expected) is not type(actual) or expected != actual:
            self.differ(where, expected, actual)

    def compare_object(self, where, expected, actual):
        if "any" in expected:
            for one in expected["any"]:
                if one not in (actual or []):
                    self.differ(where, f"{one!r} among others", actual)
        elif not isinstance(actual, dict):
            self.differ(where, expected, actual)
        elif "mark" in expected:
            place = self.source.file, self.source.place(expected["mark"])[1]
            said = actual.get("file"), actual.get("line")
            if said != place and not (said == (None, None) and self.source.may_lack_lines):
                self.differ(where, place, actual)
        else:
            for name, value in expected.items():
                if name not in actual:
                    self.differ(f"{where}.{name}", value, "nothing")
                else:
                    self.compare(f"{where}.{name}", value, actual[name])

    def compare_list(self, where, expected, actual):
        if not isinstance(actual, list) or len(expected) != len(actual):
            self.differ(where, expected, actual)
            return
        for i, (one, other) in enumerate(zip(expected, actual)):
            self.compare(f"{where}[{i}]", one, other)


@contextlib.contextmanager
def file_of(lines):
    """An open file with these lines."""
    with tempfile.NamedTemporaryFile("w+", prefix="questions-") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        file.seek(0)
        yield file


def without_ages(value):
    """The common part of two readings of a job that does not move."""
    if isinstance(value, dict):
        return {name: without_ages(one) for name, one in value.items() if name != "age_s"}
    return [without_ages(one) for one in value] if isinstance(value, list) else value


class HandleTest:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.source = Source(arguments.source)
        self.head = Head(arguments.source)

    @staticmethod
    def lines(told):
        """The questions of all ranks as lines of a file."""
        return [f'--rank {one["rank"]} {question["ask"]}' for one in told for question in one["questions"]]

    def answers(self, target, lines, *options):
        """The answers of one start of the command to these lines, and its Result. The answers are the document's, or None."""
        with file_of(lines) as file:
            result = self.command.run("handle", target, "--json", *options, "--questions", "-", stdin=file)
        document = result.document() or {}
        answers = document.get("answers")
        wanted = [(line, number) for number, line in enumerate(lines, 1)]
        if (
            (document.get("schema"), document.get("verb")) != ("mpilens/1", "handle")
            or not isinstance(answers, list)
            or [(answer["question"], answer["line"]) for answer in answers] != wanted
            or result.status != max(answer["status"] for answer in answers)
        ):
            return None, result
        return answers, result

    def wrong(self, question, answer, rank):
        if "fails" in question:
            right = (
                answer["status"] in (USAGE, UNREADABLE)
                and "handle" not in answer
                and question["fails"] in answer["failed"]
            )
            return [] if right else [f'expected to fail with {question["fails"]!r}']
        if answer["status"] != 0 or "failed" in answer:
            return ["expected an answer"]
        answers = Answers(self.source)
        answers.compare("handle", question["answer"], answer["handle"])
        answers.compare("handle.rank", rank, answer["handle"].get("rank"))
        if answer["handles"] != [answer["handle"]]:
            answers.differ("handles", "the handle alone", answer["handles"])
        return answers.differences

    def ask(self, told, target, *options):
        """Asks all questions of these ranks; how many answers were wrong."""
        wrong = 0
        asked = [(one["rank"], question) for one in told for question in one["questions"]]
        answers, result = self.answers(target, self.lines(told), *options)
        if answers is None:
            print(f"{target}: no document with all answers", result)
            return 1
        for (rank, question), answer in zip(asked, answers):
            found = self.wrong(question, answer, rank)
            if found:
                wrong += 1
                print(f'rank {rank}, {question["ask"]}:', *found, answer.get("failed", ""), sep="\n  ")
        print(f"{target}: {len(asked)} questions, {wrong} wrong answers")
        return wrong

    def ask_snapshot(self, told, job):
        """Snapshots answer everything except variables and statuses, and must say so."""
        path = os.path.join(job.directory, "job.mpilens")
        saved = self.command.run("snapshot", "-o", path, job.launcher)
        if saved.status != 0 or saved.diagnostics:
            print(saved)
            return 1
        in_vain = [{"ask": words, "fails": "snapshot"} for words in ("main::local", "status 0x10")]
        return self.ask(
            [{**one, "questions": list(filter(self.is_by_value, one["questions"])) + in_vain} for one in told], path
        )

    @staticmethod
    def is_by_value(question):
        *kind, value = question["ask"].split()
        return "status" not in kind and value.lstrip("-")[:1].isdigit()

    def told_of_lines(self, cases, target):
        """Faults of a file are told with its name and the line, and its other questions are answered."""
        wrong = 0
        lines = ["# ignored, and so is", ""] + [words for words, _, _ in cases] + ["comm MPI_COMM_WORLD"]
        with file_of(lines) as file:
            result = self.command.run("handle", target, "--questions", file.name)
            for number, (words, _, text) in enumerate(cases, 3):
                if not any(
                    line.startswith(f"mpilens: {file.name}:{number}: ") and text in line
                    for line in result.diagnostics.splitlines()
                ):
                    wrong += 1
                    print(f'"{words}": expected {text!r} of line {number}', result.diagnostics)
        if result.status != UNREADABLE or not result.output.startswith(f"==> {lines[-1]} <==\ncommunicator "):
            wrong += 1
            print("expected the page of the last line", result)
        return wrong

    def wrong_usage(self, target):
        """Messages to the user, and the exit status of each."""
        cases = (
            ("comm", UNREADABLE, "no variable"),
            ("0x1", USAGE, "kind"),
            ("nothing 0x1", USAGE, "no kind"),
            ("comm 12x", USAGE, "number"),
            ("comm 0x1 0x2", USAGE, "kind"),
            ("comm 0x1 --rank 77", UNREADABLE, "no rank 77"),
            ("type 0x1", UNREADABLE, "not found"),
            ("--json comm 0x1", USAGE, "no option"),
            ("comm 0x1 --rank", USAGE, "--rank"),
        )
        wrong = self.told_of_lines((*cases, ("comm " + "0" * 2000, USAGE, "bytes")), target)
        answers, result = self.answers(target, [words for words, _, _ in cases])
        for (words, status, text), answer in zip(cases, answers or []):
            if answer["status"] != status or text not in answer.get("failed", ""):
                wrong += 1
                print(f'"{words}": expected status {status} and {text!r}', answer)
        if answers is None:
            wrong += 1
            print(result)
        for words, text in (
            ("", "kind"),
            ("comm 0x1 0x2", "kind"),
            ("comm 0x1 --questions /dev/null", "'comm' is neither a process nor a file"),
        ):
            result = self.command.run("handle", target, *words.split())
            if result.status != USAGE or text not in result.diagnostics or result.output:
                wrong += 1
                print(f'"{words}": expected {text!r}', result)
        return wrong

    def differs_alone(self, line, answer, target):
        """A question on the command line has the answer that it has in a file."""
        result = self.command.run("handle", target, "--json", *line.split())
        if result.status != answer["status"]:
            return f'status {answer["status"]} in a file'
        if result.status == 0:
            document = result.document() or {}
            same = all(without_ages(document.get(name)) == without_ages(answer[name]) for name in ("handle", "handles"))
            return "" if same else "another handle in a file"
        told = [line.removeprefix("mpilens: ") for line in result.diagnostics.splitlines()]
        return "" if told[0] in answer["failed"].splitlines() and result.output == "" else "another sentence in a file"

    def ask_alone(self, told, target):
        """One question that has an answer, one that names nothing and a wrong one: how many differ from those in a file."""
        wrong = 0
        lines = [self.first_answered(told), "type 0x1", "comm 12x"]
        answers, result = self.answers(target, lines)
        if answers is None or [answer["status"] for answer in answers] != [0, UNREADABLE, USAGE]:
            print("three questions", result)
            return 1
        for line, answer in zip(lines, answers):
            difference = self.differs_alone(line, answer, target)
            if difference:
                wrong += 1
                print(f'"{line}" alone: {difference}', answer)
        return wrong

    def pages_are_wrong(self, told, target):
        """The page of a handle begins with the sentence that the document has, and has its question above it in a file."""
        first = self.first_answered(told)
        lines = [first, "comm MPI_COMM_WORLD"]
        answers, result = self.answers(target, lines)
        if answers is None:
            print(result)
            return 1
        with file_of(lines) as file:
            pages = self.command.run("handle", target, "--questions", file.name)
        page = self.command.run("handle", target, *first.split())
        heads = [f'==> {line} <==\n{answer["handle"]["summary"]}\n' for line, answer in zip(lines, answers)]
        if (
            pages.output.startswith(heads[0])
            and "\n\n" + heads[1] in pages.output
            and page.output.startswith(heads[0].split("\n", 1)[1])
        ):
            return 0
        print(f"{heads!r} do not begin the pages", pages, page)
        return 1

    @staticmethod
    def first_answered(told):
        return f'--rank {told[0]["rank"]} ' + next(
            question["ask"] for question in told[0]["questions"] if "answer" in question
        )

    def run(self):
        program = os.path.abspath(self.arguments.program)
        with Job(self.arguments.mpiexec, self.head.ranks, [self.command.path, "run", program]) as job:
            job.wait_ready()
            told = job.expectations()
            wrong = self.ask(told, job.launcher)
            if IS_FULL or self.head.all_forms:  # how it is asked does not depend on the objects
                wrong += self.ask_alone(told, job.launcher)
                wrong += self.wrong_usage(job.launcher)
                wrong += self.pages_are_wrong(told, job.launcher)
                wrong += self.ask([{**one, "questions": one["questions"][-6:]} for one in told], job.launcher, "--stop")
            wrong += self.ask_snapshot(told, job)
            if reads_all_forms(self.head) and shutil.which("gcore"):
                for one, core in zip(told, job.dump_cores([one["pid"] for one in told])):
                    wrong += self.ask([one], core)
            for interface in (mpidbg_questions, mpid_test):  # the last one stops the ranks
                wrong += sum(interface.look(one, self.arguments.runtime, self.arguments.dll) for one in told)
        return wrong


def main():
    try:
        return 0 if HandleTest(parse_arguments()).run() == 0 else 1
    except JobFailed as failure:
        print(failure)
        return 1


if __name__ == "__main__":
    sys.exit(main())
