# SPDX-License-Identifier: BSD-3-Clause
"""Which inferior is seen through which DLL."""
import os

import gdb

from . import dll as dlls
from . import target
from .errors import MpiError
from .process import Process, without_runtime


class Processes:
    """One Process per inferior and DLL: ours, and one that the user has chosen."""

    def __init__(self, script_directory):
        self.script_directory = script_directory
        self.own = None
        self.chosen = None
        self.loaded = {}  # Dll by path
        self.processes = {}  # (pid, Process) by number of the inferior and path of the DLL
        self.next_number = 1
        for event in (gdb.events.cont, gdb.events.stop, gdb.events.memory_changed, gdb.events.inferior_call):
            event.connect(self._moved)
        for event in (gdb.events.exited, gdb.events.inferior_deleted):
            event.connect(self._inferior_gone)
        gdb.events.clear_objfiles.connect(self._program_gone)

    def _moved(self, _event):
        for _pid, process in self.processes.values():
            process.is_current = False

    def _inferior_gone(self, event):
        self._forget({event.inferior.num})

    def _program_gone(self, event):
        self._forget({one.num for one in gdb.inferiors() if one.progspace == event.progspace})

    def _forget(self, inferiors):
        """Forgets the inferiors with these numbers."""
        for key in [one for one in self.processes if one[0] in inferiors]:
            _pid, process = self.processes.pop(key)
            process.close()

    def _load(self, path):
        path = os.path.realpath(os.path.expanduser(path))
        if path not in self.loaded:
            self.loaded[path] = dlls.Dll(path)
        return self.loaded[path]

    def choose(self, path):
        """The DLL that `info mpi queues` is to ask; if it knows more than that, everything does."""
        self.chosen = self._load(path)
        return self.chosen

    def _dll(self, needs_extended):
        if self.chosen is not None and (self.chosen.is_extended or not needs_extended):
            return self.chosen
        if target.find_symbol("mpilens_process") is None:
            raise MpiError(without_runtime())
        if self.own is None:
            self.own = self._load(dlls.find(self.script_directory))
            if not self.own.is_extended:
                path, self.own = self.own.path, None
                raise MpiError(f"{path} is of another version of mpilens than these scripts.")
        return self.own

    def _selected(self, needs_extended):
        inferior = gdb.selected_inferior()
        if inferior.pid == 0:
            raise MpiError("There is no process: run or attach to a rank (gdb -p PID), or load a core file of one.")
        dll = self._dll(needs_extended)
        key = inferior.num, dll.path
        pid, process = self.processes.get(key, (0, None))
        if pid != inferior.pid:
            if process is not None:
                process.close()
            process = Process(dll, self.next_number)
            dll.callbacks.inferiors[self.next_number] = inferior
            self.next_number += 1
            self.processes[key] = inferior.pid, process
        return process

    def selected(self, needs_extended=True):
        """The selected inferior, copied. Raises MpiError with the reason if it cannot be. `needs_extended`: more than any DLL can say."""
        process = self._selected(needs_extended)
        process.update()
        return process

    def selected_in_job(self):
        """The same, asked for queues only. All other inferiors are set up as well: the DLL tells what they have sent to this one."""
        process = self.selected(needs_extended=False)
        process.learn_world()
        own = gdb.selected_inferior().num
        for inferior in gdb.inferiors() if process.dll.is_extended else ():
            if inferior.num == own or inferior.pid == 0:
                continue
            try:
                with target.selected(inferior):
                    other = self._selected(needs_extended=True)
                    other.set_up()
                    other.learn_world()
            except (gdb.error, MpiError):
                pass
        return process

    def inferior_of(self, process, rank):
        """That of a rank in the job of a process, None: there is none."""
        for (_number, path), (_pid, one) in self.processes.items():
            if path == process.dll.path and one.world() == (rank, process.world()[1]):
                return process.dll.callbacks.inferiors[one.number]
        return None

    def set_up_selected(self):
        """Looks up the needs of world_of_selected(). Raises MpiError with the reason if it cannot."""
        process = self._selected(needs_extended=True)
        process.set_up()
        process.learn_world()

    def world_of_selected(self):
        """(rank, size) in MPI_COMM_WORLD of the selected inferior; (None, None): not known, or not set up. Looks at memory only, so that
        it may be called while gdb makes up its mind about frames."""
        inferior = gdb.selected_inferior()
        for (number, _path), (pid, process) in self.processes.items():
            if number == inferior.num and pid == inferior.pid and process.dll.is_extended:
                return process.world()
        return None, None
