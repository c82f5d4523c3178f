# SPDX-License-Identifier: BSD-3-Clause
"""Reads a job that never rests, many times at random instants: every read must succeed and make sense.

storm.c makes messages in which tag, count and buffer depend on each other, so a record put together from two
operations shows. In a stopped process, the current call and the queues must also agree.
"""
import argparse
import collections
import os
import sys

from lib.command import Command
from lib.head import Head
from lib.job import Job, JobFailed
from lib.source import Source

BURST = 8
MOST_TIMES = 10  # as many reads, where the first ones have met too few different calls
MARKS = {
    "MPI_Irecv": ["irecv"],
    "MPI_Isend": ["isend"],
    "MPI_Send": ["send"],
    "MPI_Ssend": ["ssend"],
    "MPI_Recv": ["recv", "recv_first"],
    "MPI_Waitall": ["waitall"],
    "MPI_Barrier": ["barrier"],
    "MPI_Allreduce": ["allreduce"],
    "MPI_Bcast": ["bcast"],
    "MPI_Comm_dup": ["dup"],
    "MPI_Comm_free": ["free"],
}
COLLECTIVES = {"MPI_Barrier": "barrier", "MPI_Allreduce": "allreduce", "MPI_Bcast": "broadcast"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--source", required=True, help="file of the program, with a head")
    parser.add_argument("--mode", choices=["running", "stopped"], required=True)
    parser.add_argument("--threads", type=int, default=1, help="of each rank that exchange messages")
    parser.add_argument("program")
    return parser.parse_args()


class Nonsense(Exception):
    pass


def require(condition, *what):
    if not condition:
        raise Nonsense(" ".join(map(str, what)))


class Reading:
    """One process as read once."""

    def __init__(self, source, process, stopped, threads):
        self.source = source
        self.process = process
        self.rank = process["rank"]
        self.stopped = stopped
        self.threads = threads

    def site(self, function, site):
        lines = [self.source.place(mark)[1] for mark in MARKS[function] if mark in self.source.places]
        require(site and site["line"] in lines, function, "at", site, "instead of lines", lines)

    def message(self, message, receive, with_itself):
        sender = 0 if with_itself else 1 - self.rank if receive else self.rank
        peer = {"local": 0, "world": self.rank} if with_itself else {"local": 1 - self.rank, "world": 1 - self.rank}
        count = message["count"]
        require(1 <= count <= 64, "count", message)
        require(message["bytes"] == 4 * count and message["datatype"] == "MPI_INT", "size", message)
        require(message["tag"] == 100 * count + sender, "tag", message)
        require(message["peer"] == peer, "peer", message)
        functions = ("MPI_Irecv", "MPI_Recv") if receive else ("MPI_Isend", "MPI_Send", "MPI_Ssend")
        require(message["function"] in functions, "function", message)
        require(message["blocking"] == (not message["function"].startswith("MPI_I")), "blocking", message)
        require(
            message["mode"] == ("synchronous" if message["function"] == "MPI_Ssend" else "standard"), "mode", message
        )
        require(not message["blocking"] or message["request"] is None, "request", message)
        require(not message["persistent"] and not message["partitioned"], "flags", message)
        self.site(message["function"], message["site"])
        return int(message["buffer"], 16) - 4 * count

    def queues(self):
        """Returns the messages that are under way as the process itself sees it."""
        pending, blocks = [], {True: set(), False: set()}
        for communicator in self.process["communicators"]:
            with_itself = communicator["name"] == "MPI_COMM_SELF"
            require(
                communicator["handle"]
                and communicator["rank"] == (0 if with_itself else self.rank)
                and communicator["size"] == (1 if with_itself else 2),
                "communicator",
                communicator,
            )
            for queue, receive in (("sends", False), ("receives", True)):
                messages = communicator[queue]
                serials = [message["serial"] for message in messages]
                require(self.threads > 1 or serials == sorted(set(serials)), "order of serials", serials)
                require(len(messages) <= self.threads * BURST + 1, "too many messages", len(messages))
                for message in messages:
                    blocks[receive].add(self.message(message, receive, with_itself))
                pending += messages
        require(max(map(len, blocks.values())) <= self.threads, "one block per thread and direction", blocks)
        return pending

    def agreement(self, call, pending):
        """Conditions that must hold while nothing moves. A call and what it starts are published one after the other."""
        function = call["function"] if call else None
        blocking = [message["function"] for message in pending if message["blocking"]]
        active = {
            one["class"]: one["active"]
            for communicator in self.process["communicators"]
            for one in communicator["collectives"]
            if one["active"]
        }
        require(len(blocking) + sum(active.values()) <= 1, "one thread in several calls", blocking, active)
        if function is None:
            return
        require(blocking in ([], [function]), "blocking messages in", function, blocking)
        require(active in ({}, {COLLECTIVES.get(function): 1}), "active collectives in", function, active)
        if blocking:
            require(len(pending) == 1, "nothing else is under way in", function, pending)
        require(set(call["operations"]) <= {message["serial"] for message in pending}, "operations of", call, pending)

    def check(self):
        """Returns (current calls, number of messages under way)."""
        require(self.process["state"] == "running", "state", self.process["state"])
        require(self.process["untracked_operations"] == 0, "untracked", self.process["untracked_operations"])
        pending = self.queues()
        calls = [thread["call"] for thread in self.process["threads"] if thread["call"]]
        require(len(calls) <= self.threads, "threads", self.process["threads"])
        for call in calls:
            require(call["function"] in MARKS, "call", call)
            # A running process may be on to the next call before the place of this one is read.
            if self.stopped or call["site"]:
                self.site(call["function"], call["site"])
        if self.stopped and self.threads == 1:
            self.agreement(calls[0] if calls else None, pending)
        return [call["function"] for call in calls] or ["none"], len(pending)


def read_once(command, source, pid, stopped, threads):
    """Reads the job of a process. Returns what Reading.check says of each rank."""
    result = command.show("--json", *(["--stop"] if stopped else []), pid)
    document = result.document()
    try:
        require(result.status == 0 and document is not None, "exit status", result.status, result.diagnostics)
        require(document["job"]["ranks_unread"] == [], "ranks_unread", document["job"]["ranks_unread"])
        require([process["rank"] for process in document["processes"]] == [0, 1], "ranks")
        return [Reading(source, process, stopped, threads).check() for process in document["processes"]]
    except (KeyError, TypeError, ValueError) as error:
        raise Nonsense(f"{type(error).__name__} {error}\n{result}") from error
    except Nonsense as error:
        raise Nonsense(f"{error}\n{result}") from error


def is_varied(calls, most):
    """A reader that always meets the same quiet instant proves nothing."""
    return most > 1 and len(calls) >= 4


def main():
    arguments = parse_arguments()
    command = Command(arguments.mpilens)
    source = Source(arguments.source)
    reads = Head(arguments.source).reads
    calls, most, done = collections.Counter(), 0, 0
    under = [command.path, "run", os.path.abspath(arguments.program)]
    with Job(arguments.mpiexec, 2, under) as job:
        try:
            job.wait_ready()
            pids = [one["pid"] for one in job.expectations()]
            for number in range(reads * MOST_TIMES):
                if number >= reads and is_varied(calls, most):
                    break
                for functions, pending in read_once(
                    command, source, pids[number % 2], arguments.mode == "stopped", arguments.threads
                ):
                    calls.update(functions)
                    most = max(most, pending)
                done = number + 1
        except (JobFailed, Nonsense) as failure:
            print(f"after {done} reads:\n{failure}\n{job.printed()}")
            return 1
    print(f"{done} reads in {job.seconds():.0f} s; at most {most} messages; calls: {dict(calls)}")
    return 0 if is_varied(calls, most) else 1


if __name__ == "__main__":
    sys.exit(main())
