# SPDX-License-Identifier: BSD-3-Clause
#
# A solver that exchanges fields in a ring; in its fourth step rank 1 sends with another tag.
#
# EXPECT tag-mismatch ranks 1,2 culprits 1,2 lines receive
# RANKS 4
# CHECK openmpi
import array
import signal

from mpi4py import MPI

FIELD_TAG, OTHER_TAG, STEPS, CELLS = 7, 8, 10, 1000
world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()


def exchange(field, step):
    tag = OTHER_TAG if (rank, step) == (1, 3) else FIELD_TAG
    request = world.Isend(field, dest=(rank + 1) % size, tag=tag)
    incoming = array.array("d", [0] * CELLS)
    world.Recv(incoming, source=(rank - 1) % size, tag=FIELD_TAG)  # LINE(receive)
    request.Wait()
    return incoming


def solve():
    field = array.array("d", [rank] * CELLS)
    for step in range(STEPS):
        field = exchange(field, step)
        world.allreduce(sum(field))


signal.alarm(1200)
solve()
