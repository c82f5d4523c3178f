# SPDX-License-Identifier: BSD-3-Clause
"""Compares requests that are not messages, and objects."""
from lib.differences import MISSING, Differences

# Kinds of objects that most programs make.
PASSING_KINDS = ("communicator", "datatype", "group")


def in_order(source, expected, actual):
    """Both lists of requests or messages, so that what belongs together is at the same place."""
    return (
        sorted(expected, key=lambda one: (one["function"], source.place(one["line"])[1])),
        sorted(actual, key=lambda one: (one["function"], (one["site"] or {}).get("line") or 0, one["serial"] or 0)),
    )


class ObjectComparison(Differences):
    def handle_of(self, process, reference):
        """The handle of the object to which a member "object" refers."""
        if reference is None:
            return None
        for one in process.get("objects", []):
            if (one["kind"], one["serial"]) == (reference.get("kind"), reference.get("serial")):
                return one["handle"]
        return f"no {reference} in the list of objects"

    def request(self, where, expected, actual, process):
        for field in ("class", "function", "persistent", "collective", "buffer", "request"):
            self.equal(f"{where}.{field}", expected[field], actual.get(field, MISSING))
        for field in ("status", "datatype"):
            self.any_of(f"{where}.{field}", expected[field], actual.get(field, MISSING))
        if expected["count"] is not None:
            self.equal(f"{where}.count", expected["count"], actual.get("count", MISSING))
        handles = {one["id"]: one["handle"] for one in process["communicators"]}
        self.equal(f"{where}.communicator", expected["communicator"], handles.get(actual.get("communicator", MISSING)))
        self.equal(f"{where}.object", expected["object"], self.handle_of(process, actual.get("object", MISSING)))
        for field in ("root", "target", "peer"):
            rank = None if expected[field] is None else {"local": expected[field], "world": expected[field]}
            self.equal(f"{where}.{field}", rank, actual.get(field))
        self.equal(f"{where}.tag", expected["tag"], actual.get("tag"))
        self.equal(f"{where}.partitions", expected["partitions"], (actual.get("partitions") or {}).get("count"))
        self.age(f"{where}.age_s", actual.get("age_s", MISSING))
        self.number(f"{where}.serial", actual.get("serial", MISSING), 1)
        self.site(f"{where}.site", expected["line"], actual.get("site", MISSING))

    def requests(self, where, expected, process):
        actual = process.get("requests", MISSING)
        if not isinstance(actual, list) or len(expected) != len(actual):
            self.differ(where, [one["function"] for one in expected], actual)
            return
        for index, (one, other) in enumerate(zip(*in_order(self.source, expected, actual))):
            self.request(f"{where}[{index}]", one, other, process)

    def object(self, where, expected, actual):
        for field in ("name", "references", "freed"):
            self.equal(f"{where}.{field}", expected[field], actual.get(field, MISSING))
        for field, value in expected["detail"].items():
            self.equal(f"{where}.{field}", value, actual[actual["kind"]].get(field, MISSING))
        if expected["kind"] not in ("attribute", "message"):
            self.number(f"{where}.serial", actual.get("serial", MISSING), 1)
        created = actual.get("created", MISSING)
        if expected["line"] is None or not isinstance(created, dict):
            self.equal(f"{where}.created", expected["line"], created)
            return
        self.equal(f"{where}.created.function", expected["function"], created.get("function", MISSING))
        self.site(f"{where}.created.site", expected["line"], created.get("site", MISSING))
        if expected["kind"] != "attribute":
            self.age(f"{where}.created.age_s", created.get("age_s", MISSING))

    def objects(self, where, expected, actual):
        """Pairs them by kind and handle. A program that states no objects at all is asked only for those that it would not
        make in passing."""
        if not isinstance(actual, list):
            self.differ(where, "a list", actual)
            return
        left = [one for one in actual if expected is not None or one["kind"] not in PASSING_KINDS]
        for one in expected or []:
            same = [other for other in left if (other.get("kind"), other.get("handle")) == (one["kind"], one["handle"])]
            name = f'{where}[{one["kind"]} {one["line"]}]'
            if not same:
                self.differ(
                    name, one["handle"], [other.get("handle") for other in left if other.get("kind") == one["kind"]]
                )
                continue
            left.remove(same[0])
            self.object(name, one, same[0])
        for other in left:
            self.differ(where, "nothing more", other)
