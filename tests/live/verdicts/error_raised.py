# SPDX-License-Identifier: BSD-3-Clause
#
# The length of a message has a wrong tag, so that rank 0 takes the message itself for it. MPI fails that call, and the
# exception ends the program of rank 0; mpi4py calls MPI_Finalize for it. Rank 1 waits for its answer.
#
# EXPECT mpi-error ranks 0,1 culprits 0,1 lines answer
# SAYS failed with MPI_ERR_TRUNCATE
# SAYS it has room for 4 bytes and got a message of 24, 20 too many, sent by rank 1's MPI_Send
# SAYS the exception has ended its Python program
# SAYS a message of 4 bytes with tag 8, which rank 1 had sent before with MPI_Send
# SAYS use the same tag on both sides, 7 or 8, if that message was meant
# RANKS 2
# WITHOUT boxes
# CHECK openmpi
import array
import signal

from mpi4py import MPI

TAG = 7
world = MPI.COMM_WORLD
signal.alarm(1200)
if world.rank == 0:
    length = array.array("i", [0])
    world.Recv(length, source=1, tag=TAG)
    values = array.array("i", [0] * length[0])
    world.Recv(values, source=1, tag=TAG)
    world.Send(values, dest=1)
else:
    values = array.array("i", range(6))
    world.Send(array.array("i", [len(values)]), dest=0, tag=TAG + 1)
    world.Send(values, dest=0, tag=TAG)
    world.Recv(values, source=0)  # LINE(answer)
