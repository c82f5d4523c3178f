# SPDX-License-Identifier: BSD-3-Clause
"""MPI in gdb: `info mpi`, `mpi handle`, printers of handles, $_mpi_rank and $_mpi_size, backtraces without the runtime."""
import os

import gdb
import gdb.printing

from . import commands, frames, functions, printers, records
from .processes import Processes

_registered = []


def register():
    """Once per gdb, however often it is called: every runtime that is loaded brings these scripts."""
    if _registered:
        return
    processes = Processes(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    commands.register(processes)
    for one in (printers.HandlePrinters(processes), records.RecordPrinters(processes)):
        gdb.printing.register_pretty_printer(None, one, replace=True)
    variables = functions.RankVariables(processes)
    _registered.extend((processes, variables, functions.WorldRank(variables), frames.RuntimeFrames()))
