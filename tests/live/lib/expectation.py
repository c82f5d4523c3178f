# SPDX-License-Identifier: BSD-3-Clause
"""The expectation in the head comment of a program of verdicts/. Run: checks the heads of the programs that are named.

    EXPECT KIND ranks LIST culprits LIST lines MARK,MARK     the one finding; or: EXPECT none
                                                         (no lines of the program can be named: -)
    SAYS TEXT                                                which stands somewhere in the finding
    ENDS sometimes                                           MPI may let it end instead: it is started until it does not

and what head.py knows: ranks of the job, options of mpilens why, and where it is checked. Lists of ranks are as 0,2-5.
Alternatives stand as A|B: kinds, or marks (see source.py) of which one must be named."""
import re
import sys

from lib.head import Head
from lib.kinds import finding_kinds
from lib.source import Source

KINDS = finding_kinds()
FINDING = re.compile(r"^(\S+) ranks (\S+) culprits (\S+) lines (\S+)$")


def parse_ranks(text):
    """'0,2-4' -> {0, 2, 3, 4}"""
    ranks = set()
    for part in text.split(",") if text != "none" else []:
        first, _, last = part.partition("-")
        ranks.update(range(int(first), int(last or first) + 1))
    return ranks


class Expectation(Head):
    def __init__(self, path):
        self.found = False
        self.kinds = None  # None: no finding
        self.culprits = self.concerned = set()
        self.lines = []  # of alternatives
        self.said = []
        self.may_end = False
        super().__init__(path)
        if not self.found or self.ranks < 1 or not self.mpis:
            raise ValueError(f"{path}: no EXPECT, no RANKS or no CHECK")

    def take(self, keyword, value):
        if keyword == "EXPECT":
            self.found = True
            if value != "none":
                self.take_finding(value)
        elif keyword == "SAYS":
            self.said.append(value)
        elif keyword == "ENDS":
            self.may_end = value == "sometimes"
        else:
            super().take(keyword, value)

    def take_finding(self, value):
        finding = FINDING.match(value)
        if not finding:
            raise ValueError(f"{self.path}: EXPECT {value}")
        self.kinds = finding.group(1).split("|")
        self.culprits = parse_ranks(finding.group(3))
        self.concerned = parse_ranks(finding.group(2)) | self.culprits
        lines = finding.group(4)
        self.lines = [one.split("|") for one in lines.split(",")] if lines != "-" else []

    def check(self, path):
        """Whether what it says can be."""
        source = Source(path)
        for mark in (mark for alternatives in self.lines for mark in alternatives):
            source.place(mark)
        if not set(self.kinds or ()) <= KINDS:
            raise ValueError(f"{path}: no such kind: {self.kinds}")
        if not self.concerned <= set(range(self.ranks)):
            raise ValueError(f"{path}: a rank that is not there")


def main():
    for path in sys.argv[1:]:
        Expectation(path).check(path)
    print(f"{len(sys.argv) - 1} heads are right")


if __name__ == "__main__":
    main()
