# SPDX-License-Identifier: BSD-3-Clause
"""The frame that has called MPI. Backtraces without the runtime, which stands between the program and MPI, and with handles by name; `backtrace -no-filters` is without
that."""
import os
import re
import sys

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import handles, printers

RUNTIME = "libmpilens-"
FUNCTION = re.compile("P?MPI_")


def _is_of_runtime(frame):
    library = gdb.solib_name(frame.pc())
    return library is not None and os.path.basename(library).startswith(RUNTIME)


def _caller_of_mpi(frame):
    """The frame that has called the runtime; without a runtime, the outermost that has called MPI; None: none has."""
    caller, has_runtime = None, False
    while frame is not None:
        if _is_of_runtime(frame):
            has_runtime = True
        elif has_runtime:
            return frame
        if FUNCTION.match(frame.name() or ""):
            caller = frame.older()
        frame = frame.older()
    return caller


def select_call():
    """Selects the frame that has called MPI, of the selected thread if that has. False: no thread has."""
    selected = gdb.selected_thread()
    others = sorted(gdb.selected_inferior().threads(), key=lambda one: one.num)
    for thread in [selected, *others] if selected is not None else []:
        thread.switch()
        frame = _caller_of_mpi(gdb.newest_frame())
        if frame is not None:
            frame.select()
            return True
    if selected is not None:
        selected.switch()
    return False


class _Argument:
    """As frame filters exchange arguments; the parameters of gdb's own class are not the same in all releases."""

    def __init__(self, symbol, value):
        self._symbol = symbol
        self._value = value

    def symbol(self):
        return self._symbol

    def value(self):
        return self._value


def _brief(argument, frame):
    """The same argument; of a handle, to be printed briefly: a printer does not know that it prints an argument."""
    symbol = argument.symbol()
    if isinstance(symbol, str) or argument.value() is not None or not handles.is_handle_type(symbol.type):
        return argument
    try:
        value = printers.brief(frame.read_var(symbol))
    except gdb.error:
        return argument
    return argument if value is None else _Argument(symbol, value)


class _Frame(FrameDecorator):
    def frame_args(self):
        arguments = super().frame_args()
        return arguments and [_brief(one, self.inferior_frame()) for one in arguments]


def _is_for_dap():
    """Whether gdb is an adapter of the Debug Adapter Protocol: its variables are these arguments, and are to be unfolded."""
    return "gdb.dap" in sys.modules


class RuntimeFrames:
    """A frame filter. The innermost frame stays: that is where the process stands."""

    def __init__(self):
        self.name = "mpilens"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (
            frame if _is_for_dap() else _Frame(frame)
            for frame in frames
            if frame.inferior_frame().newer() is None or not _is_of_runtime(frame.inferior_frame())
        )
