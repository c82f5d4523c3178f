# SPDX-License-Identifier: BSD-3-Clause
"""Starts the jobs of which README and the pages of doc/ show output, and asks as they do. Such a block stands below a comment,
<!-- SOURCE as PROGRAM -->, and has commands behind "$ ", with what they print; a job that hangs has the runtime unless the comment ends with
", unprepared"; with ", ended" it is asked about when it has ended. Each line that is shown must be printed, in this order; numbers of seconds and of processes may differ, and how
columns are spaced."""
import os
import re
import subprocess
import sys
import tempfile

from lib.command import Command, argument_parser
from lib.job import HANG_SECONDS, Job, run_test, wait_until
from lib.report import Report

RANKS = 4
BLOCK = re.compile(r"^<!-- (\S+\.c) as (\w+)(?:, (unprepared|ended))? -->\n+```\n(.*?)^```$", flags=re.M | re.S)
VARIES = [
    (r"\b\d+(\.\d+)? s\b", "1 s"),
    (r"\b(process|pid|gdb \d+|handle) \d+\b", r"\1 1"),
    (r"on \w+: mpilens gdb", "on vm: mpilens gdb"),
    (r"\bmpiexec\.\w+", "mpiexec"),
    (r"unique id +\d+", "unique id 1"),
    (r"[└├`|]─?-?", "`-"),
    (r"\s+", " "),
]


def plain(line):
    for pattern, replacement in VARIES:
        line = re.sub(pattern, replacement, line)
    return line.strip()


def missing_line(shown, printed):
    """The first line that is not printed after those before it."""
    left = iter(printed)
    return next((line for line in shown if plain(line) not in left), None)


class PagesTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def compile(self, source, name, directory):
        program = os.path.join(directory, name)
        path = os.path.join(directory, name + ".c")
        os.symlink(os.path.join(self.arguments.pages, source), path)
        subprocess.run([self.arguments.mpicc, "-g", "-O2", path, "-o", program], check=True)
        return program

    def compare(self, page, job, question, target, shown):
        words = [str(target) if re.fullmatch(r"\d{3,}", word) else word for word in question.split()[1:]]
        if str(target) not in words:
            words.append(str(target))
        answers = []
        place = os.path.dirname(job.arguments[-1])

        def printed():
            return (plain(line.replace(place, ".")) for line in answers[-1].output.splitlines())

        def is_shown():
            answers.append(self.command.run(*words))
            return missing_line(shown, printed()) is None

        if not wait_until(is_shown, HANG_SECONDS, pause=0.2):
            line = missing_line(shown, printed())
            self.check(False, f"{page}: '{question}' does not print\n{line}\n{answers[-1]}")

    def show(self, page, source, name, state, text):
        parts = re.split(r"^\$ (.*)\n", text, flags=re.M)
        questions = [(parts[i], parts[i + 1].splitlines()) for i in range(1, len(parts), 2)]
        with tempfile.TemporaryDirectory(prefix="mpilens-pages-") as directory:
            program = self.compile(source, name, directory)
            boxes = os.path.join(directory, "boxes")
            run = [] if state == "unprepared" else [self.arguments.mpilens, "run", "--keep", boxes]
            with Job(self.arguments.mpiexec, RANKS, [*run, program]) as job:
                ends = state == "ended"
                self.check(not ends or wait_until(job.has_ended, HANG_SECONDS), f"{page}: {name} does not end")
                for question, shown in questions:
                    if question.startswith("mpilens "):
                        self.compare(page, job, question, boxes if ends else job.launcher, list(filter(None, shown)))

    def run(self):
        blocks = 0
        doc = os.path.join(self.arguments.sources, "doc")
        for page in ("README.md", *(f"doc/{one}" for one in sorted(os.listdir(doc)) if one.endswith(".md"))):
            with open(os.path.join(self.arguments.sources, page), encoding="utf-8") as file:
                for block in BLOCK.findall(file.read()):
                    self.show(page, *block)
                    blocks += 1
        self.check(blocks > 0, "no page has output that can be compared")
        print(f"{blocks} blocks of output")
        return self.end() == 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    parser.add_argument("--sources", required=True, help="directory with README.md")
    parser.add_argument("--pages", required=True, help="directory of the programs")
    return run_test(PagesTest(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
