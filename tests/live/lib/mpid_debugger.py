# SPDX-License-Identifier: BSD-3-Clause
"""The MPI Forum's draft (mpid.h) from the side of a debugger of one live process."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_uint64, c_void_p

from lib.debugged_process import DebuggerBase, libc

API_VERSION = 1
OK, UNAVAILABLE, BAD_INPUT, READ_ERROR = 0, 1, 3, 8


class Callbacks(Structure):
    _fields_ = [
        (name, c_void_p)
        for name in (
            "memory_alloc",
            "memory_free",
            "print_string",
            "sizeof_type",
            "get_thread_context_for_thread_id",
            "symbol_addr",
            "memory_read",
            "memory_write",
            "target_to_host",
            "host_to_target",
        )
    ]


class Debugger(DebuggerBase):
    """The draft's callbacks on one process."""

    def __init__(self, pid, runtime, dll):
        super().__init__(pid, runtime, dll)
        self.reads = 0
        kept = {
            "memory_alloc": CFUNCTYPE(c_int, c_uint64, POINTER(c_void_p))(self.allocate),
            "memory_free": CFUNCTYPE(c_int, c_void_p)(self.free),
            "symbol_addr": CFUNCTYPE(c_int, c_void_p, c_void_p, c_char_p, POINTER(c_uint64), c_char_p)(self.find),
            "memory_read": CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_uint64), c_uint64, c_void_p)(self.read),
        }
        self.kept = kept, Callbacks(**{name: ctypes.cast(kept[name], c_void_p).value for name in kept})
        processes, count = POINTER(c_void_p)(), c_int()
        self.results = [
            self.dll.mpid_initialize(c_uint64(API_VERSION), byref(self.kept[1])),
            self.dll.mpid_process_initialize(c_void_p(1), byref(processes), byref(count)),
            count.value,
        ]
        self.process = c_void_p(processes[0])
        self.free(ctypes.cast(processes, c_void_p).value)

    def allocate(self, size, ret_memory):
        ret_memory[0] = libc.malloc(size)
        self.blocks.add(ret_memory[0])
        return OK

    def free(self, block):
        self.blocks.remove(block)
        libc.free(block)
        return OK

    def find(self, context, thread, name, ret_address, file):
        if name.decode() not in self.symbols:
            return UNAVAILABLE
        ret_address[0] = self.symbols[name.decode()]
        return OK

    def read(self, context, thread, address, size, ret_data):
        self.reads += 1
        try:
            data = self.memory.read(address[0], size)
        except (OSError, OverflowError):
            data = b""
        if len(data) != size:
            return READ_ERROR
        ctypes.memmove(ret_data, data, size)
        return OK

    def query(self, name, value, language, ret_handle):
        if name == "session":
            name = "session_query_language"
        else:
            name += "_query"
        return getattr(self.dll, "mpid_" + name)(self.process, c_uint64(value % (1 << 64)), language, byref(ret_handle))

    def call(self, name, handle, *types):
        """The result and the outputs of a query; texts and arrays are pointers, to be taken."""
        outputs = [kind() if kind and kind is not c_char_p else c_void_p() for kind in types]
        result = getattr(self.dll, "mpid_" + name)(handle, *[byref(output) for output in outputs])
        return result, [output.value for output in outputs]

    def take_text(self, pointer):
        if not pointer:
            return None
        text = ctypes.string_at(pointer).decode()
        self.free(pointer)
        return text

    def take_list(self, count, pointer, kind):
        """The array, without what its items point to."""
        if not pointer:
            return []
        items = list(ctypes.cast(pointer, POINTER(kind))[:count])
        self.free(pointer)
        return items

    def take_pairs(self, pointer):
        """Key and value pairs up to a NULL key."""
        pairs, texts = {}, ctypes.cast(pointer, POINTER(c_void_p))
        count = 0
        while texts[2 * count]:
            key, value = self.take_text(texts[2 * count]), self.take_text(texts[2 * count + 1])
            pairs[key] = value
            count += 1
        self.free(pointer)
        return pairs

    def close(self):
        self.dll.mpid_process_handle_free(self.process)
        self.dll.mpid_finalize()
        return len(self.blocks)
