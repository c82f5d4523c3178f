# SPDX-License-Identifier: BSD-3-Clause
"""The callbacks of a DLL (Message Queue Dumping 1.0, section 5.6), over gdb's symbols, types and memory.

Questions about another inferior than the selected one go to that one. No exception leaves a callback: it becomes the code for "no such
thing".
Vendors' DLLs pass NULL where they do not want an answer.
"""
import contextlib
import ctypes
import functools

import gdb

from . import target
from .contract import mqs_no_information, mqs_ok

_POINTER = ctypes.c_void_p
_MALLOC = ctypes.CFUNCTYPE(_POINTER, ctypes.c_size_t)
_FREE = ctypes.CFUNCTYPE(None, _POINTER)
_PRINT = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_ERROR_STRING = ctypes.CFUNCTYPE(_POINTER, ctypes.c_int)
_PUT = ctypes.CFUNCTYPE(None, _POINTER, _POINTER)
_GET = ctypes.CFUNCTYPE(_POINTER, _POINTER)
_TYPE_SIZES = ctypes.CFUNCTYPE(None, _POINTER, _POINTER)
_FIND_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_char_p, ctypes.c_int, _POINTER)
_FIND_SYMBOL = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_char_p, _POINTER)
_FIND_TYPE = ctypes.CFUNCTYPE(_POINTER, _POINTER, ctypes.c_char_p, ctypes.c_int)
_FIELD_OFFSET = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_char_p)
_SIZEOF = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)
_GLOBAL_RANK = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)
_FETCH = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_ulong, ctypes.c_int, _POINTER)
_CONVERT = ctypes.CFUNCTYPE(None, _POINTER, _POINTER, _POINTER, ctypes.c_int)


def _table(name, *slots):
    return type(name, (ctypes.Structure,), {"_fields_": list(slots)})


BasicCallbacks = _table(
    "mqs_basic_callbacks",
    ("malloc", _MALLOC),
    ("free", _FREE),
    ("print", _PRINT),
    ("error_string", _ERROR_STRING),
    ("put_image", _PUT),
    ("get_image", _GET),
    ("put_process", _PUT),
    ("get_process", _GET),
)
ImageCallbacks = _table(
    "mqs_image_callbacks",
    ("type_sizes", _TYPE_SIZES),
    ("find_function", _FIND_FUNCTION),
    ("find_symbol", _FIND_SYMBOL),
    ("find_type", _FIND_TYPE),
    ("field_offset", _FIELD_OFFSET),
    ("sizeof", _SIZEOF),
)
ProcessCallbacks = _table(
    "mqs_process_callbacks",
    ("global_rank", _GLOBAL_RANK),
    ("get_image", _GET),
    ("fetch", _FETCH),
    ("convert", _CONVERT),
)


class Callbacks:
    """The three tables. Keep it as long as the DLL is loaded.

    Images and processes are numbers from 1, and the image of a process has its number; the DLL's information about them is kept here.
    Types are also numbers.
    """

    def __init__(self):
        libc = ctypes.CDLL(None)
        self.images = {}
        self.processes = {}
        self.types = []
        self.inferiors = {}  # of processes
        self.selection = target.Selection()  # until the DLL has returned
        self.big_endian = {}  # of images; asking gdb needs a frame
        self.missing_types = set()  # names that a DLL has asked for and that were not found
        self.missing_symbols = set()
        self.has_symbols = True  # whether these may be looked up
        self.interrupted = None  # KeyboardInterrupt to be raised when the DLL has returned
        self.reads = 0
        self.basic = BasicCallbacks(
            ctypes.cast(libc.malloc, _MALLOC),
            ctypes.cast(libc.free, _FREE),
            _PRINT(self._guard(self._print, None)),
            _ERROR_STRING(),
            _PUT(self.images.__setitem__),
            _GET(self.images.get),
            _PUT(self.processes.__setitem__),
            _GET(self.processes.get),
        )
        self.image = ImageCallbacks(
            _TYPE_SIZES(self._guard(self._type_sizes, None)),
            _FIND_FUNCTION(self._guard(self._find_function, mqs_no_information)),
            _FIND_SYMBOL(self._guard(self._find_symbol, mqs_no_information)),
            _FIND_TYPE(self._guard(self._find_type, None)),
            _FIELD_OFFSET(self._guard(self._field_offset, -1)),
            _SIZEOF(self._guard(self._sizeof, -1)),
        )
        self.process = ProcessCallbacks(
            _GLOBAL_RANK(lambda process: -1),
            _GET(lambda process: process),
            _FETCH(self._guard(self._fetch, mqs_no_information)),
            _CONVERT(self._guard(self._convert, None)),
        )

    def _guard(self, function, otherwise):
        @functools.wraps(function)
        def guarded(*arguments):
            try:
                return function(*arguments)
            except KeyboardInterrupt as interrupt:
                self.interrupted = interrupt
                return otherwise
            except Exception:  # pylint: disable=broad-except # nothing may go through C
                return otherwise

        return guarded

    @contextlib.contextmanager
    def memory_only(self):
        """While gdb looks at its frames it can look up no symbol."""
        self.has_symbols = False
        try:
            yield
        finally:
            self.has_symbols = True

    def _select(self, process):
        inferior = self.inferiors.get(process)
        if inferior is None or inferior.num == gdb.selected_inferior().num:
            return
        if not self.has_symbols:
            raise gdb.error("gdb looks at its frames.")
        self.selection.move(inferior)

    @staticmethod
    def _print(text):
        gdb.write((text or b"").decode("utf-8", "replace"), gdb.STDLOG)

    def _type_sizes(self, image, ret_sizes):
        self.big_endian[image] = target.is_big_endian()
        sizes = target.type_sizes()
        ctypes.memmove(ret_sizes, (ctypes.c_int * len(sizes))(*sizes), len(sizes) * ctypes.sizeof(ctypes.c_int))

    def _find_function(self, image, name, _language, ret_address):
        return self._find_symbol(image, name, ret_address)

    def _find_symbol(self, image, name, ret_address):
        if not self.has_symbols:
            return mqs_no_information
        self._select(image)
        address = target.find_symbol(name.decode())
        if address is None:
            self.missing_symbols.add(name.decode())
            return mqs_no_information
        if ret_address:
            ctypes.c_ulong.from_address(ret_address).value = address
        return mqs_ok

    def _find_type(self, _image, name, _language):
        found = target.find_type(name.decode())
        if found is None:
            self.missing_types.add(name.decode())
            return None
        self.types.append(found)
        return len(self.types)

    def _field_offset(self, kind, name):
        return target.field_offset(self.types[kind - 1], name.decode()) if kind else -1

    def _sizeof(self, kind):
        return self.types[kind - 1].sizeof if kind else -1

    def _fetch(self, process, address, size, ret_data):
        if size < 0:
            return mqs_no_information
        self._select(process)
        self.reads += 1
        ctypes.memmove(ret_data, target.read_memory(address, size), size)
        return mqs_ok

    def _convert(self, process, given, ret_converted, size):
        if process not in self.big_endian:
            self.big_endian[process] = target.is_big_endian()
        data = ctypes.string_at(given, size)
        ctypes.memmove(ret_converted, data[::-1] if self.big_endian[process] else data, size)
