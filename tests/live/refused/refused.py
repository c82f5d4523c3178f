# SPDX-License-Identifier: BSD-3-Clause
"""As refused.c tells, from Python: rank 0 makes calls that MPI refuses, and prints what they raise; or, with a number after "fatal",
only the call with this number, which ends the job."""
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
values, others = bytearray(16), bytearray(16)
window = MPI.Win.Create(values, 1, comm=world)
fatal = int(sys.argv[2]) if sys.argv[1] == "fatal" else 0
if fatal:
    for thing in (world, MPI.COMM_SELF, window):
        thing.Set_errhandler(MPI.ERRORS_ARE_FATAL)

CALLS = [
    ("Send, rank", lambda: world.Send([values, 1, MPI.INT], 99, 1)),
    ("Send, datatype", lambda: world.Send([values, 1, MPI.DATATYPE_NULL], 1, 1)),
    ("send, rank", lambda: world.send("an object", 99, 1)),
    ("Recv, tag", lambda: world.Recv([values, 1, MPI.INT], 1, -7)),
    ("recv, rank", lambda: world.recv(source=99)),
    ("Isend, tag", lambda: world.Isend([values, 1, MPI.INT], 1, -7)),
    ("Irecv, rank", lambda: world.Irecv([values, 1, MPI.INT], 99, 1)),
    ("Send_init, rank", lambda: world.Send_init([values, 1, MPI.INT], 99, 1)),
    ("Probe, rank", lambda: world.Probe(99, 1)),
    ("mprobe, rank", lambda: world.mprobe(99, 1)),
    ("Bcast, root", lambda: world.Bcast([values, 1, MPI.INT], 99)),
    ("bcast, root", lambda: world.bcast("an object", 99)),
    ("Allreduce, operation", lambda: world.Allreduce([values, 1, MPI.INT], [others, 1, MPI.INT], MPI.OP_NULL)),
    ("Ibcast, root", lambda: world.Ibcast([values, 1, MPI.INT], 99)),
    ("Dup, communicator", MPI.COMM_NULL.Dup),
    ("Create_contiguous, count", lambda: MPI.INT.Create_contiguous(-1)),
    ("Put, rank", lambda: window.Put([others, 1, MPI.INT], 99)),
    ("Lock, rank", lambda: window.Lock(99)),
    ("Open, name", lambda: MPI.File.Open(MPI.COMM_SELF, "/nowhere/at/all")),
]

for number, (name, call) in enumerate(CALLS, 1):
    if world.rank == 0 and fatal in (0, number):
        try:
            call()
            print(name, "was not refused", flush=True)
        except MPI.Exception as error:
            print(f"{name}: class {error.Get_error_class()}, {error.Get_error_string()}", flush=True)
world.Barrier()
window.Free()
