#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much memory does a pending operation take? From what the runtime says that it has mapped, and from how much more
the resident memory of a process with very many pending MPI_Irecv grows with the runtime than without.

A million is more than MPICH can have pending: those are receives from MPI_PROC_NULL, which are kept until they are
collected.

pending_memory.py --program PROGRAM --runtime LIBRARY
"""
import argparse
import os
import subprocess
import sys

CASES = ((1000, "self"), (100000, "self"), (250000, "self"), (100000, "null"), (1000000, "null"))
AIM = 192


def growth(program, count, peer, preload):
    """(resident bytes, bytes that the runtime has mapped) of `count` pending receives from `peer`"""
    environment = dict(os.environ)
    if preload:
        environment["LD_PRELOAD"] = preload
    done = subprocess.run(
        [program, str(count), peer],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(map(int, done.stdout.split()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--runtime", required=True)
    options = parser.parse_args()
    print("Bytes per pending operation")
    print(
        f'{"pending":>10} {"from":>5} {"bare, resident":>16} {"added, resident":>16} {"added, mapped":>16}'
        f' {"aim":>5}'
    )
    for count, peer in CASES:
        bare, _ = growth(options.program, count, peer, None)
        tracked, mapped = growth(options.program, count, peer, options.runtime)
        if mapped == 0:
            sys.exit(f"{options.runtime} has mapped nothing: it is not at work")
        added = (tracked - bare) / count
        over = max(added, mapped / count) > AIM
        print(
            f"{count:10} {peer:>5} {bare / count:16.1f} {added:16.1f} {mapped / count:16.1f} {AIM:5}"
            f'{"  over" if over else ""}'
        )


if __name__ == "__main__":
    main()
