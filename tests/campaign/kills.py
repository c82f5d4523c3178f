# SPDX-License-Identifier: BSD-3-Clause
"""Ends jobs at random instants, each in a way drawn at random, and asks `mpilens why` of their black boxes. Of a job that moved
it may blame nobody but the rank that was ended; of one that hung it says what it said just before. Writes a line of JSON for
each job. Its choices depend on the seed, and on whether memory can be limited here.

one       SIGKILL to one rank
all       SIGKILL to the launcher and all ranks, in any order
crash     SIGSEGV to one rank, without a core file
memory    one rank gets no more memory: the kernel ends it
launcher  SIGKILL to the launcher
timeout   SIGTERM to the launcher, as timeout(1) sends it"""
import collections
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from lib.command import Command, argument_parser
from lib.job import Job, wait_until
from lib.patience import at_most

RANKS = 4
START_SECONDS, END_SECONDS = at_most(30), at_most(30)
LONGEST_SECONDS = 2.0
CGROUP = "/sys/fs/cgroup/memory"
WAYS = ["one", "all", "crash", "memory", "launcher", "timeout"]
# One rank is the victim, and may be blamed.
OF_ONE = {"one", "crash", "memory"}
# Differs from reading to reading.
VARIES = re.compile(r" (?:for|in|after) [\d.]+ (?:ms|s|min|h)\b|\b[\d.]+ (?:ms|s|min|h)\b|\b\d+ (?:messages|more)\b")
PROGRAM = """
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
static void eat(int number)
{
    for (const size_t bytes = 1 << 22; number != 0;)
        memset(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, bytes);
}
int main(int argc, char **argv)
{
    const long last = argc > 1 ? atol(argv[1]) : -1;
    int rank, size;
    signal(SIGUSR1, eat);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    double out[64] = {0}, in[64], sum;
    MPI_Status statuses[2];
    for (long step = 0;; step++) {
        MPI_Request requests[2];
        MPI_Sendrecv(out, 64, MPI_DOUBLE, right, 1, in, 64, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(in, 64, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 64, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
        if (step % 10 == 0 && !(step >= last && last >= 0 && rank == 1))
            MPI_Allreduce(out, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (step % 100 == 0) {
            MPI_Comm other;
            MPI_Comm_dup(MPI_COMM_WORLD, &other);
            MPI_Bcast(in, 64, MPI_DOUBLE, (int)(step / 100) % size, other);
            MPI_Comm_free(&other);
        }
    }
}
"""


def ranks_of(program):
    """Their pids."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/exe") == program:
                found.append(int(name))
        except OSError:
            pass
    return sorted(found)


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Memory:
    """A cgroup in which a process finds none."""

    def __init__(self):
        self.path = os.path.join(CGROUP, f"mpilens-kills-{os.getpid()}")

    def __enter__(self):
        os.mkdir(self.path)
        self.write("memory.limit_in_bytes", 16 << 20)
        return self

    def __exit__(self, *unused):
        wait_until(self.is_removed, END_SECONDS)

    def is_removed(self):
        try:
            os.rmdir(self.path)
        except OSError:
            return False
        return True

    def write(self, name, value):
        with open(os.path.join(self.path, name), "w") as file:
            file.write(str(value))

    def take(self, pid):
        try:
            self.write("cgroup.procs", pid)
        except ProcessLookupError:
            return
        send(pid, signal.SIGUSR1)


class Kills:
    def __init__(self, arguments, directory):
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.command = Command(arguments.mpilens)
        self.directory = directory
        self.program = os.path.join(directory, "program")
        self.ways = [way for way in WAYS if way != "memory" or self.can_limit_memory()]
        with open(f"{self.program}.c", "w") as file:
            file.write(PROGRAM)
        subprocess.run([arguments.mpicc, "-g", "-o", self.program, file.name], check=True)

    @staticmethod
    def can_limit_memory():
        return os.path.exists(os.path.join(CGROUP, "memory.limit_in_bytes")) and os.access(CGROUP, os.W_OK)

    def why(self, *arguments):
        result = self.command.run("why", "--json", *arguments)
        document = result.document()
        if document is None:
            return None, str(result)
        return document, [
            (one["kind"], VARIES.sub("", one["message"]), one["culprits"]) for one in document["findings"]
        ]

    def wait_for_finding(self, job):
        """The first answer with one: where ranks get no processor time, the next may have none."""
        found = []

        def is_found():
            found[:] = self.why(job.launcher)[1]
            return found

        wait_until(is_found, START_SECONDS, 0.5)
        return found

    def kill(self, way, job, pids):
        """The victim's pid; None: there is none."""
        victim = self.random.choice(pids)
        if way == "one":
            send(victim, signal.SIGKILL)
        elif way == "crash":
            send(victim, signal.SIGSEGV)
        elif way == "memory":
            with Memory() as memory:
                memory.take(victim)
        elif way == "launcher":
            send(job.launcher, signal.SIGKILL)
        elif way == "timeout":
            send(job.launcher, signal.SIGTERM)
        else:
            targets = [job.launcher, *pids]
            self.random.shuffle(targets)
            for pid in targets:
                send(pid, signal.SIGKILL)
        return victim if way in OF_ONE else None

    def end(self):
        """Ranks that have lost their launcher may stay."""
        if not wait_until(lambda: not ranks_of(self.program), 3):
            for pid in ranks_of(self.program):
                send(pid, signal.SIGKILL)
        wait_until(lambda: not ranks_of(self.program), END_SECONDS)

    def differences(self, hangs, before, victim, document, after):
        if document is None:
            return [after]
        if hangs and not before:
            return ["no finding while it hung"]
        if hangs:
            rest = [one for one in after if one[0] != "rank-died"]
            return [] if rest == before else [f"before: {before}, after: {after}"]
        blamed = {process["pid"] for process in document["processes"] for one in after if process["rank"] in one[2]}
        wrong = [one for one in after if one[0] != "rank-died"]
        if blamed - {victim}:
            wrong.append(f"blamed are {blamed}, the victim is {victim}")
        return wrong

    def job(self, number):
        way = self.random.choice(self.ways)
        hangs = self.random.random() < 0.4
        pause = self.random.uniform(0, LONGEST_SECONDS)
        boxes = os.path.join(self.directory, f"boxes{number}")
        # Before the next communicator is made, which MPI may take for the call that is left out, and end the job.
        steps = [str(100 * self.random.randrange(3) + self.random.randrange(1, 90))] if hangs else []
        before = None
        line = [self.arguments.mpilens, "run", "--keep", boxes, self.program, *steps]
        with Job(self.arguments.mpiexec, RANKS, line) as job:
            wait_until(lambda: job.has_ended() or len(ranks_of(self.program)) == RANKS, START_SECONDS)
            if hangs:
                before = self.wait_for_finding(job)
            else:
                time.sleep(pause)
            pids = ranks_of(self.program)
            if not pids:
                print(f"job {number} has ended by itself: {job.printed()}", flush=True)
                return way, "wrong"
            victim = self.kill(way, job, pids)
            self.end()
        document, after = self.why(boxes) if os.path.isdir(boxes) and os.listdir(boxes) else ({"processes": []}, [])
        wrong = self.differences(hangs, before, victim, document, after)
        read = [one["rank"] for one in (document or {"processes": []})["processes"] if one["state"] != "unreadable"]
        shutil.rmtree(boxes, ignore_errors=True)
        answer = {"job": number, "way": way, "hangs": hangs, "pause_s": round(pause, 3), "read": read, "before": before}
        print(json.dumps({**answer, "after": after, "wrong": wrong}), flush=True)
        return way, "wrong" if wrong else "right" if after else "nothing said"

    def run(self):
        table = collections.Counter(self.job(number) for number in range(self.arguments.jobs))
        for (way, judged), count in sorted(table.items()):
            print(f"{count:4} {way}: {judged}")
        return 1 if any(judged == "wrong" for _, judged in table) else 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="mpilens-kills-") as directory:
        return Kills(arguments, directory).run()


if __name__ == "__main__":
    sys.exit(main())
