# SPDX-License-Identifier: BSD-3-Clause
#
# Master and workers with objects of Python; an error path of worker 2 forgets the result of its third piece.
#
# EXPECT deadlock ranks 0-3 culprits 0-3 lines result,piece
# RANKS 4
# CHECK openmpi
import signal

from mpi4py import MPI

WORK, RESULT, STOP, PIECES, IN_ADVANCE = 1, 2, 3, 40, 3
world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()


def hand_out():
    pieces = iter(range(PIECES))
    for worker in IN_ADVANCE * list(range(1, size)):
        world.send(next(pieces), dest=worker, tag=WORK)
    for _ in range(PIECES):
        status = MPI.Status()
        world.recv(source=MPI.ANY_SOURCE, tag=RESULT, status=status)  # LINE(result)
        piece = next(pieces, None)
        if piece is not None:
            world.send(piece, dest=status.Get_source(), tag=WORK)
    for worker in range(1, size):
        world.send(None, dest=worker, tag=STOP)


def work_off():
    status = MPI.Status()
    number = 0
    while True:
        piece = world.recv(source=0, tag=MPI.ANY_TAG, status=status)  # LINE(piece)
        if status.Get_tag() == STOP:
            return
        number += 1
        try:
            if (rank, number) == (2, 3):
                raise ValueError(piece)
            world.send(2.0 * piece, dest=0, tag=RESULT)
        except ValueError:
            pass


signal.alarm(1200)
if rank == 0:
    hand_out()
else:
    work_off()
