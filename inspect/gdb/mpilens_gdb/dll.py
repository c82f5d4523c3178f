# SPDX-License-Identifier: BSD-3-Clause
"""A debugger DLL in gdb's process: found, loaded, called."""
import ctypes
import os

import gdb

from . import escaped, target
from .callbacks import Callbacks
from .errors import MpiError
from .vocabulary import COMPATIBILITY, EXTENSION_VERSION

FILE_NAME = 'libmpilens_dll.so'
_LOCATION_LIMIT = 16
_POINTER = ctypes.c_void_p
_INT = ctypes.c_int
_SIZE = ctypes.c_size_t
_U64 = ctypes.c_uint64
_U32 = ctypes.c_uint32

# Arguments behind the mqs_process of functions that have any.
_ARGUMENTS = {
    'mqs_get_communicator': [_POINTER],
    'mqs_get_comm_group': [_POINTER],
    'mqs_setup_operation_iterator': [_INT],
    'mqs_next_operation': [_POINTER],
    'mpilens_get_clock': [_POINTER],
    'mpilens_get_process': [_POINTER],
    'mpilens_identify_process': [_POINTER],
    'mpilens_next_thread': [_POINTER],
    'mpilens_get_waiting': [_POINTER, _SIZE, _POINTER],
    'mpilens_get_communicator': [_POINTER],
    'mpilens_get_collective_class': [_INT, _POINTER],
    'mpilens_next_collective': [_POINTER],
    'mpilens_get_operation': [_POINTER],
    'mpilens_next_message': [_POINTER],
    'mpilens_next_request': [_POINTER],
    'mpilens_setup_object_iterator': [_INT],
    'mpilens_next_object': [_POINTER],
    'mpilens_get_window': [_POINTER],
    'mpilens_get_window_locks': [_POINTER, _SIZE, _POINTER],
    'mpilens_get_window_group': [_INT, _POINTER],
    'mpilens_get_file': [_POINTER],
    'mpilens_next_object_collective': [_POINTER],
    'mpilens_get_op': [_POINTER],
    'mpilens_get_errhandler': [_POINTER],
    'mpilens_get_keyval': [_POINTER],
    'mpilens_get_session': [_POINTER],
    'mpilens_get_datatype': [_POINTER],
    'mpilens_get_group': [_POINTER],
    'mpilens_summarize_object': [_POINTER, _SIZE],
    'mpilens_find_object': [_INT, _INT, _U64, _POINTER],
    'mpilens_find_object_by_serial': [_INT, _U32, _POINTER],
    'mpilens_find_request': [_INT, _U64, _POINTER],
    'mpilens_handle_bytes': [_INT],
    'mpilens_get_handle': [_POINTER],
    'mpilens_next_user': [_POINTER],
    'mpilens_get_members': [_INT, _POINTER, _SIZE, _POINTER],
    'mpilens_get_topology': [_POINTER],
    'mpilens_get_topology_values': [_POINTER, _SIZE, _POINTER],
    'mpilens_next_attribute': [_POINTER],
    'mpilens_get_text_pair': [_SIZE, _POINTER, _SIZE, _POINTER, _SIZE],
    'mpilens_get_datatype_contents': [_POINTER],
    'mpilens_get_datatype_arguments': [_POINTER, _SIZE, _POINTER],
    'mpilens_get_datatype_argument': [_SIZE, _POINTER],
    'mpilens_next_type_map_entry': [_POINTER],
    'mpilens_get_status': [ctypes.c_ulong, _POINTER],
}


class Dll:
    """A loaded DLL. It is never unloaded: the interface has no way to say goodbye."""

    def __init__(self, path):
        self.path = path
        try:
            self.library = ctypes.CDLL(path)
        except OSError as error:
            raise MpiError(f'Cannot load the debugger library {path}: {error}') from None
        for name in ('mqs_setup_basic_callbacks', 'mqs_version_string', 'mqs_setup_image', 'mqs_setup_process'):
            if not self.has(name):
                raise MpiError(f'{path} has no {name}: it is not a message-queue library for debuggers.')
        compatibility = self.library.mqs_version_compatibility()
        if compatibility != COMPATIBILITY:
            raise MpiError(f'{path} is of version {compatibility} of the message-queue interface; gdb wants {COMPATIBILITY}.')
        if self.has('mqs_dll_taddr_width') and self.library.mqs_dll_taddr_width() != ctypes.sizeof(ctypes.c_ulong):
            raise MpiError(f'{path} is for addresses of another size.')
        # Whether it knows more than message queues.
        self.is_extended = (self.has('mpilens_extension_version') and
                            self.library.mpilens_extension_version() == EXTENSION_VERSION)
        self.callbacks = Callbacks()
        self.library.mqs_setup_basic_callbacks(ctypes.byref(self.callbacks.basic))

    def has(self, name):
        return hasattr(self.library, name)

    def _string(self, name, *arguments):
        function = getattr(self.library, name)
        function.restype = ctypes.c_char_p
        return escaped.text(function(*arguments) or b'')

    @property
    def version(self):
        return self._string('mqs_version_string')

    def explain(self, code):
        return self._string('mqs_dll_error_string', code) if self.has('mqs_dll_error_string') else f'code {code}'

    def call(self, name, number, *arguments):
        """The code of a function whose first argument is the process or image `number`."""
        if not self.has(name):
            raise MpiError(f'{self.path} has no {name}: it is of another version of mpilens.')
        function = getattr(self.library, name)
        function.argtypes = [_POINTER, *_ARGUMENTS.get(name, [_POINTER] * len(arguments))]
        code = function(number, *arguments)
        interrupt, self.callbacks.interrupted = self.callbacks.interrupted, None
        if interrupt is not None:
            raise interrupt
        return code


def named_by_target():
    """Paths of DLLs that the process names (mpimsgq_dll_locations, then MPIR_dll_name)."""
    found = []
    locations = target.find_symbol('mpimsgq_dll_locations')
    try:
        array = target.read_pointer(locations) if locations else 0
        for index in range(_LOCATION_LIMIT if array else 0):
            name = target.read_pointer(array + index * target.type_sizes()[-1])
            if name == 0:
                break
            found.append(target.read_string(name))
    except gdb.MemoryError:
        pass
    name = target.find_symbol('MPIR_dll_name')
    if name:
        found.append(target.read_string(name))
    return list(dict.fromkeys(os.fsdecode(one) for one in found if one))


def beside(directory):
    """Paths of our DLL seen from where these scripts are: installed, or in a build tree."""
    return [os.path.normpath(os.path.join(directory, place, FILE_NAME)) for place in ('..', '../../dll', '../../../dll')]


def find(script_directory):
    """The path of our DLL. One that a process or core file names is never loaded: it may be anybody's."""
    for path in beside(script_directory):
        if os.path.exists(path):
            return path
    tried = '\n  '.join(beside(script_directory))
    named = [path for path in named_by_target() if os.path.basename(path) == FILE_NAME and path.isprintable()]
    trust = f'\nThe process names {named[0]}. If you trust whoever started it, load that.' if named else ''
    raise MpiError(f'{FILE_NAME} is not found. Say where it is: mpi load-dll FILE. These were tried:\n  {tried}{trust}')
