# SPDX-License-Identifier: BSD-3-Clause
"""The schema itself, and that the live tests notice what is not as it says."""
import copy
import json
import re
import sys

from lib import schema
from lib.job import SKIP
from lib.report import Report

MOMENT = {
    "schema": "mpilens/1",
    "verb": "watch",
    "at": 1700000000.5,
    "job": {"id": "4711", "size": 2},
    "ranks": [
        {
            "rank": 0,
            "pid": 4712,
            "character": "r",
            "state": "running",
            "calls": [{"function": "MPI_Recv", "age_s": None}],
        }
    ],
}


def changed(change):
    document = copy.deepcopy(MOMENT)
    change(document)
    return document


class SchemaTest(Report):
    def __init__(self):
        super().__init__()
        self.schema = schema.published()
        self.validator = type(schema.validator())(self.schema)

    def definitions(self):
        self.validator.check_schema(self.schema)
        used = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(self.schema)))
        there = set(self.schema["$defs"])
        self.check(used == there, f"not defined: {sorted(used - there)}, not used: {sorted(there - used)}")

    def is_seen(self, what, change, of_readers):
        """`of_readers`: the published schema also refuses it."""
        document = changed(change)
        self.check(bool(schema.problems(document)), f"not seen: {what}")
        self.check(self.validator.is_valid(document) != of_readers, f"{what}: of the published schema")

    def run(self):
        self.definitions()
        self.check(not schema.problems(MOMENT), f"a good document: {schema.problems(MOMENT)}")
        self.is_seen("an unknown member", lambda moment: moment.update(new=1), False)
        self.is_seen("one of an inner object", lambda moment: moment["ranks"][0]["calls"][0].update(new=1), False)
        self.is_seen("a member that is missing", lambda moment: moment["job"].pop("size"), True)
        self.is_seen("a rank of -1", lambda moment: moment["ranks"][0].update(rank=-1), True)
        self.is_seen("an unknown verb", lambda moment: moment.update(verb="what"), True)
        return self.end()


def main():
    if schema.validator() is None:
        print(f"SKIPPED: {schema.MISSING}: no test compares documents with the schema")
        return SKIP
    return SchemaTest().run()


if __name__ == "__main__":
    sys.exit(main())
