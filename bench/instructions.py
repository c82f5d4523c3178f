#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many instructions does the runtime add to an operation? Counted by callgrind, for the bare library, with a
preload library that only forwards, and with the runtime. Each number is the difference of two runs with different
numbers of iterations, so it is exact and nothing of the start is in it. `added` is against the forwarding library; `exact` is
what `mpilens run --unexpected=exact` adds to that, not counting what MPI itself takes for several threads.
Callgrind counts a string instruction once per byte, so the copy of 10,000 request handles looks like 40,000 or 80,000.

instructions.py --program PROGRAM --forwarding LIBRARY --runtime LIBRARY [--peer LIBRARY]...

--peer: the cost of another preloaded library, such as a profiler, over one that only forwards.
"""
import argparse
import os
import shutil
import sys

from callgrind_run import instructions_of_iteration

# Limits of the cost added to an operation of a blocking call, and to a nonblocking one from post to collected.
BLOCKING_AIM = 55
NONBLOCKING_AIM = 120
EXACT_AIM = 40

# How MPI_Init is made to allow several threads, by the forwarding library's MPI.
SEVERAL_THREADS = {"OMPI_MPI_THREAD_LEVEL": "3", "MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"}
EXACT = {"MPILENS_UNEXPECTED": "exact"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--forwarding", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--peer", action="append", default=[])
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return 77

    bare = instructions_of_iteration(options.program, None)
    forwarding = instructions_of_iteration(options.program, options.forwarding)
    tracked = instructions_of_iteration(options.program, options.runtime)
    forwarding_threads = instructions_of_iteration(options.program, options.forwarding, SEVERAL_THREADS)
    exact = instructions_of_iteration(options.program, options.runtime, EXACT)
    peers = {os.path.basename(peer): instructions_of_iteration(options.program, peer) for peer in options.peer}
    print("Instructions per iteration")
    print(
        f'{"":28} {"bare":>10} {"forwarding":>10} {"tracked":>10} {"ratio":>7} {"added":>9} {"aim":>5} {"exact":>9} {"aim":>5}'
        f'{"".join(f" {name[-16:]:>16}" for name in peers)}'
    )
    for name, (blocking, nonblocking, instructions) in bare.items():
        added = tracked[name][2] - forwarding[name][2]
        aim = blocking * BLOCKING_AIM + nonblocking * NONBLOCKING_AIM
        of_exact = exact[name][2] - forwarding_threads[name][2] - added
        of_peers = "".join(f" {counted[name][2] - forwarding[name][2]:16.1f}" for counted in peers.values())
        exact_aim = (blocking + nonblocking) * EXACT_AIM
        print(
            f"{name:28} {instructions:10.1f} {forwarding[name][2]:10.1f} {tracked[name][2]:10.1f}"
            f' {tracked[name][2] / instructions:7.3f} {added:9.1f} {aim if aim else "-":>5}'
            f'{"  over" if aim and added > aim else ""}'
            f' {of_exact:9.1f} {exact_aim if exact_aim else "-":>5}{"  over" if exact_aim and of_exact > exact_aim else ""}{of_peers}'
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
