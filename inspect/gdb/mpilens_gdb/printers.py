# SPDX-License-Identifier: BSD-3-Clause
"""Pretty printers of handles: a variable of the program is printed as one sentence about what it names."""
import gdb
import gdb.printing

from . import handles
from .errors import MpiError


class HandlePrinter:
    def __init__(self, sentence):
        self.sentence = sentence

    def to_string(self):
        return self.sentence


class HandlePrinters(gdb.printing.PrettyPrinter):
    """Where nothing can be said (no process, no runtime, no type of MPI), gdb prints the value as always."""

    def __init__(self, processes):
        super().__init__('mpilens-handles')
        self.processes = processes

    def __call__(self, value):
        try:
            handle = handles.from_value(value)
            if handle is None:
                return None
            process = self.processes.selected()
            found = handles.find(process, handle)
        except (MpiError, gdb.error):
            return None
        return HandlePrinter(found.sentence if found is not None else handles.not_found(handle))
