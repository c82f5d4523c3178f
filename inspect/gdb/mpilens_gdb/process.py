# SPDX-License-Identifier: BSD-3-Clause
"""One inferior through a DLL: set up once, copied anew whenever it has moved on."""
import ctypes
import os

import gdb

from . import dll as dlls
from . import contract, escaped, structures, vocabulary
from .errors import MpiError

HOW_TO_START = "start the job with: mpiexec -n 4 mpilens run ./app"
_MOST = 1 << 16  # serials of one call that are asked for


class Process:
    """Iterators of the DLL as generators. One of a kind at a time, as the interface wants it."""

    def __init__(self, dll, number):
        self.dll = dll
        self.number = number
        self.is_set_up = False
        self.is_attached = False
        self.is_current = False
        self._world = None, None

    def close(self):
        """Gives back what the DLL hangs on the image and the process."""
        for infos, name in (
            (self.dll.callbacks.processes, "mqs_destroy_process_info"),
            (self.dll.callbacks.images, "mqs_destroy_image_info"),
        ):
            info = infos.pop(self.number, None)
            if info and self.dll.has(name):
                self.dll.call(name, info)

    def call(self, name, *arguments):
        return self.dll.call(name, self.number, *arguments)

    def check(self, code):
        """Raises what a code says, with what is to be done about it."""
        if code == contract.mqs_ok:
            return
        if self.dll.is_extended and code == contract.MPILENS_ERROR_RUNTIME_NOT_LOADED:
            raise MpiError(without_runtime())
        if self.dll.is_extended and code == contract.MPILENS_ERROR_NOT_INITIALIZED:
            raise MpiError(
                "This process has the mpilens runtime and has not called MPI yet: continue to behind MPI_Init."
            )
        if (
            self.dll.is_extended
            and code == contract.MPILENS_ERROR_UNREADABLE
            and gdb.selected_thread() is not None
            and gdb.selected_thread().is_running()
        ):
            raise MpiError("The process is running: interrupt it first.")
        raise MpiError(self.dll.explain(code))

    def set_up(self):
        """Whatever needs symbols and types of the program."""
        if self.is_set_up:
            return
        self.close()
        message = ctypes.c_char_p()
        self.check(self.call("mqs_setup_image", ctypes.byref(self.dll.callbacks.image)))
        self._check_queues(self.call("mqs_image_has_queues", ctypes.byref(message)), message)
        self.check(self.call("mqs_setup_process", ctypes.byref(self.dll.callbacks.process)))
        self.is_set_up = True

    def _attach(self):
        message = ctypes.c_char_p()
        self.set_up()
        self._check_queues(self.call("mqs_process_has_queues", ctypes.byref(message)), message)
        self.is_attached = True

    def _check_queues(self, code, message):
        """A vendor's message says more than its code; it may have one %s, for a name."""
        if code != contract.mqs_ok and message.value and not self.dll.is_extended:
            name = gdb.selected_inferior().progspace.filename or "the program"
            text = escaped.text(message.value).replace("%s", escaped.string(os.path.basename(name))).strip()
            missing = sorted(self.dll.callbacks.missing_types | self.dll.callbacks.missing_symbols)
            raise MpiError(
                text + (f'\nIt asked for names that were not found: {", ".join(missing)}.' if missing else "")
            )
        self.check(code)

    def update(self):
        """Takes a copy of the state unless there is one of this moment."""
        if self.is_current:
            return
        if not self.is_attached:
            self._attach()
        self.check(self.call("mqs_update_communicator_list"))
        self.is_current = True

    # The contents of the copy.

    def _filled(self, kind, name, *arguments):
        """The struct that a function fills; None: it has no such information, or this DLL no such function."""
        if not self.dll.has(name):
            return None
        answer = structures.new(kind)
        code = self.call(name, *arguments, ctypes.byref(answer))
        if code in (contract.mqs_no_information, contract.mqs_end_of_list):
            return None
        self.check(code)
        return answer

    def _iterate(self, kind, setup, following, *arguments):
        if not self.dll.has(setup):
            return
        code = self.call(setup, *arguments)
        if code in (contract.mqs_no_information, contract.mqs_end_of_list):
            return
        self.check(code)
        while True:
            answer = self._filled(kind, following)
            if answer is None:
                return
            yield answer

    def learn_world(self):
        if self._world == (None, None) and self.is_set_up and self.dll.has("mpilens_identify_process"):
            answer = structures.new(structures.mpilens_process_information)
            code = self.call("mpilens_identify_process", ctypes.byref(answer))
            if code == contract.mqs_ok and answer.world_rank >= 0:
                self._world = answer.world_rank, answer.world_size

    def world(self):
        """(rank, size) in MPI_COMM_WORLD, (None, None): not known. Reads memory, and nothing else of gdb."""
        with self.dll.callbacks.memory_only():
            self.learn_world()
        return self._world

    def information(self):
        return self._filled(structures.mpilens_process_information, "mpilens_get_process")

    def communicators(self):
        """(mqs_communicator, mpilens_communicator_information or None) each; operations belong to the last one."""
        code = self.call("mqs_setup_communicator_iterator")
        while code == contract.mqs_ok:
            plain = self._filled(structures.mqs_communicator, "mqs_get_communicator")
            more = None
            if self.dll.is_extended:
                more = self._filled(structures.mpilens_communicator_information, "mpilens_get_communicator")
            yield plain, more
            code = self.call("mqs_next_communicator")
        if code != contract.mqs_end_of_list:
            self.check(code)

    def operations(self, queue):
        """(mqs_pending_operation, mpilens_operation_information or None) each."""
        for plain in self._iterate(
            structures.mqs_pending_operation, "mqs_setup_operation_iterator", "mqs_next_operation", queue
        ):
            more = None
            if self.dll.is_extended:
                more = self._filled(structures.mpilens_operation_information, "mpilens_get_operation")
            yield plain, more

    def unexpected(self):
        """(mqs_pending_operation, mpilens_unexpected_information or None) each."""
        for plain in self._iterate(
            structures.mqs_pending_operation,
            "mqs_setup_operation_iterator",
            "mqs_next_operation",
            vocabulary.UNEXPECTED,
        ):
            more = None
            if self.dll.is_extended:
                more = self._filled(structures.mpilens_unexpected_information, "mpilens_get_unexpected")
            yield plain, more

    def messages(self):
        return self._iterate(
            structures.mpilens_message_information, "mpilens_setup_message_iterator", "mpilens_next_message"
        )

    def collective_classes(self):
        """The collective classes of the communicator at which the iterator stands."""
        for number in range(64):
            answer = self._filled(
                structures.mpilens_collective_class_information, "mpilens_get_collective_class", number
            )
            if answer is None:
                return
            yield answer

    def threads(self):
        return self._iterate(
            structures.mpilens_thread_information, "mpilens_setup_thread_iterator", "mpilens_next_thread"
        )

    def waiting(self):
        """Serials of what the thread delivered last waits for; none where that is not known."""
        serials, count = (ctypes.c_uint64 * _MOST)(), ctypes.c_size_t()
        code = self.call("mpilens_get_waiting", serials, _MOST, ctypes.byref(count))
        if code == contract.mqs_no_information:
            return []
        self.check(code)
        return serials[: min(count.value, _MOST)]

    def requests(self):
        return self._iterate(
            structures.mpilens_operation_information, "mpilens_setup_request_iterator", "mpilens_next_request"
        )

    def objects(self, kind):
        """Each becomes the current object."""
        return self._iterate(
            structures.mpilens_object_information, "mpilens_setup_object_iterator", "mpilens_next_object", kind
        )

    def find_object(self, kind, language, handle):
        """It becomes the current object. None: not found."""
        return self._filled(
            structures.mpilens_object_information, "mpilens_find_object", kind, language, handle & 0xFFFFFFFFFFFFFFFF
        )

    def find_by_serial(self, kind, serial):
        return self._filled(structures.mpilens_object_information, "mpilens_find_object_by_serial", kind, serial)

    def find_request(self, language, handle):
        return self._filled(
            structures.mpilens_operation_information, "mpilens_find_request", language, handle & 0xFFFFFFFFFFFFFFFF
        )

    def status(self, address):
        return self._filled(structures.mpilens_status_information, "mpilens_get_status", address)

    # Answers about the current object.

    def detail(self, name):
        """The answer of mpilens_get_<name>; `name` as in mpilens_<name>_information."""
        return self._filled(getattr(structures, f"mpilens_{name}_information"), f"mpilens_get_{name}")

    def page(self, setup, *arguments):
        """Lines of the page that the function `setup` makes."""
        return self._iterate(structures.mpilens_page_line, setup, "mpilens_next_page_line", *arguments)


def without_runtime():
    """The message for a process that has no runtime."""
    text = f"The mpilens runtime is not loaded in this process: {HOW_TO_START}"
    vendor = [path for path in dlls.named_by_target() if os.path.exists(path)]
    if vendor:
        text += f"\nThe MPI library names a debugger library of its own; to try that: mpi load-dll {escaped.string(vendor[0])}"
    return text
