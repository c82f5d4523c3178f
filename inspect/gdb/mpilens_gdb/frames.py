# SPDX-License-Identifier: BSD-3-Clause
"""Backtraces without the runtime, which stands between the program and MPI; `backtrace -no-filters` has it."""
import os

import gdb

RUNTIME = 'libmpilens-'


def _is_of_runtime(frame):
    library = gdb.solib_name(frame.pc())
    return library is not None and os.path.basename(library).startswith(RUNTIME)


class RuntimeFrames:
    """A frame filter. The innermost frame stays: that is where the process stands."""

    def __init__(self):
        self.name = 'mpilens'
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (frame for frame in frames
                if frame.inferior_frame().newer() is None or not _is_of_runtime(frame.inferior_frame()))
