# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens guard` of a job that crashes: signal, thread, stack and line from the core file, in C, C++ and Fortran; else why there
is no core file."""
import os
import re
import resource
import subprocess
import sys

from lib.command import argument_parser
from lib.guard import SECONDS, GuardScenario
from lib.job import SKIP, wait_until
from lib.report import Report

C = """
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
static void solve(volatile int *where)
{
    ACT
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (rank == 1 && access("end", F_OK) != 0)
        usleep(1000);
    if (rank == 1)
        solve(NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
FORTRAN = """
program crash
  use mpi
  implicit none
  integer :: rank, error
  logical :: told
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  told = .false.
  do while (rank == 1 .and. .not. told)
    inquire (file='end', exist=told)
  end do
  if (rank == 1) call solve(3)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
contains
  subroutine solve(n)
    integer, intent(in) :: n
    real, pointer, volatile :: x(:)
    nullify (x)
    x(n) = 1.0
  end subroutine
end program
"""
# Suffix, source, how it dies, the place.
CASES = [
    ("c", C.replace("ACT", "*where = 1;"), r"SIGSEGV", r"solve \(crash\.c:7\) < main \(crash\.c:17\)"),
    ("cc", C.replace("ACT", "throw (long)where;"), r"SIGABRT", r"solve.* \(crash\.cc:7\) < main \(crash\.cc:17\)"),
    ("f90", FORTRAN, r"SIGSEGV", r"solve \(crash\.f90:21\) < .*\(crash\.f90:13\)"),
]
# Before, only the launcher knows for certain how a rank has ended; guard does where it was as fast.
KEEPS_ENDS = tuple(map(int, re.match(r"(\d+)\.(\d+)", os.uname().release).groups())) >= (6, 15)
NOT_KEPT = "rank 1 .* has ended first, and it is not known how: before Linux 6.15, only its launcher is told"


class Crash(GuardScenario):
    def compile(self, name, source, compiler):
        with open(os.path.join(self.directory, name), "w") as file:
            file.write(source)
        subprocess.run([compiler, "-g", "-O0", "-o", "program", name], check=True, cwd=self.directory)

    def die(self, *before, around=()):
        """`before`: the job, `around`: guard."""
        guard = self.start(SECONDS, *before, *self.mpiexec(2, os.path.join(self.directory, "program")), around=around)
        wait_until(lambda: self.watched(guard) >= 2, SECONDS)
        open(os.path.join(self.directory, "end"), "w").close()
        _, diagnostics = guard.communicate(timeout=SECONDS)
        os.unlink(os.path.join(self.directory, "end"))
        self.check(guard.returncode not in (0, 124), f"status {guard.returncode}:\n{diagnostics}")
        return diagnostics

    def with_core(self, name, source, compiler, how, place):
        self.compile(name, source, compiler)
        text = self.die()
        wanted = (
            rf"rank-died: rank 1 \(process \d+\) died of {how} \([A-Za-z ]+\), core dumped, in thread \d+: .*{place}"
        )
        self.check(re.search(wanted, text), f"{name}: not {wanted}:\n{text}")
        cores = [one for one in os.listdir(self.directory) if one.startswith("core")]
        self.check(not cores or "look into its core file: mpilens show --stack " in text, f"{name}: {cores}:\n{text}")

    def of_systemd(self):
        """One that gives what the kernel has written, where this host seems to have systemd-coredump."""
        alone = ["unshare", "--mount"]
        if os.geteuid() != 0 or subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            return
        pattern, tool = (os.path.join(self.directory, name) for name in ("pattern", "coredumpctl"))
        with open(pattern, "w") as file:
            file.write("|/lib/systemd/systemd-coredump %P %u\n")
        with open(tool, "w") as file:
            file.write('#!/bin/sh\n[ "$3 $1" = "dump --quiet" ] && cp $(ls -t core* | head -1) "${2#--output=}"\n')
        os.chmod(tool, 0o755)
        script = 'mount --bind pattern /proc/sys/kernel/core_pattern && PATH="$PWD:$PATH" exec "$@"'
        text = self.die(around=[*alone, "sh", "-c", script, "sh"])
        self.check(
            "look into its core file: coredumpctl debug " in text and "solve (crash.f90:21)" in text, f"systemd: {text}"
        )

    def without_core(self):
        """The program of before."""
        text = self.die("sh", "-c", 'ulimit -c 0; exec "$@"', "sh")
        self.lacks_core("the limit was 0 where the rank was started", text, "soft and hard 0")
        self.environment = {"MPILENS_CORE": "none"}
        text = self.die()
        self.lacks_core("", text, "MPILENS_CORE=none")
        self.check("core dumped" not in text, f"MPILENS_CORE=none: {text}")

    def lacks_core(self, why, text, case):
        is_said = f"no core file of rank 1: {why}" in text
        self.check(is_said or (not KEEPS_ENDS and re.search(NOT_KEPT, text)), f"{case}: {text}")


def main():
    parser = argument_parser(__doc__)
    parser.add_argument(
        "--compilers", nargs=3, required=True, help="of C, C++ and Fortran; an empty one: there is none"
    )
    arguments = parser.parse_args()
    with open("/proc/sys/kernel/core_pattern") as file:
        pattern = file.read()
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if pattern.startswith("|") or not pattern.strip() or hard == 0:
        print(f"SKIPPED: core_pattern is {pattern.strip()}, the hard limit of core files {hard}")
        return SKIP
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    report = Report()

    def what(crash):
        for compiler, (suffix, source, how, place) in zip(arguments.compilers, CASES):
            if compiler:
                crash.with_core(f"crash.{suffix}", source, compiler, how, place)
        if arguments.compilers[2] and not pattern.startswith("/"):
            crash.of_systemd()
        crash.without_core()

    report.problems += Crash(arguments).run(what).problems
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
