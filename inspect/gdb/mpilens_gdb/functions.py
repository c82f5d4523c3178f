# SPDX-License-Identifier: BSD-3-Clause
"""$_mpi_rank and $_mpi_size: in MPI_COMM_WORLD, void as long as they are not known.

They are convenience variables, so that they can be used like $_thread: in conditions of breakpoints, and where there is no process. gdb
has no variables that are computed when they are read, so they are set when a process stops and before a prompt, for the inferior that is
selected then.
"""
import os

import gdb

from .errors import MpiError


class RankVariables:
    def __init__(self, processes):
        self.processes = processes
        self.known = None  # (number of the inferior, pid)
        for event in (gdb.events.stop, gdb.events.before_prompt):
            event.connect(self.update)
        gdb.events.new_objfile.connect(self._loaded)
        gdb.events.exited.connect(self.clear)
        self.clear()
        self.update()

    def clear(self, _event=None):
        self.known = None
        for name in ('_mpi_rank', '_mpi_size'):
            gdb.set_convenience_variable(name, None)

    def _loaded(self, event):
        """A core file has no stop."""
        if os.path.basename(event.new_objfile.filename or '').startswith('libmpilens-'):
            self.update()

    def update(self, _event=None):
        inferior = gdb.selected_inferior()
        key = (inferior.num, inferior.pid)
        if inferior.pid == 0 or key == self.known:
            return
        if self.known is not None:
            self.clear()
        try:
            information = self.processes.selected().information()
        except (MpiError, gdb.error):
            return
        if information.world_rank >= 0:
            gdb.set_convenience_variable('_mpi_rank', information.world_rank)
            gdb.set_convenience_variable('_mpi_size', information.world_size)
            self.known = key
