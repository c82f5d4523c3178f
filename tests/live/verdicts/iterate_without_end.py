# SPDX-License-Identifier: BSD-3-Clause
#
# Newton's iteration of rank 2 never converges; the others have waited in the reduction for longer than the patience.
#
# EXPECT waiting-for-rank ranks 0-3 culprits 2 lines newton|residual,reduce
# RANKS 4
# OPTIONS --patience 1
# CHECK openmpi, all forms
import signal

from mpi4py import MPI


def solve(square):
    guess = 1.0
    while guess * guess != square:  # LINE(residual)
        guess = (guess + square / guess) / 2 or 1.0  # LINE(newton)
    return guess


signal.alarm(1200)
world = MPI.COMM_WORLD
root = solve(-1 if world.Get_rank() == 2 else 1)
total = world.allreduce(root)  # LINE(reduce)
