# SPDX-License-Identifier: BSD-3-Clause
"""Reads the symbols by which debuggers find the DLL out of processes: of one that does not use MPI, and of ranks."""
import argparse
import os
import struct
import subprocess
import sys

from lib.job import Job, JobFailed, processes_with
from lib.patience import at_most

ARRAY = "MPIR_dll_name"
POINTERS = ("mpimsgq_dll_locations", "mpidbg_dll_locations", "MPI_D_dll_locations")


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


def locations(memory, address):
    """The texts of an argv-style array, None: the symbol is not set."""
    array = memory.pointer(address)
    if array == 0:
        return None
    texts = []
    while memory.pointer(array + 8 * len(texts)) != 0:
        texts.append(memory.text(memory.pointer(array + 8 * len(texts))))
    return texts


def look(pid, runtime, dll, what):
    """Number of wrong symbols of the process."""
    base = load_address(pid, runtime)
    values = symbol_values(runtime)
    memory = Memory(pid)
    found = {ARRAY: [memory.text(base + values[ARRAY])]}
    found.update({name: locations(memory, base + values[name]) for name in POINTERS})
    wrong = 0
    for name, texts in found.items():
        right = texts is not None and [os.path.realpath(text) for text in texts] == [dll]
        print(f'{what}: {name} {texts}{"" if right else "  WRONG"}')
        wrong += not right
    return wrong


def of_no_rank(runtime, dll):
    process = subprocess.Popen(
        ["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ, LD_PRELOAD=runtime)
    )
    process.stdin.write(b".")
    process.stdin.flush()
    process.stdout.read(1)  # it has come to main
    wrong = look(process.pid, runtime, dll, "cat")
    process.stdin.close()
    return wrong + (process.wait(timeout=at_most(60)) != 0)


def of_ranks(arguments, runtime, dll):
    with Job(arguments.mpiexec, 2, [arguments.mpilens, "run", arguments.program]) as job:
        job.wait_ready()
        program = os.path.realpath(arguments.program)
        pids = [pid for pid in processes_with(job.variable) if os.path.realpath(f"/proc/{pid}/exe") == program]
        return sum(look(pid, runtime, dll, f"rank {pid}") for pid in pids) + (len(pids) != 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mpilens", "mpiexec", "runtime", "dll"):
        parser.add_argument("--" + name, required=True, type=os.path.abspath)
    parser.add_argument("program", type=os.path.abspath)
    arguments = parser.parse_args()
    runtime, dll = os.path.realpath(arguments.runtime), os.path.realpath(arguments.dll)
    try:
        return 1 if of_no_rank(runtime, dll) + of_ranks(arguments, runtime, dll) else 0
    except JobFailed as failure:
        print(failure)
        return 1


if __name__ == "__main__":
    sys.exit(main())
