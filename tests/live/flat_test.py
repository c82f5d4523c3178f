# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens watch` and `mpilens guard` beside a host's short-lived processes: they hold no more after a while than after the first few looks."""
import os
import subprocess
import sys
import threading

from lib.command import Command, argument_parser
from lib.job import Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

RANKS = 2
CHURN_PER_SECOND = 50
SETTLED_LOOKS, LATER_LOOKS = 60, 120
LATER_PROCESSES = 6 * CHURN_PER_SECOND
SECONDS = at_most(90)
SAMPLES, LOOKS_OF_SAMPLES = 20, 10
MOST_GROWTH_KB = 512
READING_THREADS = 2  # at one moment, where reads take their time


def held_at_once(pid):
    """(threads, kB of memory, descriptors)"""
    with open(f"/proc/{pid}/status") as file:
        status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    return int(status["Threads"]), int(status["VmRSS"].split()[0]), len(os.listdir(f"/proc/{pid}/fd"))


class Churner(threading.Thread):
    """Starts processes that end at once, until it is told to end."""

    def __init__(self):
        super().__init__()
        self.end = threading.Event()
        self.count = 0

    def run(self):
        while not self.end.wait(1 / CHURN_PER_SECOND):
            subprocess.run(["/bin/true"], check=True)
            self.count += 1


class FlatTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.looks = 0

    def held(self, pid):
        """The least of several moments, of several looks: within a look it holds more."""
        moments, enough = [], self.looks + LOOKS_OF_SAMPLES
        wait_until(
            lambda: moments.append(held_at_once(pid)) or (len(moments) >= SAMPLES and self.looks >= enough), SECONDS
        )
        return [min(column) for column in zip(*moments)]

    def count_looks(self, stream):
        for _ in stream:
            self.looks += 1

    def flat(self, churner, launched, watch):
        pids = {"guard": launched, "watch": watch.pid}
        begun = churner.count
        self.check(wait_until(lambda: self.looks >= SETTLED_LOOKS, SECONDS), f"{self.looks} looks")
        early = {name: self.held(pid) for name, pid in pids.items()}
        enough = wait_until(lambda: self.looks >= LATER_LOOKS and churner.count - begun >= LATER_PROCESSES, SECONDS)
        self.check(enough, f"{self.looks} looks, {churner.count - begun} processes")
        for name, pid in pids.items():
            threads, memory, descriptors = self.held(pid)
            least_threads, memory_before, least_descriptors = early[name]
            self.check(
                threads <= least_threads + READING_THREADS
                and descriptors <= least_descriptors
                and memory <= memory_before + MOST_GROWTH_KB,
                f"{name}: threads, kB, descriptors {early[name]}, then {[threads, memory, descriptors]}",
            )

    def run(self):
        guarded = [self.command.path, "guard", "--interval", "0.2", "--no-snapshot", "--", self.arguments.mpiexec]
        program = [self.command.path, "run", os.path.abspath(self.arguments.program)]
        churner = Churner()
        with Job(guarded[0], RANKS, program, guarded[1:]) as job:
            came = wait_until(lambda: self.command.run("watch", "--count", 1, job.launcher).status == 0, SECONDS)
            self.check(came, "watch finds no ranks")
            ranks = [self.command.path, "watch", "--interval", "0.1", str(job.launcher)]
            watch = subprocess.Popen(ranks, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            reader = threading.Thread(target=self.count_looks, args=[watch.stdout])
            reader.start()
            churner.start()
            try:
                self.flat(churner, job.launcher, watch)
            finally:
                churner.end.set()
                churner.join()
                job.tell("end")
                watch.kill()
                watch.wait()
                reader.join()
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("program", help="computes until it is told to end, with messages under way")
    return run_test(FlatTest(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
