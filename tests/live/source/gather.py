# SPDX-License-Identifier: BSD-3-Clause
"""The last rank gathers and the others reduce."""
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
one, all_of_them = array("i", [1]), array("i", 16 * [0])
if comm.rank == comm.size - 1:
    comm.Gather(one, [all_of_them, 1, MPI.INT], root=comm.rank)  # LINE(gather)
comm.Allreduce(one, [all_of_them, 1, MPI.INT])  # LINE(allreduce)
