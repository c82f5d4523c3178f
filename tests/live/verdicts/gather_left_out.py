# SPDX-License-Identifier: BSD-3-Clause
#
# Rank 2 leaves out a gather and ends; mpi4py calls MPI_Finalize for it. Ranks 1 and 3 have given what they had.
#
# EXPECT collective-missing ranks 0 culprits 2 lines gather
# RANKS 4
# CHECK openmpi
import array
import signal

from mpi4py import MPI

signal.alarm(1200)
world = MPI.COMM_WORLD
rank = world.Get_rank()
mine, values = array.array("i", [rank]), array.array("i", [0] * world.Get_size())
if rank != 2:
    world.Gather([mine, 1, MPI.INT], [values, 1, MPI.INT], root=0)  # LINE(gather)
