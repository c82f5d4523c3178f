#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What does the runtime add to a program that only begins and ends MPI? Processor time and memory of a rank, alone and
among 64, with and without it in turns: medians over all ranks and pairs, and the quartiles of what a pair differs by. Ranks
that wait for others compute meanwhile: among many, the time says little where there are fewer processors. Instructions
(callgrind) are exact of one rank alone; among many, they are the last rank's in the runtime and in the dynamic linker,
whose part does not depend on how long the rank waits.

start_up.py --program PROGRAM --runtime LIBRARY --mpiexec LAUNCHER [--pairs NUMBER]
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from callgrind_run import read_counts

RANKS = (1, 64)
TIME_AIM_MS = 3
MEMORY_AIM = 1 << 20


def run(options, ranks, preload):
    """(milliseconds, bytes) of a rank: medians"""
    command = [options.program]
    if preload:
        command = ["env", f"LD_PRELOAD={options.runtime}"] + command
    if ranks > 1:
        command = [options.mpiexec, "-n", str(ranks)] + command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(lines) != ranks:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return (
        statistics.median(int(microseconds) / 1000 for microseconds, _ in lines),
        statistics.median(int(size) for _, size in lines),
    )


LAST_RANK = """
for rank in "${PMI_RANK:-}" "${OMPI_COMM_WORLD_RANK:-}"; do [ "$rank" != "$1" ] || is_counted=1; done
shift
[ -z "${is_counted:-}" ] || exec valgrind --tool=callgrind --callgrind-out-file="$0" "$@"
exec "$@"
"""


def count_once(options, ranks, preload):
    """(all, {object: in its own code}) of the last rank"""
    with tempfile.TemporaryDirectory(prefix="mpilens-bench-") as directory:
        path = os.path.join(directory, "callgrind")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}", options.program]
        if ranks > 1:
            preloaded = ["env", f"LD_PRELOAD={preload}"] if preload else []
            counted = [*preloaded, "sh", "-c", LAST_RANK, path, str(ranks - 1), options.program]
            command = [options.mpiexec, "-n", str(ranks), *counted]
        environment = dict(os.environ, **({"LD_PRELOAD": preload} if preload and ranks == 1 else {}))
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        with open(path) as file:
            return read_counts(file)


def of_linker(by_object):
    return sum(count for name, count in by_object.items() if name.startswith(("ld-linux", "ld-2", "ld.so")))


def print_instructions(options):
    library = os.path.basename(os.path.realpath(options.runtime))
    print(f'Instructions\n{"ranks":>5} {"runtime":>12} {"linker adds":>12} {"all adds":>12}')
    for ranks in RANKS:
        bare, with_bare = count_once(options, ranks, None)
        tracked, with_runtime = count_once(options, ranks, options.runtime)
        linker = of_linker(with_runtime) - of_linker(with_bare)
        added = f"{tracked - bare:12,}" if ranks == 1 else f'{"-":>12}'
        print(f"{ranks:5} {with_runtime.get(library, 0):12,} {linker:12,} {added}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--pairs", type=int, default=21)
    options = parser.parse_args()
    print(f"MPI_Init and MPI_Finalize of a rank; aims: at most {TIME_AIM_MS} ms and {MEMORY_AIM >> 10} KiB are added")
    print(f'{"ranks":>5} {"ms bare":>9} {"ms added":>9} {"quartiles":>19} {"KiB bare":>9} {"KiB added":>9}')
    for ranks in RANKS:
        pairs = []
        for number in range(options.pairs if ranks == 1 else max(1, options.pairs // 7)):
            ways = (False, True) if number % 2 == 0 else (True, False)
            measured = {way: run(options, ranks, way) for way in ways}
            pairs.append((measured[False], measured[True]))
        differences = sorted(tracked[0] - bare[0] for bare, tracked in pairs)
        added = statistics.median(differences)
        memory = statistics.median(tracked[1] - bare[1] for bare, tracked in pairs)
        quartiles = differences[len(differences) // 4], differences[len(differences) - 1 - len(differences) // 4]
        over = added > TIME_AIM_MS or memory > MEMORY_AIM
        print(
            f"{ranks:5} {statistics.median(bare[0] for bare, _ in pairs):9.2f} {added:9.2f} "
            f"{quartiles[0]:9.2f} {quartiles[1]:9.2f} {statistics.median(bare[1] for bare, _ in pairs) / 1024:9.0f}"
            f' {memory / 1024:9.0f}{"  over" if over else ""}',
            flush=True,
        )
    if shutil.which("valgrind"):
        print_instructions(options)


if __name__ == "__main__":
    main()
