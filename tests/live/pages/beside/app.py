# SPDX-License-Identifier: BSD-3-Clause
from mpi4py import MPI

MPI.COMM_WORLD.Barrier()
