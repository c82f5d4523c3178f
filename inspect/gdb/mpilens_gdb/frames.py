# SPDX-License-Identifier: BSD-3-Clause
"""Backtraces without the runtime, which stands between the program and MPI, and with handles by name; `backtrace -no-filters` is without
that."""
import os

import gdb
from gdb.FrameDecorator import FrameDecorator, SymValueWrapper

from . import handles, printers

RUNTIME = "libmpilens-"


def _is_of_runtime(frame):
    library = gdb.solib_name(frame.pc())
    return library is not None and os.path.basename(library).startswith(RUNTIME)


def _brief(argument, frame):
    """The same argument; of a handle, to be printed briefly: a printer does not know that it prints an argument."""
    symbol = argument.symbol()
    if isinstance(symbol, str) or argument.value() is not None or not handles.is_handle_type(symbol.type):
        return argument
    try:
        value = printers.brief(frame.read_var(symbol))
    except gdb.error:
        return argument
    return argument if value is None else SymValueWrapper(symbol, value)


class _Frame(FrameDecorator):
    def frame_args(self):
        arguments = super().frame_args()
        return arguments and [_brief(one, self.inferior_frame()) for one in arguments]


class RuntimeFrames:
    """A frame filter. The innermost frame stays: that is where the process stands."""

    def __init__(self):
        self.name = "mpilens"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (
            _Frame(frame)
            for frame in frames
            if frame.inferior_frame().newer() is None or not _is_of_runtime(frame.inferior_frame())
        )
