# SPDX-License-Identifier: BSD-3-Clause
"""The documents that the command prints with --json, against doc/mpilens-1.schema.json. Without --full, one test in
four looks at them, always the same ones: the import of jsonschema takes more of a processor than the rest of a short test."""
import functools
import json
import os
import sys
import zlib

from lib.length import IS_FULL

IS_LOOKED_AT = IS_FULL or zlib.crc32(" ".join(map(os.path.basename, sys.argv)).encode()) % 4 == 0
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "doc", "mpilens-1.schema.json")
MISSING = "the Python module jsonschema (package python3-jsonschema) is not installed, in version 4 or later"
EXTENDED = "_extended"
MOST_PROBLEMS = 10
FROM_EACH_END = 50  # of a list: a job of thousands of ranks takes minutes else


class WrongDocument(Exception):
    """The document is not as the schema says."""


def published():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def bases(definition):
    """The names of the definitions that it extends."""
    return [one["$ref"].rpartition("/")[2] for one in definition.get("allOf", []) if "$ref" in one]


def closed(schema):
    """The schema, with no member allowed that it does not list: readers ignore these, tests must see them.

    A definition that another one extends is there twice: by itself, and without that restriction for those."""
    definitions = schema["$defs"]

    def members(definition):
        return set(definition["properties"]).union(*(members(definitions[name]) for name in bases(definition)))

    def close(value):
        if isinstance(value, list):
            return [close(one) for one in value]
        if not isinstance(value, dict):
            return value
        result = {name: close(one) for name, one in value.items()}
        if "properties" in value and "object" in value.get("type", ()):
            result["propertyNames"] = {"enum": sorted(members(value))}
        for one in result.get("allOf", []):
            if "$ref" in one:
                one["$ref"] += EXTENDED
        return result

    all_closed = {name: close(definition) for name, definition in definitions.items()}
    for name in {name for definition in definitions.values() for name in bases(definition)}:
        all_closed[name + EXTENDED] = {key: one for key, one in all_closed[name].items() if key != "propertyNames"}
    return {**schema, "$defs": all_closed}


@functools.lru_cache(maxsize=None)
def validator():
    """None: the module is missing."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        return None
    return Draft202012Validator(closed(published()))


def shortened(value):
    """The document without the middle of its long lists."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > 2 * FROM_EACH_END:
        value = value[:FROM_EACH_END] + value[-FROM_EACH_END:]
    return [shortened(one) for one in value]


def problems(document):
    """Some of the faults of a document."""
    found = []
    for error in validator().iter_errors(shortened(document)):
        found.append(f'{"/".join(map(str, error.absolute_path))}: {error.message[:300]}')
        if len(found) == MOST_PROBLEMS:
            break
    return found


def check(document):
    """Raises WrongDocument. Nothing is checked where the module is missing: the test "schema of the documents" says so."""
    found = problems(document) if IS_LOOKED_AT and validator() else []
    if found:
        raise WrongDocument("\n".join(["not as doc/mpilens-1.schema.json says:", *found]))
