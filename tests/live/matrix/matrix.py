# SPDX-License-Identifier: BSD-3-Clause
"""The program of the language matrix (matrix.c) in Python."""
import array
import signal

import mpi4py

mpi4py.rc.threads = False
from mpi4py import MPI

LARGE = 1 << 18
out, received = array.array("i", [0] * LARGE), array.array("i", [0] * 6)
memory, values = array.array("i", [0] * 4), array.array("i", [0] * 3)


def add(left, right, datatype):
    pass


signal.alarm(1200)
world = MPI.COMM_WORLD
rank = world.Get_rank()
half = world.Split(rank % 2, rank)
half.Set_name("half")
peer = 1 - half.Get_rank()
vector = MPI.INT.Create_vector(3, 1, 2)
vector.Commit()
pair = vector.Create_contiguous(2)
group = half.Get_group()
first = group.Incl([0])
op = MPI.Op.Create(add, True)
keyval = MPI.Comm.Create_keyval()
half.Set_attr(keyval, values)
info = MPI.Info.Create()
info.Set("key", "value")
# This version of mpi4py has no function that makes an error handler.
window = MPI.Win.Create(memory, 4, MPI.INFO_NULL, world)

done = [half.Irecv([received, 1, vector], peer, 1), half.Isend([out, 3, MPI.INT], peer, 1)]
MPI.Request.Waitall(done)
world.Bcast([values, 3, MPI.INT], 0)

pending = [
    half.Irecv([received, 1, vector], peer, 2),
    half.Isend([out, LARGE, MPI.INT], peer, 3),
    half.Ssend_init([out, 2, MPI.INT], peer, 4),
    half.Recv_init([values, 3, MPI.INT], peer, 5),
]
pending[3].Start()
pending.append(half.Irecv([MPI.BOTTOM, 0, MPI.INT], peer, 7))
if rank == 0:
    world.Recv([values, 3, MPI.INT], 1, 6)
pending.append(world.Iallreduce(MPI.IN_PLACE, [values, 3, MPI.INT], op))
pending.append(world.Ibcast([values, 3, MPI.INT], 0))
pending.append(world.Ibarrier())
pending[-1].Wait()
