# SPDX-License-Identifier: BSD-3-Clause
"""As much of JSON Schema as doc/mpilens-1.schema.json uses: the module jsonschema takes longer to start than most live tests
compute. schema_test.py compares the two. A keyword that is not known here is an error."""
import re

TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: TYPES["number"](value) and float(value).is_integer(),
}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}


def equal(one, other):
    """JSON's values: 1 is 1.0, and not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


class Validator:
    """Functions of the keywords give (path, sentence) of what is wrong with a value, one after the other."""

    def __init__(self, schema):
        self.schema = schema

    def problems(self, value, schema=None, path=()):
        schema = self.schema if schema is None else schema
        if isinstance(schema, bool):
            if not schema:
                yield path, f"{value!r} is not allowed"
            return
        for keyword, argument in schema.items():
            if keyword not in ANNOTATIONS:
                yield from KEYWORDS[keyword](self, argument, value, path, schema)

    def is_valid(self, value, schema=None):
        return next(self.problems(value, schema), None) is None

    def reference(self, name, value, path, _):
        definition = self.schema
        for part in name.removeprefix("#/").split("/"):
            definition = definition[part]
        yield from self.problems(value, definition, path)

    def type(self, names, value, path, _):
        if not any(TYPES[name](value) for name in ([names] if isinstance(names, str) else names)):
            yield path, f"{value!r} is not of type {names}"

    def const(self, wanted, value, path, _):
        if not equal(value, wanted):
            yield path, f"{value!r} is not {wanted!r}"

    def enum(self, allowed, value, path, _):
        if not any(equal(value, one) for one in allowed):
            yield path, f"{value!r} is not one of {allowed}"

    def all_of(self, schemas, value, path, _):
        for one in schemas:
            yield from self.problems(value, one, path)

    def not_(self, schema, value, path, _):
        if self.is_valid(value, schema):
            yield path, f"{value!r} must not be as {schema} says"

    def if_(self, condition, value, path, schema):
        yield from self.problems(value, schema.get("then" if self.is_valid(value, condition) else "else", True), path)

    def part_of_if(self, *_):
        return ()

    def properties(self, schemas, value, path, _):
        for name, one in schemas.items() if isinstance(value, dict) else ():
            if name in value:
                yield from self.problems(value[name], one, (*path, name))

    def additional_properties(self, one, value, path, schema):
        for name in value.keys() - schema.get("properties", {}).keys() if isinstance(value, dict) else ():
            yield from self.problems(value[name], one, (*path, name))

    def property_names(self, one, value, path, _):
        for name in value if isinstance(value, dict) else ():
            yield from self.problems(name, one, path)

    def required(self, names, value, path, _):
        for name in names if isinstance(value, dict) else ():
            if name not in value:
                yield path, f"{name!r} is missing"

    def items(self, one, value, path, _):
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield from self.problems(item, one, (*path, number))

    def min_items(self, count, value, path, _):
        if isinstance(value, list) and len(value) < count:
            yield path, f"{value!r} has fewer than {count} items"

    def max_items(self, count, value, path, _):
        if isinstance(value, list) and len(value) > count:
            yield path, f"{value!r} has more than {count} items"

    def min_length(self, count, value, path, _):
        if isinstance(value, str) and len(value) < count:
            yield path, f"{value!r} is shorter than {count}"

    def max_length(self, count, value, path, _):
        if isinstance(value, str) and len(value) > count:
            yield path, f"{value!r} is longer than {count}"

    def pattern(self, expression, value, path, _):
        if isinstance(value, str) and not re.search(expression, value):
            yield path, f"{value!r} does not match {expression}"

    def minimum(self, least, value, path, _):
        if TYPES["number"](value) and value < least:
            yield path, f"{value!r} is less than {least}"


KEYWORDS = {
    "$ref": Validator.reference,
    "type": Validator.type,
    "const": Validator.const,
    "enum": Validator.enum,
    "allOf": Validator.all_of,
    "not": Validator.not_,
    "if": Validator.if_,
    "then": Validator.part_of_if,
    "else": Validator.part_of_if,
    "properties": Validator.properties,
    "additionalProperties": Validator.additional_properties,
    "propertyNames": Validator.property_names,
    "required": Validator.required,
    "items": Validator.items,
    "minItems": Validator.min_items,
    "maxItems": Validator.max_items,
    "minLength": Validator.min_length,
    "maxLength": Validator.max_length,
    "pattern": Validator.pattern,
    "minimum": Validator.minimum,
}
