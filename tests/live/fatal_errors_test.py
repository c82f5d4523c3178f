# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that MPI ends with an error: from what outlives them, `mpilens why` names the call, its place and the error class, and
of messages that are too long the sender."""
import os
import re
import subprocess
import sys
import tempfile

from lib.command import Command, argument_parser
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fatal_errors.c")
# A case may be broken behind its classes.
CASE = re.compile(r"CASE\((\w+), ([A-Z_| ]*),\s+(MPI_\w+)\(")
SENDER = "SENDER"


def read_cases():
    """[(name, classes, function, line)], and the line of the sender."""
    with open(SOURCE) as file:
        text = file.read()
    found = []
    for match in CASE.finditer(text):
        name, classes, function = match.groups()
        found.append((name, classes.replace(" ", "").split("|"), function, text.count("\n", 0, match.start()) + 1))
    return found, text.count("\n", 0, text.index(SENDER)) + 1


class FatalErrorsTest(Report):
    def __init__(self, arguments, directory):
        super().__init__()
        self.arguments = arguments
        self.directory = directory
        self.command = Command(arguments.mpilens)
        self.program = os.path.join(directory, "fatal_errors")
        self.boxes = os.path.join(directory, "boxes")

    def finding(self, name):
        """(first finding, everything) of a job that makes this call."""
        line = [self.arguments.mpiexec, "-n", "2", self.command.path, "run", "--keep", self.boxes, self.program, name]
        ended = subprocess.run(
            line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS
        )
        self.check(ended.returncode != 0, f"{name}: MPI has not ended the job")
        result = self.command.run("why", "--json", self.boxes)
        findings = (result.document() or {}).get("findings", [])
        for box in os.listdir(self.boxes):
            os.unlink(os.path.join(self.boxes, box))
        return (findings[0] if findings else {"kind": "", "message": "", "culprits": []}), result

    def case(self, name, classes, function, line, sender):
        finding, result = self.finding(name)
        message = finding["message"]
        places = [f"fatal_errors.c:{one}" for one in (line, line + 1)]
        self.check(finding["kind"] == "mpi-error" and finding["culprits"] == [1], f"{name}: {result}")
        self.check(any(place in message for place in places), f"{name}: no {places}: {message}")
        if name == "abort":
            self.check(message.startswith("rank 1 ends the job: MPI_Abort with code 7"), message)
            return
        self.check(message.startswith(f"rank 1's {function}"), f"{name}: no {function}: {message}")
        self.check(any(f"failed with {one}" in message for one in classes), f"{name}: no {classes}: {message}")
        if name.startswith("truncate_"):
            too_long = f"it has room for 32 bytes and got a message of 40, 8 too many, sent by rank 0's MPI_Send at fatal_errors.c:{sender}"
            self.check(too_long in message, f"{name}: {message}")

    def run(self):
        flags = ["-g", "-o", self.program, SOURCE]
        subprocess.run([self.arguments.mpicc, *flags], check=True)
        cases, sender = read_cases()
        for name, classes, function, line in cases:
            self.case(name, classes, function, line, sender)
        return self.end() == 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mpilens-errors-") as directory:
        return 0 if FatalErrorsTest(arguments, directory).run() else 1


if __name__ == "__main__":
    sys.exit(main())
