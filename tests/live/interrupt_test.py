# SPDX-License-Identifier: BSD-3-Clause
"""Interrupts and kills `mpilens show --stop` in the middle: no rank may be left stopped."""
import argparse
import os
import random
import signal
import subprocess
import sys
import time

from lib.command import Command
from lib.job import Job, JobFailed
from lib.length import IS_FULL
from lib.patience import at_most

TRIALS = 60 if IS_FULL else 24
FEWEST_HITS = TRIALS // 12  # of each signal
RELEASE_SECONDS = at_most(5)
STOPPED = ("T", "t")


def thread_states(pids):
    """States of all threads as the kernel names them."""
    states = []
    for pid in pids:
        for tid in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{tid}/stat") as file:
                    states.append(file.read().rpartition(")")[2].split()[0])
            except FileNotFoundError:
                pass
    return states


def anything_stopped(pids):
    return any(state in STOPPED for state in thread_states(pids))


def interrupt(command, pids, number, wait_for_stop):
    """Runs one reading into a signal. Returns (a rank was seen stopped before the signal, exit status)."""
    reader = subprocess.Popen(
        [command.path, "show", "--json", "--stop", *map(str, pids)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    instant = time.monotonic() + random.uniform(0, 0.3)
    seen = False
    while reader.poll() is None and not seen and (wait_for_stop or time.monotonic() < instant):
        seen = anything_stopped(pids)
    reader.send_signal(number)
    return seen, reader.wait(timeout=at_most(60))


def released(pids):
    """True as soon as no thread is stopped; bounded."""
    deadline = time.monotonic() + RELEASE_SECONDS
    while anything_stopped(pids):
        if time.monotonic() > deadline:
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()
    command = Command(arguments.mpilens)
    random.seed(1)
    hits = {signal.SIGINT: 0, signal.SIGTERM: 0, signal.SIGKILL: 0}
    with Job(arguments.mpiexec, 2, [command.path, "run", os.path.abspath(arguments.program)]) as job:
        try:
            job.wait_ready()
        except JobFailed as failure:
            print(failure)
            return 1
        pids = [one["pid"] for one in job.expectations()]
        for trial in range(TRIALS):
            number = list(hits)[trial % len(hits)]
            seen, status = interrupt(command, pids, number, trial % 4 != 0)
            hits[number] += seen
            if not released(pids):
                print(
                    f"trial {trial}: {number.name} (exit status {status}) left threads stopped: {thread_states(pids)}"
                )
                return 1
            if status not in (0, 130, 143, -number):
                print(f"trial {trial}: exit status {status} after {number.name}")
                return 1
        if job.process.poll() is not None:
            print(f"the job did not survive: {job.printed()}")
            return 1
    print(
        f"{TRIALS} trials; a rank was stopped when the signal came: "
        f"{ {number.name: count for number, count in hits.items()} }"
    )
    if min(hits.values()) < FEWEST_HITS:
        print("too few signals hit a stopped rank: the test proves nothing")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
