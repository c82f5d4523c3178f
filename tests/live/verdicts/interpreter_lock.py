# SPDX-License-Identifier: BSD-3-Clause
#
# A thread of rank 1 makes the first pickled reduction on a communicator, for which mpi4py calls MPI_Comm_dup while it
# keeps the lock of the interpreter: the main thread, which owes rank 0 a message, cannot run. Rank 0 reduces only when
# it has the message.
#
# EXPECT deadlock ranks 0,1 culprits 0,1 lines receive,reduce
# SAYS main thread not in MPI
# RANKS 2
# WITHOUT cores
# CHECK openmpi
import signal
import sys
import threading

from mpi4py import MPI


def reduce(rank):
    may_reduce.wait()
    begins.set()
    counts.allreduce(rank)  # LINE(reduce)


signal.alarm(1200)
sys.setswitchinterval(60)  # no thread has to give the lock away
work = MPI.COMM_WORLD.Dup()
counts = MPI.COMM_WORLD.Dup()
may_reduce = threading.Event()
begins = threading.Event()
reducer = threading.Thread(target=reduce, args=(work.rank,))
reducer.start()
message = bytearray(8)
if work.rank == 0:
    work.Recv(message, source=1)  # LINE(receive)
    may_reduce.set()
else:
    may_reduce.set()
    begins.wait()
    work.Send(message, dest=0)
reducer.join()
