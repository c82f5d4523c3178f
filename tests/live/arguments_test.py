# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of ranks without the runtime, in programs that were not optimized: C passes values from the caller's frame, Fortran their
addresses. A value that the statement itself changes is not known."""
import os
import re
import subprocess
import sys
import tempfile

from lib.command import Command, argument_parser
from lib.job import HANG_SECONDS, Job, wait_until
from lib.report import Report

SEEN = re.compile(r"^ +ranks? (\S+) +in (MPI_\w+\(.*?\)) ", re.MULTILINE)
OF_C = """
#include <mpi.h>
struct grid { int rank, size; MPI_Comm comm; int counts[4]; };
static int plus(int *left, int right) { return *left += right; }
static void exchange(struct grid *g, int step)
{
    double cells[16] = {0};
    int tag = 6, odd = g->size == 4 ? 9 : 10;
    if (g->rank == 0) MPI_Recv(cells, g->counts[step - 5], MPI_DOUBLE, (g->rank + g->size - 1) % g->size, tag + 1, g->comm, MPI_STATUS_IGNORE);
    else if (g->rank == 1)
        MPI_Sendrecv(cells, g->counts[0] * 4096, MPI_INT, g->rank + 1, tag | 0x800,
                     cells + 8, g->rank > 7 ? 1 : 2, MPI_FLOAT, MPI_ANY_SOURCE,
                     step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (g->rank == 2)
        MPI_Recv(cells, plus(&tag, 4) - 2, MPI_INT, g->rank - 1, tag++, g->comm, MPI_STATUS_IGNORE);
    else
        MPI_Reduce(MPI_IN_PLACE, &cells[g->rank], odd, MPI_DOUBLE, MPI_MAX, (g->rank << 1) - 3, g->comm);
}
int main(int argc, char **argv)
{
    struct grid g = {.counts = {16, 17, 18, 19}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.size);
    g.comm = MPI_COMM_WORLD;
    exchange(&g, 7);
    MPI_Finalize();
}
"""
WORLD = "communicator MPI_COMM_WORLD"
SEEN_OF_C = {
    # The remainder of a division is not followed.
    "0": f"MPI_Recv(count 18, datatype MPI_DOUBLE, peer ?, tag 7, {WORLD})",
    # The tag is calculated in the second byte of a register, which is not followed.
    "1": "MPI_Sendrecv(send count 65536, send datatype MPI_INT, send peer 2, send tag ?, recv count ?, recv datatype MPI_FLOAT, "
    f"recv peer ANY, recv tag 7, {WORLD})",
    # `tag` has gone on, and what was loaded before another function was called may have changed.
    "2": "MPI_Recv(count ?, datatype MPI_INT, peer ?, tag ?, communicator ?)",
    "3": f"MPI_Reduce(count 9, datatype MPI_DOUBLE, op MPI_MAX, root 3, {WORLD})",
}
OF_FORTRAN = """
module cells_of_all
  implicit none
  double precision :: cells(16)
contains
  subroutine exchange(n, rank)
    USES
    integer, intent(in) :: n, rank
    integer :: tag, ierr
    if (rank == 1) then
      tag = 8
      call MPI_Recv(cells, n, MPI_DOUBLE_PRECISION, rank - 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    else
      call MPI_Allreduce(MPI_IN_PLACE, cells, n / 2, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    end if
  end subroutine
end module
program job
  USES
  use cells_of_all
  implicit none
  integer :: rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call exchange(16, rank)
  call MPI_Finalize(ierr)
end program
"""
SEEN_OF_FORTRAN = {
    "0": f"MPI_Allreduce(count 8, datatype MPI_DOUBLE_PRECISION, op MPI_MAX, {WORLD})",
    "1": f"MPI_Recv(count 16, datatype MPI_DOUBLE_PRECISION, peer 0, tag 8, {WORLD})",
}


class ArgumentsTest(Report):
    def __init__(self, arguments, directory):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.directory = directory

    def build(self, compiler, name, text):
        source = os.path.join(self.directory, name)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        program = os.path.splitext(source)[0]
        subprocess.run([compiler, "-g", "-O0", source, "-o", program], check=True, cwd=self.directory)
        return program

    def case(self, program, wanted):
        seen = {}
        with Job(self.arguments.mpiexec, len(wanted), [program]) as job:

            def is_seen():
                nonlocal seen
                result = self.command.run("why", "--no-source", "--here", job.launcher)
                seen = {ranks: call for ranks, call in SEEN.findall(result.output)}
                return seen == wanted

            right = wait_until(is_seen, HANG_SECONDS)
        self.check(right, f"{program}: {seen}, not {wanted}")

    def run(self):
        any_source = "-2" if os.path.basename(self.arguments.mpicc).endswith("mpich") else "-1"
        of_c = {rank: call.replace("ANY", any_source) for rank, call in SEEN_OF_C.items()}
        self.case(self.build(self.arguments.mpicc, "of_c.c", OF_C), of_c)
        for name, uses in ("mpif", "use mpi"), ("f08", "use mpi_f08"):
            if self.arguments.mpifort:
                program = self.build(self.arguments.mpifort, f"{name}.f90", OF_FORTRAN.replace("USES", uses))
                self.case(program, SEEN_OF_FORTRAN)
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    parser.add_argument("--mpifort", help="none: no programs in Fortran")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mpilens-arguments-") as directory:
        return ArgumentsTest(arguments, directory).run()


if __name__ == "__main__":
    sys.exit(main())
