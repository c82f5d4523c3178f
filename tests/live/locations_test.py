# SPDX-License-Identifier: BSD-3-Clause
"""Reads the symbols by which debuggers find the DLL out of processes: of one that does not use MPI, and of ranks."""
import argparse
import os
import subprocess
import sys

from lib.debugged_process import Memory, load_address, symbol_values
from lib.job import Job, JobFailed, processes_with
from lib.patience import at_most

ARRAY = "MPIR_dll_name"
POINTERS = ("mpimsgq_dll_locations", "mpidbg_dll_locations", "MPI_D_dll_locations")


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
