#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long does `mpilens why` take on a job that hangs, from the command to the verdict, and how much processor time? A ring of
16 ranks that spin, with two samples (the default: as soon as they show a deadlock for certain) and with one.

verdict_time.py --program PROGRAM --mpiexec LAUNCHER --mpilens COMMAND
"""
import argparse
import os
import subprocess
import sys
import time

RANKS = 16
TURNS = 5
DEADLINE_SECONDS = 60
CASES = (("two samples", []), ("one sample", ["--samples", "1"]))


def launch(options):
    environment = dict(
        os.environ,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_mpi_yield_when_idle="1",
    )
    job = subprocess.Popen(
        [options.mpiexec, "-n", str(RANKS), options.mpilens, "run", options.program],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(RANKS):
        if job.stdout.readline().strip() != "ready":
            sys.exit("the job did not get to the point where it hangs")
    return job


def judge(options, job, arguments):
    """(seconds, seconds of processor time); the verdict must be the deadlock of all ranks, else None."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [options.mpilens, "why", *arguments, str(job.pid)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    output = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.monotonic() - begun
    return (elapsed, usage.ru_utime + usage.ru_stime) if process.returncode == 1 and "deadlock" in output else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--mpilens", required=True)
    options = parser.parse_args()
    job = launch(options)
    try:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while judge(options, job, []) is None:  # the last ranks are still on their way
            if time.monotonic() > deadline:
                sys.exit("no verdict")
        print(f"Seconds from the command to the verdict, {RANKS} ranks, {os.cpu_count()} cores, {TURNS} turns")
        for name, arguments in CASES:
            turns = [judge(options, job, arguments) for _ in range(TURNS)]
            if None in turns:
                sys.exit(f"{name}: another verdict")
            times, used = (sorted(column) for column in zip(*turns))
            print(
                f"{name:12} median {times[TURNS // 2]:.2f}, from {times[0]:.2f} to {times[-1]:.2f}; "
                f"processor time {used[TURNS // 2]:.3f}"
            )
    finally:
        job.terminate()
        job.wait(DEADLINE_SECONDS)


if __name__ == "__main__":
    main()
