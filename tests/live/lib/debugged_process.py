# SPDX-License-Identifier: BSD-3-Clause
"""A live process as a debugger reads it: its memory, and where a library and its symbols are in it."""
import ctypes
import os
import struct
import subprocess
from ctypes import c_size_t, c_void_p

libc = ctypes.CDLL(None)
libc.malloc.restype = c_void_p
libc.malloc.argtypes = [c_size_t]
libc.free.argtypes = [c_void_p]


def symbol_values(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[2]: int(line.split()[0], 16) for line in lines.splitlines() if len(line.split()) == 3}


def load_address(pid, library):
    """Where the library is in the process, None: it is not."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[-1] == library and int(words[2], 16) == 0:
                return int(words[0].split("-")[0], 16)
    return None


class Memory:
    def __init__(self, pid):
        self.file = open(f"/proc/{pid}/mem", "rb", buffering=0)

    def read(self, address, size):
        return os.pread(self.file.fileno(), size, address)

    def pointer(self, address):
        return struct.unpack("=Q", self.read(address, 8))[0]

    def text(self, address):
        """Byte by byte, as debuggers do: nothing behind the end is touched."""
        result = b""
        while not result.endswith(b"\0"):
            result += self.read(address + len(result), 1)
        return result[:-1].decode()


class DebuggerBase:
    """A debugger of one process, without the callbacks; `blocks`: the DLL's allocations that were not freed."""

    def __init__(self, pid, runtime, dll):
        self.dll = ctypes.CDLL(dll)
        self.memory = Memory(pid)
        base = load_address(pid, runtime)
        self.symbols = {name: base + value for name, value in symbol_values(runtime).items()}
        self.blocks = set()
