# SPDX-License-Identifier: BSD-3-Clause
"""The way of testing that the head comment of a test program declares.

    RANKS 4                              of its job
    CHECK mpich openmpi, all forms       what ./check does of it; ./check --full does everything with every MPI
    CHECK mpich, parts                   of the forms, ./check reads the job in parts only
    UNPREPARED mpich                     ./check also asks about it when it runs without the runtime, with these MPIs
    OPTIONS --patience 1                 of the command
    START --synchronous                  options of mpilens run
    LAUNCHER mpich -disable-auto-cleanup of the mpiexec of that MPI
    NEEDS MPI_Psend_init                 not for MPIs that do not have it
    ONLY openmpi                         not for others
    WITHOUT cores                        what is wrong cannot be seen in core files
    WITHOUT boxes                        what is wrong is only seen in stacks, which black boxes do not have
    WITHOUT lines                        what is wrong is only seen in messages that other hosts do not send
    WITHOUT synchronous                  it is right that it relies on MPI buffering messages
    READS 40 1000                        how often ./check and ./check --full read a job that never rests

CHECK names the MPIs with which the program is run; where none of them is installed, it is the first one that is.
Without "all forms" or "parts", one form of the job is read (its processes, named by the launcher), not core files or snapshots.
"""
import re

from lib.length import IS_FULL

LINE = re.compile(r"^(?:/\*| \*|!|#) ?([A-Z]{4,}) (.*)$")
MPIS = {"mpich", "openmpi"}
ALL_FORMS = "all forms"
PARTS = "parts"


class Head:
    def __init__(self, path):
        self.path = path
        self.ranks = 0
        self.mpis = []
        self.all_forms = False
        self.parts = False
        self.unprepared = []
        self.options = []
        self.run_options = []
        self.launcher_options = {}
        self.needs = ""
        self.only = ""
        self.without = set()
        self.reads = 0
        with open(path) as file:
            for text in file:
                line = LINE.match(text.rstrip())
                if line:
                    self.take(*line.groups())

    def take(self, keyword, value):
        """Lines of other keywords are not of a head."""
        if keyword == "RANKS":
            self.ranks = int(value)
        elif keyword == "CHECK":
            mpis, _, forms = value.partition(", ")
            self.mpis = mpis.split()
            self.all_forms = forms == ALL_FORMS
            self.parts = forms in (ALL_FORMS, PARTS)
            if not self.mpis or not set(self.mpis) <= MPIS or forms not in ("", ALL_FORMS, PARTS):
                raise ValueError(f"{self.path}: CHECK {value}")
        elif keyword == "UNPREPARED":
            self.unprepared = value.split()
            if not set(self.unprepared) <= MPIS:
                raise ValueError(f"{self.path}: UNPREPARED {value}")
        elif keyword == "OPTIONS":
            self.options = value.split()
        elif keyword == "START":
            self.run_options = value.split()
        elif keyword == "LAUNCHER":
            mpi, *options = value.split()
            self.launcher_options[mpi] = options
        elif keyword == "NEEDS":
            self.needs = value
        elif keyword == "ONLY":
            self.only = value
        elif keyword == "WITHOUT":
            self.without = set(value.split())
        elif keyword == "READS":
            self.reads = int(value.split()[IS_FULL])

    def options_of_launcher(self, flavour):
        """Options for the mpiexec of an MPI."""
        return self.launcher_options.get(flavour, [])
