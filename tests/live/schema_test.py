# SPDX-License-Identifier: BSD-3-Clause
"""The schema itself, and that the live tests notice what is not as it says, as others would."""
import copy
import json
import re
import sys

from lib import schema
from lib.json_schema import KEYWORDS, Validator
from lib.job import SKIP
from lib.report import Report

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None

MISSING = "the Python module jsonschema (package python3-jsonschema) is not installed, in version 4 or later"
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
# What differs from one keyword to the other.
VALUES = (
    None,
    True,
    False,
    0,
    1,
    1.0,
    2.5,
    -1,
    1e300,
    "",
    "a",
    "ab",
    "abc",
    [],
    [1],
    [True],
    [1, 2],
    {},
    {"a": 1},
    {"b": 1},
    {"a": 1, "b": "b"},
)
SCHEMAS = (
    True,
    False,
    {"$ref": "#/$defs/one", "$defs": {"one": {"type": "integer"}}},
    *({"type": name} for name in ("null", "boolean", "object", "array", "string", "number", "integer")),
    {"type": ["string", "null"]},
    {"const": 1},
    {"const": [1]},
    {"const": {"a": True}},
    {"enum": [0, "a", None, [2]]},
    {"allOf": [{"type": "object"}, {"required": ["a"]}]},
    {"not": {"type": "string"}},
    {"if": {"type": "string"}, "then": {"const": "a"}},
    {"if": {"type": "string"}, "else": {"const": None}},
    {"if": {"required": ["a"]}, "then": {"minimum": 1}, "else": {"type": "array"}},
    {"properties": {"a": {"type": "string"}, "b": True}},
    {"additionalProperties": {"type": "string"}, "properties": {"a": True}},
    {"additionalProperties": False},
    {"propertyNames": {"enum": ["a"]}},
    {"required": ["a", "b"]},
    {"items": {"type": "boolean"}},
    {"minItems": 1},
    {"maxItems": 1},
    {"minLength": 2},
    {"maxLength": 2},
    {"pattern": "^a.$"},
    {"minimum": 1},
)


def places(value, path=()):
    """Paths of all values within a value."""
    yield path
    for name, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(one, (*path, name))


def replaced(document, path, value):
    """The document with another value at this place."""
    if not path:
        return value
    result = copy.copy(document)
    result[path[0]] = replaced(document[path[0]], path[1:], value)
    return result


def changed(change):
    document = copy.deepcopy(MOMENT)
    change(document)
    return document


class SchemaTest(Report):
    def __init__(self):
        super().__init__()
        self.schema = schema.published()
        self.validator = Validator(self.schema)

    def definitions(self):
        used = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(self.schema)))
        there = set(self.schema["$defs"])
        self.check(used == there, f"not defined: {sorted(used - there)}, not used: {sorted(there - used)}")

    def is_seen(self, what, change, of_readers):
        """`of_readers`: the published schema refuses it, too."""
        document = changed(change)
        self.check(bool(schema.problems(document)), f"not seen: {what}")
        self.check(self.validator.is_valid(document) != of_readers, f"{what}: of the published schema")

    def compare(self):
        """The module finds valid what the tests find valid."""
        Draft202012Validator.check_schema(self.schema)
        for one in SCHEMAS:
            own, others = Validator(one), Draft202012Validator(one)
            for value in VALUES:
                self.check(own.is_valid(value) == others.is_valid(value), f"{value!r} by {one}")
        tried = {keyword for one in SCHEMAS if isinstance(one, dict) for keyword in one}
        self.check(KEYWORDS.keys() <= tried, f"not compared: {KEYWORDS.keys() - tried}")
        closed = schema.closed(self.schema)
        own, others = Validator(closed), Draft202012Validator(closed)
        for path in places(MOMENT):
            for value in VALUES:
                document = replaced(MOMENT, path, value)
                self.check(own.is_valid(document) == others.is_valid(document), f"{value!r} at {path}")

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
    test = SchemaTest()
    if Draft202012Validator is not None:
        test.compare()
    status = test.run()
    if status == 0 and Draft202012Validator is None:
        print(f"SKIPPED: {MISSING}: nothing else says that the schema is one and is understood")
        return SKIP
    return status


if __name__ == "__main__":
    sys.exit(main())
