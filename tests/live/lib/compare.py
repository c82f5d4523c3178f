# SPDX-License-Identifier: BSD-3-Clause
"""Compares what the ranks of a hung job say about themselves with the document of `mpilens show --json`.

Every field of the document that has a meaning here is compared, and nothing may be listed that was not stated.
"""
import os
import socket

from lib.compare_objects import ObjectComparison, in_order
from lib.differences import MISSING

QUEUES = ("sends", "receives", "unexpected")


class Comparison(ObjectComparison):
    def message(self, where, expected, actual, queue):
        for field in ("function", "mode", "count", "bytes", "tag", "blocking", "persistent"):
            self.equal(f"{where}.{field}", expected[field], actual.get(field, MISSING))
        self.any_of(f"{where}.datatype", expected["datatype"], actual.get("datatype", MISSING))
        self.equal(f"{where}.partitioned", expected["partitions"] is not None, actual.get("partitioned", MISSING))
        if expected["partitions"] is not None:
            self.equal(
                f"{where}.partitions",
                {"count": expected["partitions"], "marked": expected["marked"]},
                actual.get("partitions", MISSING),
            )
        self.equal(
            f"{where}.peer",
            {"local": expected["peer_local"], "world": expected["peer_world"]},
            actual.get("peer", MISSING),
        )
        self.age(f"{where}.age_s", actual.get("age_s", MISSING))
        if queue == "unexpected":
            self.unexpected(where, expected, actual)
        else:
            self.own_message(where, expected, actual)

    def own_message(self, where, expected, actual):
        """Operations that the process has started itself."""
        self.any_of(f"{where}.status", expected["status"], actual.get("status", MISSING))
        if "actual" in expected:
            self.equal(f"{where}.actual", expected["actual"], actual.get("actual", MISSING))
        elif actual.get("status") == "pending":
            self.equal(f"{where}.actual", None, actual.get("actual", MISSING))
        self.equal(f"{where}.buffer", expected["buffer"], actual.get("buffer", MISSING))
        self.equal(f"{where}.request", expected["request"], actual.get("request", MISSING))
        self.number(f"{where}.serial", actual.get("serial", MISSING), 1)
        self.site(f"{where}.site", expected["line"], actual.get("site", MISSING))

    def unexpected(self, where, expected, actual):
        """A message that only its sender knows: the sender's call, and its place."""
        self.equal(f"{where}.status", "pending", actual.get("status", MISSING))
        origins = "exact|inferred" if os.environ.get("MPILENS_UNEXPECTED") == "exact" else "inferred"
        self.any_of(f"{where}.origin", origins, actual.get("origin", MISSING))
        self.equal(
            f"{where}.actual",
            {
                "local": expected["peer_local"],
                "world": expected["peer_world"],
                "tag": expected["tag"],
                "bytes": expected["bytes"],
            },
            actual.get("actual", MISSING),
        )
        for field in ("serial", "site", "buffer", "request"):
            self.equal(f"{where}.{field}", None, actual.get(field, MISSING))
        sender = actual.get("sender", {})
        self.number(f"{where}.sender.serial", sender.get("serial", MISSING), 1)
        self.site(f"{where}.sender.site", expected["line"], sender.get("site", MISSING))

    def message_pairs(self, expected, actual, any_order):
        return zip(*in_order(self.source, expected, actual)) if any_order else zip(expected, actual)

    def queue(self, where, expected, actual, queue, any_order):
        if not isinstance(actual, list) or len(expected) != len(actual):
            self.differ(where, [message["function"] for message in expected], actual)
            return
        pairs = self.message_pairs(expected, actual, any_order)
        for index, (one, other) in enumerate(pairs):
            self.message(f"{where}[{index}]", one, other, queue)

    def collectives(self, where, expected, actual):
        """Classes that have never been called need not be listed."""
        if not isinstance(actual, list):
            self.differ(where, expected, actual)
            return
        counts = {one["class"]: (one["count"], one["active"]) for one in expected}
        shown = {one["class"]: (one["count"], one["active"]) for one in actual if one["count"] or one["active"]}
        if counts != shown or len(actual) != len({one["class"] for one in actual}):
            self.differ(where, counts, shown)

    def communicator(self, where, expected, actual, any_order):
        for field in ("handle", "name", "rank", "size"):
            self.equal(f"{where}.{field}", expected[field], actual.get(field, MISSING))
        self.any_of(f"{where}.origin", expected["origin"], actual.get("origin", MISSING))
        identity = actual.get("id", MISSING)
        is_text_of_number = isinstance(identity, str) and identity.isdigit()
        self.number(f"{where}.id", int(identity) if is_text_of_number else repr(identity), 1, 2**63 - 1)
        for queue in QUEUES:
            self.queue(f"{where}.{queue}", expected[queue], actual.get(queue, MISSING), queue, any_order)
        self.collectives(f"{where}.collectives", expected["collectives"], actual.get("collectives", MISSING))

    @staticmethod
    def shown_as(expected, shown):
        """The communicator with the handle and, where several have it, the name; or None."""
        same = [other for other in shown if other.get("handle") == expected["handle"]]
        return next((other for other in same if other.get("name") == expected["name"]), same[0] if same else None)

    def communicators(self, where, expected, actual, any_order):
        """Pairs them by handle and name. Returns [(key, id)]."""
        left = list(actual)
        ids = []
        for one in expected:
            other = self.shown_as(one, left)
            if other is None:
                self.differ(f'{where}[{one["key"]}]', one["handle"], [other.get("handle") for other in left])
                continue
            left.remove(other)
            ids.append((one["key"], other.get("id")))
            self.communicator(f'{where}[{one["key"]}]', one, other, any_order)
        for other in left:
            silent = not any(other.get(queue) for queue in QUEUES)
            if other.get("name") != "MPI_COMM_SELF" or not silent:
                self.differ(where, "nothing more", other)
        return ids

    def call(self, where, expected, actual, process, serials):
        if expected["function"] is None or not isinstance(actual, dict):
            self.equal(where, expected["function"], actual)
            return
        functions, lines = expected["function"].split("|"), expected["line"].split("|")
        if actual.get("function") not in functions:
            self.differ(f"{where}.function", expected["function"], actual.get("function", MISSING))
            return
        self.equal(f"{where}.polling", expected["polling"], actual.get("polling", MISSING))
        self.age(f"{where}.age_s", actual.get("age_s", MISSING))
        self.site(f"{where}.site", lines[functions.index(actual["function"])], actual.get("site", MISSING))
        if "object_kind" in expected:
            of = actual.get("object") or {}
            self.equal(
                f"{where}.object",
                (expected["object_kind"], expected["object_handle"]),
                (of.get("kind"), self.handle_of(process, of)),
            )
        if "probe_tag" in expected:
            self.equal(
                f"{where}.peer",
                {"local": expected["probe_local"], "world": expected["probe_world"]},
                actual.get("peer", MISSING),
            )
            self.equal(f"{where}.tag", expected["probe_tag"], actual.get("tag", MISSING))
        certain, possible = serials
        operations = actual.get("operations", MISSING)
        if (
            not isinstance(operations, list)
            or not certain <= set(operations) <= certain | possible
            or len(set(operations)) != len(operations)
        ):
            self.differ(f"{where}.operations", sorted(certain), operations)

    def awaited_serials(self, thread, expected, actual):
        """Serials that the call of a thread must and may list, found through the messages that were paired."""
        pairs = list(zip(*in_order(self.source, expected["requests"], actual.get("requests", []))))
        for one in expected["communicators"]:
            other = self.shown_as(one, actual["communicators"])
            for queue in ("sends", "receives") if other else ():
                pairs += self.message_pairs(one[queue], other.get(queue, []), expected["any_order"])
        return tuple(
            {listed.get("serial") for stated, listed in pairs if stated["awaited"] == awaited}
            for awaited in (thread, -1)
        )

    def threads(self, where, expected, actual):
        shown = actual["threads"]
        stated = list(enumerate(expected["threads"], start=1))
        if len(shown) != len(stated):
            self.differ(where, [thread for _, thread in stated], shown)
            return
        if expected["any_order"]:
            stated.sort(key=lambda pair: pair[1]["tid"])
            shown = sorted(shown, key=lambda thread: thread["tid"])
        for (number, one), other in zip(stated, shown):
            self.equal(f"{where}[{number}].tid", one["tid"], other.get("tid", MISSING))
            self.call(
                f"{where}[{number}].call",
                one,
                other.get("call", MISSING),
                actual,
                self.awaited_serials(number, expected, actual),
            )

    def serials_unique(self, where, actual):
        serials = [
            message["serial"]
            for one in actual["communicators"]
            for queue in ("sends", "receives")
            for message in one.get(queue, [])
        ]
        if len(set(serials)) != len(serials):
            self.differ(f"{where}.serial", "unique serials", serials)

    def process(self, expected, actual):
        """Returns [(key, id)] of the communicators."""
        where = f'rank {expected["rank"]}'
        for field in ("rank", "pid", "state"):
            self.equal(f"{where}.{field}", expected[field], actual.get(field, MISSING))
        self.any_of(f"{where}.thread_level", expected["thread_level"], actual.get("thread_level", MISSING))
        if not self.from_core:
            self.equal(f"{where}.host", socket.gethostname(), actual.get("host", MISSING))
        self.equal(f"{where}.executable", self.executable, os.path.basename(actual.get("executable") or ""))
        self.equal(f"{where}.untracked_operations", 0, actual.get("untracked_operations", MISSING))
        ids = self.communicators(
            f"{where}.communicators", expected["communicators"], actual.get("communicators", []), expected["any_order"]
        )
        self.threads(f"{where}.threads", expected, actual)
        self.requests(f"{where}.requests", expected["requests"], actual)
        self.objects(f"{where}.objects", expected.get("objects"), actual.get("objects", MISSING))
        self.serials_unique(where, actual)
        return ids

    def identities(self, pairs):
        """One id per key, one key per id."""
        ids, keys = {}, {}
        for rank, key, number in pairs:
            if ids.setdefault(key, number) != number:
                self.differ(f"rank {rank}.communicators[{key}].id", ids[key], number)
            if keys.setdefault(number, key) != key:
                self.differ(f"rank {rank}.communicators[{key}].id", f"another than that of {keys[number]}", number)

    def job(self, job, ranks, read, mpi):
        self.equal("job.size", ranks, job.get("size", MISSING))
        self.equal("job.ranks_read", read, job.get("ranks_read", MISSING))
        unread = job.get("ranks_unread", MISSING)
        left = [rank for rank in range(ranks) if rank not in read]
        if unread != [] and [one.get("rank") for one in unread] != left:
            self.differ("job.ranks_unread", left, unread)
        self.any_of("job.mpi", f"*{mpi}*", job.get("mpi", MISSING))
        if not isinstance(job.get("id"), str):
            self.differ("job.id", "text", job.get("id", MISSING))
        if self.launcher is not None:
            self.equal("job.launcher_pid", self.launcher, job.get("launcher_pid", MISSING))

    def document(self, expectations, document, mpi):
        """All of it. `expectations` by rank; the comparison leaves out processes that have exited."""
        if not isinstance(document, dict):
            self.differ("document", "a JSON object", document)
            return self.differences
        alive = [one for one in expectations if one["state"] != "exited"]
        self.equal("schema", "mpilens/1", document.get("schema", MISSING))
        self.equal("verb", "show", document.get("verb", MISSING))
        self.equal("findings", [], document.get("findings", MISSING))
        # The black boxes of exited ranks are found where the job is.
        read = alive if self.from_core else expectations
        self.job(document.get("job", {}), len(expectations), [one["rank"] for one in read], mpi)
        processes = document.get("processes", [])
        readable = [one for one in processes if one.get("state") not in ("exited", "unreadable")]
        self.equal("processes", [one["rank"] for one in alive], [one.get("rank") for one in readable])
        pairs = []
        for one, other in zip(alive, readable):
            pairs += [(one["rank"], key, number) for key, number in self.process(one, other)]
        self.identities(pairs)
        return self.differences
