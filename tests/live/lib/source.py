# SPDX-License-Identifier: BSD-3-Clause
"""Places in the source of a test program: LINE(mark) in a comment names the line it stands on."""
import os
import re

MARK = re.compile(r"LINE\((\w+)\)")
FUNCTION = re.compile(r"^\w[\w \*]*?(\w+)\([^;]*\)$")


class Source:
    def __init__(self, path):
        self.file = os.path.basename(path)
        self.places = {}
        # gfortran gives some calls of mpi_f08 the line where their procedure begins, and mpilens shows these without a line.
        self.may_lack_lines = self.file.endswith((".f90", ".F90"))
        function = None
        with open(path) as file:
            for number, text in enumerate(file, start=1):
                begins = FUNCTION.match(text.rstrip())
                if begins:
                    function = begins.group(1)
                for mark in MARK.findall(text):
                    if mark in self.places:
                        raise ValueError(f"{path}:{number}: mark {mark} is there twice")
                    self.places[mark] = (function, number)

    def place(self, mark):
        """(function, line) of a mark."""
        return self.places[mark]
