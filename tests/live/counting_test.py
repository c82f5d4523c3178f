# SPDX-License-Identifier: BSD-3-Clause
"""The runtime's own calls of MPI, counted by a library between the two: none that ARCHITECTURE does not list, none for a call like an
earlier one, and none about a handle before MPI has accepted it, or that MPI has refused."""
import os
import platform
import re
import subprocess
import sys
import tempfile

from lib.command import argument_parser
from lib.forwarding import fill, find_mpi_library, functions_of, quote
from lib.job import SKIP, run_test
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
# MPI calls these from inside, through the runtime or not, and every call with a failure may ask for its class.
COUNTING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static const char *const names[] = {NAMES};
enum { COUNT = sizeof names / sizeof *names };
void *counting_slots[COUNT];
static unsigned asked[COUNT], about_it[COUNT];
static const char *call;
static uintptr_t handle;
static int has_come, is_before;

__attribute__((constructor)) static void load(void)
{
    for (int i = 0; i < COUNT; i++)
        counting_slots[i] = dlsym(RTLD_NEXT, names[i]);
}

void counting_note(long number, const uintptr_t *registers, void *from)
{
    Dl_info object;
    if (call == NULL || !dladdr(from, &object) || strstr(object.dli_fname, "libmpilens-") == NULL)
        return;
    if (!has_come && strcmp(names[number] + 1, call) == 0) {
        has_come = 1;
        return;
    }
    asked[number]++;
    for (int i = 0; handle != 0 && i < 6; i++)
        if (registers[i] == handle || (HANDLE_BYTES == 4 && (uint32_t)registers[i] == (uint32_t)handle)) {
            about_it[number]++;
            is_before |= !has_come;
        }
}

void counting_begin(const char *name, uintptr_t of)
{
    memset(asked, 0, sizeof asked);
    memset(about_it, 0, sizeof about_it);
    call = name;
    handle = of;
    has_come = is_before = 0;
}

void counting_end(int error)
{
    char line[4000]; /* written at once: the other rank writes, too */
    int used = snprintf(line, sizeof line, "%s%s%s", call, error == 0 ? "" : " REFUSED", is_before ? " BEFORE" : "");
    for (int i = 0; i < COUNT && used < (int)sizeof line - 100; i++)
        if (asked[i] > 0)
            used += snprintf(line + used, sizeof line - used, " %s%s", names[i] + 1, about_it[i] > 0 ? "(it)" : "");
    fflush(stdout);
    line[used++] = '\n';
    if (write(STDOUT_FILENO, line, (size_t)used) < 0)
        perror("counting");
    call = NULL;
}
"""
# Notes the call and goes on to the next library, by processors.
JUMPS = {
    "x86_64": (
        "push %r9\\n push %r8\\n push %rcx\\n push %rdx\\n push %rsi\\n push %rdi\\n"
        " sub $8, %rsp\\n mov $NUMBER, %edi\\n lea 8(%rsp), %rsi\\n mov 56(%rsp), %rdx\\n call counting_note@PLT\\n add $8, %rsp\\n"
        " pop %rdi\\n pop %rsi\\n pop %rdx\\n pop %rcx\\n pop %r8\\n pop %r9\\n movq counting_slots@GOTPCREL(%rip), %r11\\n"
        " jmp *OFFSET(%r11)"
    ),
    "aarch64": (
        "stp x0, x1, [sp, -80]!\\n stp x2, x3, [sp, 16]\\n stp x4, x5, [sp, 32]\\n stp x6, x7, [sp, 48]\\n stp x8, x30, [sp, 64]\\n"
        " mov x0, NUMBER\\n mov x1, sp\\n mov x2, x30\\n bl counting_note\\n"
        " ldp x8, x30, [sp, 64]\\n ldp x6, x7, [sp, 48]\\n ldp x4, x5, [sp, 32]\\n ldp x2, x3, [sp, 16]\\n ldp x0, x1, [sp], 80\\n"
        " adrp x16, :got:counting_slots\\n ldr x16, [x16, :got_lo12:counting_slots]\\n ldr x16, [x16, OFFSET]\\n br x16"
    ),
}
FUNCTION = '__asm__(".globl NAME\\n.type NAME, %function\\nNAME: JUMP\\n.size NAME, .-NAME\\n");\n'


class CountingTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.jump = JUMPS[platform.machine()]

    def listed(self):
        """The functions of the table."""
        with open(self.arguments.architecture, encoding="utf-8") as file:
            table = re.search(r"\*\*Questions to MPI\.\*\*.*?\n\n(\|.*?)\n\n", file.read(), re.S)[1]
        return {f"MPI_{name}" for name in re.findall(r"`MPI_(\w+)`", table)}

    def build(self):
        mpicc = self.arguments.mpicc
        source = os.path.join(self.arguments.sources, "counted.c")

        def compile_it(*command):
            subprocess.run(command, check=True, cwd=self.directory, stdin=subprocess.DEVNULL, timeout=SECONDS)

        compile_it(mpicc, "-g", "-c", "-w", source, "-o", "counted.o")
        compile_it(mpicc, "-shared", "-fPIC", "-xc", os.devnull, "-o", "empty.so", "-Wl,--no-as-needed", "-Wl,-z,lazy")
        names = functions_of(find_mpi_library(os.path.join(self.directory, "empty.so")), "P")
        with open(os.path.join(self.directory, "counting.c"), "w", encoding="utf-8") as file:
            handle_bytes = 4 if self.arguments.flavour == "mpich" else 8
            file.write(fill(COUNTING, names=quote(names), handle_bytes=handle_bytes))
            for number, name in enumerate(names):
                file.write(fill(FUNCTION, jump=self.jump, name=name, number=number, offset=8 * number))
        compile_it("cc", "-shared", "-fPIC", "counting.c", "-o", "libcounting.so", "-ldl")
        compile_it(
            mpicc,
            "counted.o",
            "-o",
            "counted",
            "-L.",
            "-Wl,--no-as-needed",
            "-lcounting",
            f"-Wl,-rpath,{self.directory}",
        )

    def lines(self):
        done = subprocess.run(
            [self.arguments.mpiexec, "-n", "2", self.arguments.mpilens, "run", os.path.join(self.directory, "counted")],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        self.check(done.returncode == 0, f"{done}")
        return done.stdout.splitlines()

    def run(self):
        listed = self.listed()
        with tempfile.TemporaryDirectory(prefix="mpilens-counting-") as self.directory:
            self.build()
            section, seen = "start", set()
            for line in self.lines():
                print(line)
                words = line.split()
                if not words[0].startswith("MPI_"):
                    section = line
                    continue
                # the launcher may pass on the other rank's line later
                part = "start" if words[0] == "MPI_Init" else section
                asked = [word for word in words[1:] if word.startswith("MPI_")]
                seen |= {part} if asked else set()
                names = {word.replace("(it)", "") for word in asked}
                self.check(names <= listed, f"{part}: {line}: not in the table: {sorted(names - listed)}")
                self.check("BEFORE" not in words, f"{part}: {line}: asked about what MPI had not accepted")
                self.check(part != "round 1" or not asked, f"{part}: {line}: asked again")
                refused = "REFUSED" in words
                self.check(
                    not refused or not any("(it)" in word for word in asked),
                    f"{part}: {line}: asked about what was refused",
                )
                self.check(refused == (part == "wrong"), f"{part}: {line}: refused or not")
            self.check({"start", "made"} <= seen, f"hardly anything was asked: {seen}")
        return self.end() == 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    parser.add_argument("--flavour", required=True)
    parser.add_argument("--sources", required=True, help="directory of counted.c")
    parser.add_argument("--architecture", required=True, help="ARCHITECTURE.md")
    arguments = parser.parse_args()
    if platform.machine() not in JUMPS:
        print(f"no jump is known for {platform.machine()}")
        return SKIP
    return run_test(CountingTest(arguments))


sys.exit(main())
