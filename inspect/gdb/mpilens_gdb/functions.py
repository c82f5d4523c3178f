# SPDX-License-Identifier: BSD-3-Clause
"""$_mpi_rank and $_mpi_size, void as long as they are not known, and $_mpi_world_rank(): in MPI_COMM_WORLD.

gdb has no variables that are computed when they are read. So the first two are set whenever a process stops, before a prompt, and when
gdb looks at the innermost frame of another thread or process to say where it is: then it asks its unwinders. Where gdb looks at none, in
`thread apply` and in conditions of breakpoints, they may belong to another process; the function never does.
"""
import os

import gdb
import gdb.unwinder

from .errors import MpiError


class RankVariables(gdb.unwinder.Unwinder):
    """It unwinds nothing. Symbols must not be looked up while it is asked; so that is done before."""

    def __init__(self, processes):
        super().__init__("mpilens")
        self.processes = processes
        self.shown = ()
        for event in (gdb.events.stop, gdb.events.before_prompt):
            event.connect(self.update)
        gdb.events.new_objfile.connect(self._loaded)
        gdb.events.exited.connect(self._show)
        gdb.unwinder.register_unwinder(None, self)
        self.update()

    def __call__(self, pending_frame):
        if pending_frame.level() == 0:
            self._show()

    def _show(self, _event=None):
        world = self.processes.world_of_selected()
        if world != self.shown:
            self.shown = world
            for name, value in zip(("_mpi_rank", "_mpi_size"), world):
                gdb.set_convenience_variable(name, value)

    def _loaded(self, event):
        """A core file has no stop, and the first condition comes before the first stop."""
        if os.path.basename(event.new_objfile.filename or "").startswith("libmpilens-"):
            self.update()

    def rank(self):
        self.update()
        return self.shown[0]

    def update(self, _event=None):
        try:
            self.processes.set_up_selected()
        except (MpiError, gdb.error):
            pass
        self._show()


class WorldRank(gdb.Function):
    """The rank in MPI_COMM_WORLD of the process in which this is evaluated; -1: not known.
    Usage: $_mpi_world_rank()

    In conditions of breakpoints and in `thread apply`, where several processes are debugged; else $_mpi_rank says the same.
    """

    def __init__(self, variables):
        super().__init__("_mpi_world_rank")
        self.variables = variables

    def invoke(self):  # pylint: disable=arguments-differ
        rank = self.variables.rank()
        return -1 if rank is None else rank
