# SPDX-License-Identifier: BSD-3-Clause
"""MPI that a program takes by dlopen and dlsym: tracked like that which it is linked with, through whatever library stands between; and where
it cannot be, that is what `mpilens why` says."""
import os
import subprocess
import sys
import tempfile

from lib.command import Command, argument_parser
from lib.forwarding import fill, find_mpi_library, functions_of, quote
from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
RANKS = 2
CALL = "in MPI_Recv(1 x MPI_INT <- 0, tag 5, MPI_COMM_WORLD)"
WHY = ("why", "--patience", "0.5", "--interval", "0.2")

# As other languages do; Open MPI's handles are addresses.
PYTHON = """
import ctypes, signal, sys
mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
is_open = hasattr(mpi, "ompi_mpi_comm_world")
address = lambda name: ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, name)))
world, integer = (address("ompi_mpi_comm_world"), address("ompi_mpi_int")) if is_open else (0x44000000, 0x4C000405)
rank, value = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Init(None, None)
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
while rank.value == 0:
    signal.pause()
mpi.MPI_Recv(ctypes.byref(value), 1, integer, 0, 5, world, ctypes.c_void_p(None if is_open else 1))
"""

# In the style of MPItrampoline: every function of MPI, each a jump to the same function of the library that it loads when MPI is
# initialized.
FORWARDING = """
#include <dlfcn.h>
#include <stddef.h>
static const char *const names[] = {NAMES};
void *forward_slots[sizeof names / sizeof *names];
static void load(void)
{
    void *library = dlopen("LIBRARY", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        forward_slots[i] = dlsym(library, names[i]);
}
"""
INITIALIZE = """
int NAME(int *count, char ***arguments)
{
    load();
    return ((int (*)(int *, char ***))forward_slots[NUMBER])(count, arguments);
}
"""
JUMP = (
    '__asm__(".globl NAME\\n.type NAME, @function\\nNAME: movq forward_slots@GOTPCREL(%rip), %r11\\n jmp *OFFSET(%r11)\\n'
    '.size NAME, .-NAME\\n");\n'
)
# All that the program calls: the runtime would ask others.
FEW = ("MPI_Init", "MPI_Comm_rank", "MPI_Recv")


class LoadedTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def file(self, name):
        return os.path.join(self.directory, name)

    def source(self, name):
        return os.path.join(self.arguments.sources, name)

    def compile(self, *command):
        subprocess.run(command, check=True, cwd=self.directory, stdin=subprocess.DEVNULL, timeout=SECONDS)

    def build(self):
        mpicc = self.arguments.mpicc
        self.compile(mpicc, "-g", "-Wall", "-Werror", "-c", self.source("loaded.c"), "-o", "loaded.o")
        self.compile("cc", "loaded.o", "-o", "loaded", "-ldl")
        self.compile(mpicc, "-g", "-shared", "-fPIC", self.source("plug_in.c"), "-o", "plug_in.so")
        self.library = find_mpi_library(self.file("plug_in.so"))
        self.build_forwardings()

    def build_forwardings(self):
        """And a program that is linked with nothing else."""
        self.build_forwarding("forward", functions_of(self.library, "P?"))
        self.build_forwarding("few", FEW)
        self.compile("cc", "loaded.o", "-o", "forwarded", "-ldl", "-L.", "-lforward", f"-Wl,-rpath,{self.directory}")

    def build_forwarding(self, library, names):
        with open(self.file(f"{library}.c"), "w", encoding="utf-8") as file:
            file.write(fill(FORWARDING, names=quote(names), library=self.library))
            for number, name in enumerate(names):
                text = INITIALIZE if name in ("MPI_Init", "PMPI_Init") else JUMP
                file.write(fill(text, name=name, number=number, offset=8 * number))
        self.compile("cc", "-shared", "-fPIC", f"{library}.c", "-o", f"lib{library}.so", "-ldl")

    def job(self, *program):
        return Job(self.arguments.mpiexec, RANKS, [self.command.path, "run", *self.arguments.run_options, *program])

    def expect_tracked(self, name, *program):
        last = []

        def is_right():
            last[:] = [self.command.run(*WHY, "--json", job.launcher)]
            findings = (last[0].document() or {"findings": []})["findings"]
            return (
                len(findings) == 1
                and findings[0]["kind"] == "waiting-for-rank"
                and findings[0]["culprits"] == [0]
                and any(CALL in one["text"] and one["ranks"] == [1] for one in findings[0]["evidence"])
            )

        with self.job(*program) as job:
            self.check(wait_until(is_right, SECONDS, 0.2), f"{name}: {last[0]}")

    def expect_evasion(self, name, *program):
        last = []

        def is_right():
            last[:] = [self.command.run(*WHY, job.launcher)]
            text = last[0].output
            return (
                "rank 1 is in MPI_Recv" in text
                and "apart from its runtime, as dlmopen and RTLD_DEEPBIND do" in text
                and "next time" not in text
            )

        with self.job(*program) as job:
            self.check(wait_until(is_right, SECONDS, 0.2), f"{name}: {last[0]}")
            for verb in ("list", "leaks"):
                answer = self.command.run(verb, job.launcher)
                self.check("has not called MPI yet, as far as its runtime sees" in str(answer), f"{name}: {answer}")

    def run(self):
        with tempfile.TemporaryDirectory(prefix="mpilens-loaded-") as self.directory:
            self.build()
            loaded = self.file("loaded")
            self.expect_tracked("dlsym", loaded, "local", self.library)
            self.expect_tracked("RTLD_DEEPBIND", loaded, "deep", self.library)
            self.expect_tracked("plug-in", loaded, "plug-in", self.file("plug_in.so"))
            self.expect_evasion("plug-in, RTLD_DEEPBIND", loaded, "deep-plug-in", self.file("plug_in.so"))
            self.expect_tracked("ctypes", sys.executable, "-c", PYTHON, self.library)
            self.expect_tracked(
                "forwarding library", self.file("forwarded"), "local", self.file("libforward.so"), self.library
            )
            self.expect_tracked("few functions", loaded, "local", self.file("libfew.so"), self.library)
            if self.arguments.flavour == "mpich":  # Open MPI cannot be loaded twice
                self.expect_evasion("dlmopen", loaded, "apart", self.library)
        return self.end() == 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    parser.add_argument("--flavour", required=True)
    parser.add_argument("--sources", required=True, help="directory of loaded.c")
    arguments = parser.parse_args()
    arguments.run_options = ["--mpi", arguments.flavour]
    return run_test(LoadedTest(arguments))


sys.exit(main())
