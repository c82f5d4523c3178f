# SPDX-License-Identifier: BSD-3-Clause
"""Names that attack a terminal and names that are too long for it: the output of the verbs on terminals of 60, 80 and 100 columns, and
gdb's on its own. No byte of a name is obeyed, no line is too wide, no place in the source is cut, and the names can be read."""
import json
import os
import re
import sys
import tempfile

from gdb_test import install
from lib.command import Command, argument_parser
from lib.gdb import Gdb
from lib.job import Job, wait_until
from lib.patience import at_most
from lib.report import Report
from lib.terminal import columns_of, run_on_terminal

RANKS = 3
SECONDS = at_most(60)
WIDTHS = 60, 80, 100
FILE = "exchange_of_halos_in_three_dimensions.c"
PLACE = re.compile(FILE.replace(".", r"\.") + r":1\d\d\d\b")
WITHOUT_LINE = re.compile(FILE.replace(".", r"\.") + r"\s+is\s+not\s+here\b")
# {name: how it is shown}
NAMES = {
    "hostile": (
        b"R\xc3\xa4nder \xe6\x97\xa5\xe6\x9c\xac\nrank 9: all is well\x1b]0;owned\x07\x1b[2J\t\xff\xe2\x80\xaex\xc2\x9b1m",
        r"Ränder 日本\nrank 9: all is well\x1b]0;owned\x07\x1b[2J\t\xff\xe2\x80\xaex\xc2\x9b1m",
    ),
    "long": (
        b"the communicator of all ranks that exchange halos_in_three_dimensions_with_all_of_their_neighbours and more",
        "the communicator of all ranks that exchange halos_in_three_dimensions_with_all_of_their_neighbours and more",
    ),
}
# For each verb: arguments behind the target, whether it shows names, how many places it shows at least.
LOOKS = [
    ("list", [], False, 0),
    ("show", [], True, 2),
    ("show", ["--all", "--objects"], True, 4),
    ("why", [], True, 1),
    ("leaks", [], False, 4),
    ("handle", ["comm"], True, 1),
    ("handle", ["datatype"], True, 2),
]
GDB_COMMANDS = [
    "info mpi",
    "info mpi queues",
    "info mpi comms",
    "info mpi types",
    "info mpi requests",
    "info mpi calls",
    "mpi handle comm",
    "mpi handle type",
    "mpi handle info",
    "print comm",
    "bt",
]
WITHOUT_NAME = "info mpi", "info mpi requests", "bt"
# Characters of a name that MQD has.
MQD_CHARACTERS = 60


def without_blanks(text):
    return re.sub(r"\s", "", text)


def letters(text):
    return "".join(filter(str.isalnum, text))


def without_colors(written):
    return re.sub(rb"\x1b\[[0-9;]*m", b"", written)


def obeyed(text):
    """Characters that a terminal obeys, but for line ends."""
    return sorted({one for one in text if one != "\n" and (not one.isprintable() or one == "\ufffd")})


class OddNamesTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm")

    def check_text(self, title, written, name):
        """`name`: as it must be shown, None: it need not be."""
        text = written.decode("utf-8", "replace")
        self.check(not obeyed(text), f"{title}: {obeyed(text)} come out:\n{text!r}")
        self.check(
            name is None or without_blanks(name) in without_blanks(text), f"{title}: the name is not shown:\n{text}"
        )
        return text

    def look(self, target, columns, name, values):
        """`values`: of handles by kind."""
        for verb, more, has_names, places in LOOKS:
            title = f'{name}, {columns} columns: {verb} {" ".join(more)}'
            line = [self.command.path, verb, target, *more, *(values[kind] for kind in more if kind in values)]
            # A name that sets colours would be taken for ours, so there is none.
            text = self.check_text(
                title,
                without_colors(run_on_terminal(columns, line, self.environment)),
                NAMES[name][1] if has_names else None,
            )
            wide = [line for line in text.split("\n") if columns_of(line) > columns]
            self.check(not wide, f"{title}: too wide: {wide}")
            blank = [line for line in text.split("\n") if line.endswith(" ")]
            self.check(not blank, f"{title}: blanks at the end: {blank}")
            self.check(len(PLACE.findall(text)) >= places, f"{title}: fewer than {places} whole places:\n{text}")
            rest = WITHOUT_LINE.sub("", PLACE.sub("", text))
            self.check("exchange_of" not in rest, f"{title}: a place is cut:\n{text}")

    def look_into_documents(self, target, name, values):
        """Documents have the name, and U+FFFD for what is not UTF-8 in it."""
        expected = NAMES[name][0].decode("utf-8", "replace")
        for kind, value in values.items():
            result = self.command.run("handle", target, "--json", kind, value)
            handle = json.dumps((result.document() or {}).get("handle"), ensure_ascii=False)
            self.check(
                letters(expected) in letters(handle) and ("\ufffd" in expected) == ("\ufffd" in handle),
                f"{name}: the document does not have the name: {result}",
            )

    def look_with_gdb(self, pid, what):
        """The output of gdb's commands."""
        shown = NAMES[what][1]
        with tempfile.TemporaryDirectory(prefix="mpilens-gdb-") as directory:
            script = os.path.join(install(self.arguments.build, directory), "gdb", "mpilens.py")
            output = Gdb(["-ex", f"source {script}"]).run(["-p", str(pid)], GDB_COMMANDS)
        for part in output.split("\n== ")[1:]:
            command = part.split("\n")[0]
            text = self.check_text(
                f"{what}, gdb: {command}", part.encode(), None if command in WITHOUT_NAME else shown[:MQD_CHARACTERS]
            )
            self.check("Python Exception" not in text and "Error" not in text, f"{what}, gdb: {command}:\n{text}")
        self.check(output.count("\n== ") == len(GDB_COMMANDS), f"gdb has not done all:\n{output}")

    def look_for_colors(self, target):
        for changed, has_colors in (({}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)):
            line = [self.command.path, "why", target]
            written = run_on_terminal(80, line, {**self.environment, "NO_COLOR": "", **changed})
            self.check((b"\x1b[" in written) == has_colors, f"colors with {changed}: {written}")

    def is_hung(self, job):
        return job.has_ended() or self.command.run("why", "--interval", "0.1", job.launcher).status == 1

    def run(self):
        for what, (name, _shown) in NAMES.items():
            with Job(
                self.arguments.mpiexec,
                RANKS,
                [self.command.path, "run", os.path.abspath(self.arguments.program)],
                environment={"ODD_NAME": os.fsdecode(name)},
            ) as job:
                job.wait_ready()
                self.check(wait_until(lambda job=job: self.is_hung(job), SECONDS), f"{what}: it does not hang")
                snapshot = os.path.join(job.directory, "snapshot")
                self.command.run("snapshot", "-o", snapshot, job.launcher)
                rank = self.command.show("--json", "--rank", "0", snapshot).document()["processes"][0]
                values = {
                    "comm": rank["communicators"][-1]["handle"],
                    **{
                        kind: next(one["handle"] for one in rank["objects"] if one["kind"] == kind)
                        for kind in ("datatype", "info")
                    },
                }
                self.look_into_documents(snapshot, what, values)
                self.look_with_gdb(rank["pid"], what)
                self.look_for_colors(snapshot)
                for columns in WIDTHS:
                    self.look(snapshot, columns, what, values)
        return self.end()


if __name__ == "__main__":
    parser = argument_parser(__doc__)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("program")
    sys.exit(OddNamesTest(parser.parse_args()).run())
