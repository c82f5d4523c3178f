#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many instructions does the runtime add to an operation? Counted by callgrind, for the bare library, with a
preload library that only forwards, and with the runtime. Each number is the difference of two runs with different
numbers of iterations, so it is exact and nothing of the start is in it. `added` is against the forwarding library; `exact` is
what `mpilens run --unexpected=exact` adds to that, not counting what MPI itself takes for several threads.
Callgrind counts a string instruction once per byte, so the copy of 10,000 request handles looks like 40,000 or 80,000.

instructions.py --program PROGRAM --forwarding LIBRARY --runtime LIBRARY
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

# What may be added to an operation of a blocking call, and to a nonblocking one from post to collected.
BLOCKING_AIM = 55
NONBLOCKING_AIM = 120
EXACT_AIM = 40

# How MPI_Init is made to allow several threads, by the forwarding library's MPI.
SEVERAL_THREADS = {"OMPI_MPI_THREAD_LEVEL": "3", "MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"}
EXACT = {"MPILENS_UNEXPECTED": "exact"}


def totals(program, preload, variables):
    """[(name, blocking, nonblocking, iterations, instructions)] in the order of measurement."""
    environment = dict(os.environ, **variables)
    if preload:
        environment["LD_PRELOAD"] = preload
    with tempfile.TemporaryDirectory(prefix="mpilens-bench-") as directory:
        base = os.path.join(directory, "callgrind")
        done = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={base}",
                "--zero-before=measured_run",
                "--dump-after=measured_run",
                program,
            ],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"{program} under callgrind ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        result = []
        for number, line in enumerate(done.stdout.splitlines(), 1):
            name, *numbers = line.split("|")
            with open(f"{base}.{number}") as file:
                instructions = next(int(line.split()[1]) for line in file if line.startswith("totals:"))
            result.append((name, *map(int, numbers), instructions))
        return result


def per_iteration(program, preload, variables={}):
    """{name: (blocking, nonblocking, instructions of one iteration)}"""
    measured = totals(program, preload, variables)
    result = {}
    for few, many in zip(measured[::2], measured[1::2]):
        instructions = (many[-1] - few[-1]) / (many[-2] - few[-2])
        result[few[0]] = (few[1], few[2], instructions)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--forwarding", required=True)
    parser.add_argument("--runtime", required=True)
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return 77

    bare = per_iteration(options.program, None)
    forwarding = per_iteration(options.program, options.forwarding)
    tracked = per_iteration(options.program, options.runtime)
    forwarding_threads = per_iteration(options.program, options.forwarding, SEVERAL_THREADS)
    exact = per_iteration(options.program, options.runtime, EXACT)
    print("Instructions per iteration")
    print(
        f'{"":28} {"bare":>10} {"forwarding":>10} {"tracked":>10} {"ratio":>7} {"added":>9} {"aim":>5} {"exact":>9} {"aim":>5}'
    )
    for name, (blocking, nonblocking, instructions) in bare.items():
        added = tracked[name][2] - forwarding[name][2]
        aim = blocking * BLOCKING_AIM + nonblocking * NONBLOCKING_AIM
        of_exact = exact[name][2] - forwarding_threads[name][2] - added
        exact_aim = (blocking + nonblocking) * EXACT_AIM
        print(
            f"{name:28} {instructions:10.1f} {forwarding[name][2]:10.1f} {tracked[name][2]:10.1f}"
            f' {tracked[name][2] / instructions:7.3f} {added:9.1f} {aim if aim else "-":>5}'
            f'{"  over" if aim and added > aim else ""}'
            f' {of_exact:9.1f} {exact_aim if exact_aim else "-":>5}{"  over" if exact_aim and of_exact > exact_aim else ""}'
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
