# SPDX-License-Identifier: BSD-3-Clause
"""The source lines that `mpilens why` shows, of programs in C, Fortran and Python: the right lines with the call underlined, on the page, too;
and what is said if the file has changed, is gone, is in another directory, or is none."""
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lib.command import argument_parser, Command
from lib.job import HANG_SECONDS, Job, wait_until
from lib.python_mpi import environment_of, has_mpi4py
from lib.report import Report
from lib.source import Source

RANKS = 3
WHY = ["why", "--interval", "0.2"]
GUARD_SECONDS = 2
PLACE = re.compile(r"^  (\S+):(\d+), (ranks? .+)$")
LINE = re.compile(r"^    ( *)(\d+) \|(?: (.*))?$")
MARK = re.compile(r"^ +\| ( *)(\^~*)$")
PRE = re.compile(r'<p class="place">(.*?)</p>\n<div class="scroll"[^>]*><pre>(.*?)</pre>', re.DOTALL)


class Excerpt:
    def __init__(self, path, line, ranks):
        self.path, self.line, self.ranks = path, int(line), ranks
        self.lines = {}
        self.marked = None


def excerpts(text):
    found = []
    for line in text.splitlines():
        place, numbered, mark = PLACE.match(line), LINE.match(line), MARK.match(line)
        if place:
            found.append(Excerpt(*place.groups()))
        elif numbered and found:
            found[-1].lines[int(numbered.group(2))] = numbered.group(3) or ""
        elif mark and found:
            column = len(mark.group(1))
            found[-1].marked = found[-1].lines[found[-1].line][column : column + len(mark.group(2))]
    return found


class SourceTest(Report):
    def __init__(self, arguments, directory):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.directory = directory

    def why(self, *arguments, **options):
        return self.command.run(*WHY, *arguments, cwd=self.directory, **options).output

    def copy(self, name):
        """Into the directory; (path, places)."""
        source = os.path.join(self.arguments.sources, name)
        path = shutil.copy(source, self.directory)
        return path, Source(source)

    def named(self, one):
        return os.path.join(self.directory, one.path), one.line, one.ranks, one.marked

    def expect(self, what, text, path, places, marked):
        with open(path) as file:
            lines = [line.rstrip("\n").expandtabs() for line in file]
        shown = excerpts(text)
        wanted = [
            (path, places.place("gather")[1], "rank 2", marked[0]),
            (path, places.place("allreduce")[1], "ranks [0,1]", marked[1]),
        ]
        found = [self.named(one) for one in shown]
        self.check(found == wanted, f"{what}: {found} instead of {wanted}:\n{text}")
        for one in shown:
            for number, line in one.lines.items():
                self.check(
                    line == lines[number - 1], f"{what}, line {number}: {line!r} instead of {lines[number - 1]!r}"
                )
            numbers = list(one.lines)
            self.check(numbers == [one.line - 2, one.line - 1, one.line], f"{what}: lines {numbers}")

    def job(self, line, environment=None):
        return Job(self.arguments.mpiexec, RANKS, [self.command.path, "run", *line], environment=environment)

    def verdict(self, job):
        """As text, as soon as the ranks have come to disagree."""
        last = [""]

        def is_there():
            last[0] = self.why(job.launcher)
            return "rank 2 (1 of 3 ranks) calls" in last[0]

        if not wait_until(is_there, HANG_SECONDS, 0.2):
            raise SystemExit(f"the ranks do not disagree:\n{last[0]}\n{job.printed()}")
        job.demote()
        return last[0]

    def in_language(self, name, marked, compiler=None, line=(), environment=None):
        path, places = self.copy(name)
        program = [self.compile(compiler, path)] if compiler else [*line, path]
        with self.job(program, environment) as job:
            text = self.verdict(job)
            self.expect(name, text, path, places, marked)

    @staticmethod
    def compile(compiler, path):
        program = path + ".out"
        subprocess.run([compiler, "-g", "-O0", "-o", program, path], check=True)
        return program

    def page(self, snapshot, path, places):
        page = os.path.join(self.directory, "page.html")
        self.why("--html", page, snapshot)
        with open(page) as file:
            found = PRE.findall(file.read())
        wanted = [places.place(mark)[1] for mark in ("gather", "allreduce")]
        with open(path) as file:
            lines = [line.rstrip("\n").expandtabs() for line in file]
        self.check(len(found) == len(wanted), f"the page has {found}")
        for line, (place, text) in zip(wanted, found):
            plain = html.unescape(re.sub("<[^>]*>", "", text)).splitlines()
            numbers = range(line - 5, min(line + 5, len(lines)) + 1)
            self.check(f":{line}, " in place, f"page: {place}")
            self.check(
                plain == [f"{number:>2} | {lines[number - 1]}" for number in numbers], f"page, line {line}: {plain}"
            )
            self.check(re.findall("<mark>(.*?)</mark>", text) in (["MPI_Gather"], ["MPI_Allreduce"]), f"page: {text}")

    def moved(self, snapshot, path, places, marked):
        """The file is changed, then gone, then none."""
        os.utime(path)
        text = self.why(snapshot)
        self.check("\n  gather.c has changed since gather.c.out was built\n" in text, f"changed:\n{text}")
        self.check(not excerpts(text), f"changed, and shown:\n{text}")
        other = os.path.join(self.directory, "other")
        os.mkdir(other)
        shutil.move(path, other)
        text = self.why(snapshot)
        self.check("\n  gather.c is not here: --source DIR looks for it in DIR\n" in text, f"gone:\n{text}")
        text = self.why("--source", self.directory, "--source", other, snapshot)
        self.expect("--source", text, os.path.join(other, "gather.c"), places, marked)
        os.mkfifo(path)
        text = self.why(snapshot)
        self.check("\n  gather.c is no regular file, and is not opened\n" in text, f"FIFO:\n{text}")
        os.unlink(path)
        os.symlink("/etc/shadow", path)
        text = self.why(snapshot)
        self.check(not excerpts(text) and "\n  gather.c" in text, f"a secret file:\n{text}")

    def outside(self, program, path, places):
        """The place of a rank that is in no call of MPI, and the function of the system that it has called."""
        line = places.place("pause")[1]
        last = []

        def is_shown():
            last[:] = [self.why("--patience", "0.2", job.launcher)]
            return (path, line, "rank 2", "pause") in [self.named(one) for one in excerpts(last[0])]

        with self.job([program, "outside"]) as job:
            self.check(wait_until(is_shown, HANG_SECONDS, 0.2), f"outside MPI: line {line} is not shown:\n{last}")

    def guard(self, program, path, places, marked):
        line = [
            self.command.path,
            "guard",
            "--timeout",
            str(GUARD_SECONDS),
            "--no-snapshot",
            "--mpi",
            self.arguments.flavour,
        ]
        mpiexec = [self.arguments.mpiexec, "-n", str(RANKS), program]
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        for options, is_shown in ([], True), (["--no-source"], False):
            result = subprocess.run(
                [*line, *options, "--", *mpiexec], capture_output=True, text=True, cwd=self.directory, env=environment
            )
            if is_shown:
                self.expect("guard", result.stderr, path, places, marked)
            else:
                self.check(not excerpts(result.stderr), f"guard --no-source:\n{result.stderr}")

    def in_c(self):
        marked = ["MPI_Gather", "MPI_Allreduce"]
        path, places = self.copy("gather.c")
        program = self.compile(self.arguments.compiler, path)
        snapshot = os.path.join(self.directory, "snapshot")
        with self.job([program]) as job:
            text = self.verdict(job)
            self.expect("C", text, path, places, marked)
            self.check(not excerpts(self.why("--no-source", job.launcher)), "--no-source shows lines")
            self.command.run("snapshot", "--interval", "0.2", "-o", snapshot, job.launcher)
        self.expect("snapshot", self.why(snapshot), path, places, marked)
        evidence = self.command.run("why", "--json", snapshot).document()["findings"][0]["evidence"]
        there = {(one["path"], one["line"], one["function"]) for one in evidence}
        wanted = {(path, places.place(mark)[1], "main") for mark in ("gather", "allreduce")}
        self.check(there == wanted, f"--json: {there} instead of {wanted}")
        self.page(snapshot, path, places)
        self.outside(program, path, places)
        if self.arguments.guard:
            self.guard(program, path, places, marked)
        self.moved(snapshot, path, places, marked)

    def run(self):
        self.in_c()
        if self.arguments.fortran:
            self.in_language("gather.f90", ["mpi_gather", "mpi_allreduce"], compiler=self.arguments.fortran)
        python, path, library = self.arguments.python
        if has_mpi4py(python, path, library):
            self.in_language("gather.py", ["Gather", "Allreduce"], line=[python], environment=environment_of(path))
        else:
            print(f"SKIPPED: {python} has no mpi4py for {library}")
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True)
    parser.add_argument("--sources", required=True, help="directory with gather.c, gather.f90 and gather.py")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--fortran", help="a compiler; empty: there is none")
    parser.add_argument("--guard", action="store_true", help="what guard says, too")
    parser.add_argument("--python", nargs=3, metavar=("PYTHON", "PYTHONPATH", "LIBRARY"), help="as of matrix_test.py")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mpilens-source-") as directory:
        os.chmod(directory, 0o755)
        return SourceTest(arguments, directory).run()


if __name__ == "__main__":
    sys.exit(main())
