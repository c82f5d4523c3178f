# SPDX-License-Identifier: BSD-3-Clause
"""Readers of the formats for machines, each as strict as the program that it stands for. All raise Refused."""
import json
import re
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None

# The matcher $gcc of VS Code, and the notes that it passes over.
GCC_ERROR = re.compile(r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)$")
GCC_LINE = re.compile(r"^(?:(?P<path>[^:]+):(?P<line>\d+):|mpilens:) (?P<kind>error|warning|note): (?P<text>.+)$")
COMMANDS = ("error", "warning", "notice")
# Properties of an annotation that GitHub documents.
PROPERTIES = {"file", "line", "endLine", "col", "endColumn", "title"}
SEVERITIES = {"info", "minor", "major", "critical", "blocker"}
# As in JUnit's schema (Ant): attributes that must be there, and the elements within, in order.
JUNIT = {
    "testsuites": ((), ("testsuite",)),
    "testsuite": (
        ("id", "package", "name", "hostname", "timestamp", "tests", "failures", "errors", "time"),
        ("properties", "testcase", "system-out", "system-err"),
    ),
    "properties": ((), ()),
    "testcase": (("classname", "name", "time"), ("failure", "error")),
    "failure": (("type", "message"), ()),
    "error": (("type", "message"), ()),
    "system-out": ((), ()),
    "system-err": ((), ()),
}


def _object(required, **properties):
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


_TEXT = {"type": "string", "minLength": 1}
_MESSAGE = _object(["text"], text=_TEXT, markdown=_TEXT)
_LOCATION = _object(
    [],
    id={"type": "integer", "minimum": 0},
    physicalLocation=_object(
        ["artifactLocation"],
        artifactLocation=_object(["uri"], uri={"type": "string", "pattern": r"^[^\s\\]+$"}, uriBaseId=_TEXT),
        region=_object(["startLine"], startLine={"type": "integer", "minimum": 1}),
    ),
    logicalLocations={"type": "array", "items": _object(["name"], name=_TEXT, kind=_TEXT)},
    message=_MESSAGE,
)
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
# The parts of SARIF 2.1.0 that mpilens writes, as its schema has them; others would be a mistake.
SARIF = _object(
    ["version", "runs"],
    **{"$schema": {"type": "string"}},
    version={"const": "2.1.0"},
    runs={
        "type": "array",
        "items": _object(
            ["tool"],
            tool=_object(
                ["driver"],
                driver=_object(
                    ["name"],
                    name=_TEXT,
                    version=_TEXT,
                    rules={
                        "type": "array",
                        "uniqueItems": True,
                        "items": _object(
                            ["id"],
                            id=_TEXT,
                            name={"type": "string", "pattern": "^([A-Z][a-z]*)+$"},
                            shortDescription=_MESSAGE,
                            fullDescription=_MESSAGE,
                            help=_MESSAGE,
                            defaultConfiguration=_object([], level=_LEVEL),
                        ),
                    },
                ),
            ),
            invocations={
                "type": "array",
                "items": _object(
                    ["executionSuccessful"],
                    executionSuccessful={"type": "boolean"},
                    toolExecutionNotifications={
                        "type": "array",
                        "items": _object(["message"], level=_LEVEL, message=_MESSAGE),
                    },
                ),
            },
            results={
                "type": "array",
                "items": _object(
                    ["message"],
                    ruleId=_TEXT,
                    ruleIndex={"type": "integer", "minimum": 0},
                    level=_LEVEL,
                    message=_MESSAGE,
                    locations={"type": "array", "items": _LOCATION},
                    relatedLocations={"type": "array", "uniqueItems": True, "items": _LOCATION},
                    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
                ),
            },
        ),
    },
)


class Refused(Exception):
    """A reader does not take what was written."""


def require(is_good, text):
    if not is_good:
        raise Refused(text)


def gcc(text):
    """[(path, line, kind, text)]; path and line are None where a message has no place."""
    messages = []
    for line in text.splitlines():
        found = GCC_LINE.match(line)
        require(found, f"no message of gcc: {line!r}")
        require(
            bool(GCC_ERROR.match(line)) == (found["kind"] != "note" and found["path"] is not None), f"$gcc: {line!r}"
        )
        messages.append((found["path"], found["line"] and int(found["line"]), found["kind"], found["text"]))
    return messages


def unescaped(text, more=()):
    """As the runner of GitHub does: %25 last."""
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, character)
    return text


def github(text):
    """[(command, properties, message)] of the lines that are commands, by the runner's rules."""
    commands = []
    for line in text.splitlines():
        line = line.lstrip()
        end = line.find("::", 2) if line.startswith("::") else -1
        if end < 0:
            continue
        command, _, words = line[2:end].partition(" ")
        require(command in COMMANDS, f"a command that nobody meant: {line!r}")
        properties = {}
        for word in words.split(","):
            name, equals, value = word.partition("=")
            require(equals and name in PROPERTIES, f"{name!r} in {line!r}")
            properties[name] = unescaped(value, (("%3A", ":"), ("%2C", ",")))
        commands.append((command, properties, unescaped(line[end + 2 :])))
    return commands


def gitlab(text):
    """The issues of a Code Quality report."""
    issues = json.loads(text)
    require(isinstance(issues, list), "no list")
    for issue in issues:
        place = issue["location"]
        require(issue["description"] and issue["check_name"], f"{issue}")
        require(issue["severity"] in SEVERITIES, f"{issue}")
        require(place["path"] and not place["path"].startswith("./"), f"{issue}")
        require(isinstance(place["lines"]["begin"], int) and place["lines"]["begin"] > 0, f"{issue}")
    prints = [issue["fingerprint"] for issue in issues]
    require(len(set(prints)) == len(prints), f"GitLab leaves out equal fingerprints: {prints}")
    return issues


def sarif(text):
    """The only run of a log."""
    log = json.loads(text)
    if jsonschema is not None:
        for error in jsonschema.Draft202012Validator(SARIF).iter_errors(log):
            raise Refused(f'{"/".join(map(str, error.absolute_path))}: {error.message[:300]}')
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        require(rules[result["ruleIndex"]]["id"] == result["ruleId"], f"the rule of {result}")
        require(result["locations"], f"GitHub refuses a result without a place: {result}")
    return run


def junit(text):
    """The only suite, as an element."""
    root = xml.etree.ElementTree.fromstring(text)
    require(root.tag == "testsuites", root.tag)
    for element in root.iter():
        attributes, inner = JUNIT[element.tag]
        require(set(element.attrib) == set(attributes), f"{element.tag}: {element.attrib}")
        order = [inner.index(child.tag) for child in element]
        require(order == sorted(order), f"{element.tag}: {[child.tag for child in element]}")
    (suite,) = root
    cases = suite.findall("testcase")
    for name, found in (
        ("tests", len(cases)),
        ("failures", sum(case.find("failure") is not None for case in cases)),
        ("errors", sum(case.find("error") is not None for case in cases)),
    ):
        require(int(suite.get(name)) == found, f"{name}: {suite.attrib}")
    require(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp")), suite.get("timestamp"))
    return suite


def openmetrics(text):
    """{name: [(labels, value)]}; None: there is no reader here."""
    if text_string_to_metric_families is None:
        return None
    try:
        families = list(text_string_to_metric_families(text))
    except ValueError as error:
        raise Refused(str(error)) from error
    return {family.name: [(sample.labels, sample.value) for sample in family.samples] for family in families}
