# SPDX-License-Identifier: BSD-3-Clause
"""Places in the source of a test program: LINE(mark) in a comment names the line it stands on."""
import os
import re

MARK = re.compile(r"LINE\((\w+)\)")
PROCEDURE = re.compile(r"\s*(?:program|subroutine) \w+")
FUNCTION = re.compile(r"^\w[\w \*]*?(\w+)\([^;]*\)$")


class Source:
    def __init__(self, path):
        self.file = os.path.basename(path)
        self.places = {}
        self.procedure_lines = {}  # of Fortran, by mark: where the subroutine or program begins that it stands in
        self.program_line = None  # of the program statement of Fortran
        function = procedure_line = None
        with open(path) as file:
            for number, text in enumerate(file, start=1):
                if PROCEDURE.match(text):
                    procedure_line = number
                begins = FUNCTION.match(text.rstrip())
                if begins:
                    function = begins.group(1)
                if text.startswith("program "):
                    self.program_line = number
                for mark in MARK.findall(text):
                    if mark in self.places:
                        raise ValueError(f"{path}:{number}: mark {mark} is there twice")
                    self.places[mark] = (function, number)
                    self.procedure_lines[mark] = procedure_line

    def place(self, mark):
        """(function, line) of a mark."""
        return self.places[mark]
