# SPDX-License-Identifier: BSD-3-Clause
"""What the head comment of a program of verdicts/ says of it. Run: checks the heads of the programs that are named.

    EXPECT KIND ranks LIST culprits LIST lines MARK,MARK     the one finding; or: EXPECT none
    RANKS 4                                                  of the job
    OPTIONS --patience 1                                     of mpilens why
    LAUNCHER mpich -disable-auto-cleanup                     of the mpiexec of that MPI
    NEEDS MPI_Psend_init                                     not for MPIs that have not got it
    ONLY openmpi                                             not for others
    WITHOUT cores                                            what is wrong cannot be seen in core files
    ENDS sometimes                                           MPI may let it end instead: it is started until it does not

Lists of ranks are as 0,2-5. Alternatives stand as A|B: kinds, or marks (see source.py) of which one must be named."""
import re
import sys

from source import Source

KINDS = {'deadlock', 'waiting-for-rank', 'tag-mismatch', 'communicator-mismatch', 'size-mismatch', 'source-mismatch',
         'collective-mismatch', 'collective-missing', 'lock-wait', 'no-match', 'queue-growth'}
HEAD = re.compile(r'^(?:/\*| \*|!) ?(EXPECT|RANKS|OPTIONS|LAUNCHER|NEEDS|ONLY|WITHOUT|ENDS) (.*)$')
FINDING = re.compile(r'^(\S+) ranks (\S+) culprits (\S+) lines (\S+)$')


def parse_ranks(text):
    """'0,2-4' -> {0, 2, 3, 4}"""
    ranks = set()
    for part in text.split(','):
        first, _, last = part.partition('-')
        ranks.update(range(int(first), int(last or first) + 1))
    return ranks


class Expectation:
    def __init__(self, path):
        self.kinds = None  # None: no finding
        self.culprits = self.concerned = set()
        self.lines = []  # of alternatives
        self.ranks = 0
        self.options = []
        self.launcher_options = {}
        self.without = set()
        self.may_end = False
        found = False
        with open(path) as file:
            for text in file:
                head = HEAD.match(text.rstrip())
                if head:
                    found |= head.group(1) == 'EXPECT'
                    self.take(path, *head.groups())
        if not found or self.ranks < 1:
            raise ValueError(f'{path}: no EXPECT or no RANKS')

    def take(self, path, keyword, value):
        if keyword == 'EXPECT' and value != 'none':
            finding = FINDING.match(value)
            if not finding:
                raise ValueError(f'{path}: EXPECT {value}')
            self.kinds = finding.group(1).split('|')
            self.culprits = parse_ranks(finding.group(3))
            self.concerned = parse_ranks(finding.group(2)) | self.culprits
            self.lines = [one.split('|') for one in finding.group(4).split(',')]
        elif keyword == 'RANKS':
            self.ranks = int(value)
        elif keyword == 'OPTIONS':
            self.options = value.split()
        elif keyword == 'LAUNCHER':
            mpi, *options = value.split()
            self.launcher_options[mpi] = options
        elif keyword == 'WITHOUT':
            self.without = set(value.split())
        elif keyword == 'ENDS':
            self.may_end = value == 'sometimes'

    def check(self, path):
        """Whether what it says can be."""
        source = Source(path)
        for mark in (mark for alternatives in self.lines for mark in alternatives):
            source.place(mark)
        if not set(self.kinds or ()) <= KINDS:
            raise ValueError(f'{path}: no such kind: {self.kinds}')
        if not self.concerned <= set(range(self.ranks)):
            raise ValueError(f'{path}: a rank that is not there')


def main():
    for path in sys.argv[1:]:
        Expectation(path).check(path)
    print(f'{len(sys.argv) - 1} heads are right')


if __name__ == '__main__':
    main()
