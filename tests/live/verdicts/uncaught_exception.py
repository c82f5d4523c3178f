# SPDX-License-Identifier: BSD-3-Clause
#
# An exception ends the program of rank 2 in the third step; mpi4py calls MPI_Finalize for it. Rank 1 waits for its field while
# it handles an exception of its own.
#
# EXPECT waiting-for-rank ranks 1 culprits 2 lines late_receive,main_loop
# SAYS after an uncaught exception has ended its Python program
# SAYS while it handles TimeoutError: no field yet, raised in expect (uncaught_exception.py:
# RANKS 4
# CHECK openmpi, all forms
import array
import signal

from mpi4py import MPI

CELLS = 1000
world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
neighbour = (rank + 1) % size


def expect(field, step):
    if not world.Iprobe(source=neighbour, tag=step):
        raise TimeoutError("no field yet")
    world.Recv(field, source=neighbour, tag=step)


def exchange(field, step):
    if (rank, step) == (2, 2):
        raise ValueError(f"cell {step} is empty")
    world.Bsend(field, dest=(rank - 1) % size, tag=step)
    try:
        expect(field, step)
    except TimeoutError:
        world.Recv(field, source=neighbour, tag=step)  # LINE(late_receive)


def solve():
    field = array.array("d", [rank] * CELLS)
    for step in range(10):
        exchange(field, step)
        world.Barrier()  # LINE(main_loop)


signal.alarm(1200)
MPI.Attach_buffer(bytearray(1 << 20))
solve()
