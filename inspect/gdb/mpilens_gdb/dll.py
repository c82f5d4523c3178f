# SPDX-License-Identifier: BSD-3-Clause
"""A debugger DLL in gdb's process: found, loaded, called."""
import ctypes
import os

import gdb

from . import contract, escaped, structures, target
from .callbacks import Callbacks
from .errors import MpiError

FILE_NAME = "libmpilens_dll.so"
_LOCATION_LIMIT = 16
_POINTER = ctypes.c_void_p


class Dll:
    """A loaded DLL. It is never unloaded: the interface has no way to say goodbye."""

    def __init__(self, path):
        self.path = path
        try:
            self.library = ctypes.CDLL(path)
        except OSError as error:
            raise MpiError(f"Cannot load the debugger library {path}: {error}") from None
        for name in ("mqs_setup_basic_callbacks", "mqs_version_string", "mqs_setup_image", "mqs_setup_process"):
            if not self.has(name):
                raise MpiError(f"{path} has no {name}: it is not a message-queue library for debuggers.")
        compatibility = self.library.mqs_version_compatibility()
        if compatibility != contract.MQS_INTERFACE_COMPATIBILITY:
            raise MpiError(
                f"{path} is of version {compatibility} of the message-queue interface; gdb wants "
                f"{contract.MQS_INTERFACE_COMPATIBILITY}."
            )
        if self.has("mqs_dll_taddr_width") and self.library.mqs_dll_taddr_width() != ctypes.sizeof(ctypes.c_ulong):
            raise MpiError(f"{path} is for addresses of another size.")
        # Whether it knows more than message queues.
        self.is_extended = (
            self.has("mpilens_extension_version")
            and self.library.mpilens_extension_version() == contract.MPILENS_EXTENSION_VERSION
        )
        self.callbacks = Callbacks()
        self.library.mqs_setup_basic_callbacks(ctypes.byref(self.callbacks.basic))

    def has(self, name):
        return hasattr(self.library, name)

    def _string(self, name, *arguments):
        function = getattr(self.library, name)
        function.restype = ctypes.c_char_p
        return escaped.text(function(*arguments) or b"")

    @property
    def version(self):
        return self._string("mqs_version_string")

    def explain(self, code):
        return self._string("mqs_dll_error_string", code) if self.has("mqs_dll_error_string") else f"code {code}"

    def call(self, name, number, *arguments):
        """The code of a function whose first argument is the process or image `number`."""
        if not self.has(name):
            raise MpiError(f"{self.path} has no {name}: it is of another version of mpilens.")
        function = getattr(self.library, name)
        function.argtypes = [_POINTER, *structures.ARGUMENTS.get(name, [_POINTER] * len(arguments))]
        code = function(number, *arguments)
        self.callbacks.selection.restore()
        interrupt, self.callbacks.interrupted = self.callbacks.interrupted, None
        if interrupt is not None:
            raise interrupt
        return code


def named_by_target():
    """Paths of DLLs that the process names (mpimsgq_dll_locations, then MPIR_dll_name)."""
    found = []
    locations = target.find_symbol("mpimsgq_dll_locations")
    try:
        array = target.read_pointer(locations) if locations else 0
        for index in range(_LOCATION_LIMIT if array else 0):
            name = target.read_pointer(array + index * target.type_sizes()[-1])
            if name == 0:
                break
            found.append(target.read_string(name))
    except gdb.MemoryError:
        pass
    name = target.find_symbol("MPIR_dll_name")
    if name:
        found.append(target.read_string(name))
    return list(dict.fromkeys(os.fsdecode(one) for one in found if one))


def beside(directory):
    """Paths of our DLL seen from where these scripts are: installed, or in a build tree."""
    return [
        os.path.normpath(os.path.join(directory, place, FILE_NAME)) for place in ("..", "../../dll", "../../../dll")
    ]


def find(script_directory):
    """The path of our DLL. One that a process or core file names is never loaded: it may be anybody's."""
    for path in beside(script_directory):
        if os.path.exists(path):
            return path
    tried = "\n  ".join(beside(script_directory))
    named = [path for path in named_by_target() if os.path.basename(path) == FILE_NAME and path.isprintable()]
    trust = f"\nThe process names {named[0]}. If you trust whoever started it, load that." if named else ""
    raise MpiError(f"{FILE_NAME} is not found. Say where it is: mpi load-dll FILE. These were tried:\n  {tried}{trust}")
