# SPDX-License-Identifier: BSD-3-Clause
"""Rank 1 raises an exception that nothing catches, rank 2 loops, rank 3 waits for a message, the others at a barrier."""
import signal

from mpi4py import MPI

signal.alarm(1200)
world = MPI.COMM_WORLD


def raises(cells):
    return cells["north"]


def loops():
    steps = 0
    while True:  # LINE(while)
        steps += 1  # LINE(loop)


def waits():
    world.Recv(bytearray(8), source=0, tag=5)  # LINE(wait)


def main():
    for rank, what in ((1, lambda: raises({})), (2, loops), (3, waits)):
        if rank == world.Get_rank():
            what()
    world.Barrier()  # LINE(barrier)


main()
