# SPDX-License-Identifier: BSD-3-Clause
"""Runs the benchmark `instructions` under callgrind and reads what it has counted."""
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass


@dataclass
class Measured:
    """One measured run of a workload."""

    name: str
    blocking: int  # operations of one iteration
    nonblocking: int
    iterations: int
    instructions: int
    by_object: dict  # {file name of a loaded object: instructions in its own code}


def measure(program, preload=None, variables=None, workloads=()):
    """[Measured] in the order of measurement; `workloads`: their names, all where empty"""
    environment = dict(os.environ, **(variables or {}))
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
                *workloads,
            ],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"{program} under callgrind ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        result = []
        lines = [line for line in done.stdout.splitlines() if line.count("|") == 3]  # what is preloaded may print, too
        for number, line in enumerate(lines, 1):
            name, *numbers = line.split("|")
            with open(f"{base}.{number}") as file:
                result.append(Measured(name, *map(int, numbers), *read_counts(file)))
        return result


def read_counts(lines):
    """(all instructions, {object: instructions in its own code}) of a dump in the Callgrind Profile Format (Valgrind's
    documentation, section "Callgrind Format Specification")"""
    total = 0
    names = {}
    by_object = {}
    current = ""
    is_inclusive = False  # the line behind calls= says what the called functions took
    for line in lines:
        if line.startswith("totals:"):
            total = int(line.split()[1])
        elif line.startswith(("ob=", "cob=")):
            number, _, name = line.split("=", 1)[1].strip().partition(" ")
            if name:
                names[number] = name
            if line.startswith("ob="):
                current = os.path.basename(names[number])
        elif line.startswith("calls="):
            is_inclusive = True
        elif line[:1].isdigit() or line[:1] in "+-*":
            if not is_inclusive:
                by_object[current] = by_object.get(current, 0) + int(line.split()[1])
            is_inclusive = False
    return total, by_object


def pairs_of_runs(runs):
    """[(few iterations, many)]: the second and third of every three runs; the first has a part of what came before it"""
    return list(zip(runs[1::3], runs[2::3]))


def per_iteration(runs, count):
    """{name: (blocking, nonblocking, count(run) of one iteration)}: from the difference of two runs of each workload"""
    result = {}
    for few, many in pairs_of_runs(runs):
        difference = (count(many) - count(few)) / (many.iterations - few.iterations)
        result[few.name] = (few.blocking, few.nonblocking, difference)
    return result


def instructions_of_iteration(program, preload=None, variables=None, workloads=()):
    """{name: (blocking, nonblocking, instructions of one iteration)}"""
    return per_iteration(measure(program, preload, variables, workloads), lambda run: run.instructions)


def own_instructions_of_iteration(program, runtime, workloads=()):
    """{name: instructions of one iteration in the code of the library `runtime`, which is preloaded}"""
    library = os.path.basename(os.path.realpath(runtime))
    runs = measure(program, runtime, None, workloads)
    counted = per_iteration(runs, lambda run: run.by_object.get(library, 0))
    return {name: instructions for name, (_, _, instructions) in counted.items()}
