#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the words in doc/json.md differ from words.def, and where comments or documents have sentences that read badly.

Argument: the directory with the sources. With --list as second one, prints the number of bad sentences of each room instead.
english.txt has the exceptions.
"""
import collections
import io
import os
import re
import sys
import tokenize

# Rows of the table in doc/json.md: the list, words of it that JSON never says, and words that only JSON has.
ROWS = {
    "thread_level": ("THREAD_LEVEL", set(), set()),
    "status": ("STATUS", set(), set()),
    "mode": (
        "OPERATION_MODE",
        {"blocking", "persistent", "partitioned", "from_message", "cancel_called", "cancelled"},
        {"standard"},
    ),
    "class": ("OPERATION_CLASS", set(), set()),
    "collectives": ("COLLECTIVE_CLASS", set(), set()),
    "kind": ("OBJECT_KIND", set(), set()),
    "flavor": ("WINDOW_FLAVOR", set(), set()),
    "access_epoch": ("EPOCH", {"none", "group"}, {"start", "post"}),
    "type": ("LOCK_TYPE", set(), set()),
    "amode": ("FILE_MODE", set(), set()),
    "object": ("ATTACHABLE", set(), set()),
    "topology": ("TOPOLOGY", set(), set()),
    "combiner": ("COMBINER", set(), set()),
}
# Shapes of sentences that read as translated, and how to say it. A relative clause needs its noun; a sentence its subject and verb.
SHAPES = {
    "likewise": (re.compile(r"\blikewise\b", re.I), "repeat the short fact: a neighbour may move"),
    "what": (re.compile(r"(?:^|[.;:] )(?:What|Who|Whom|Whose|Whoever|what|who|whom)\b(?![^.]*\?)"), "name the thing"),
    "that of": (re.compile(r"\b(?:that|those|the one|the ones) of\b"), "repeat the noun or use a genitive"),
    "who": (re.compile(r", whom? "), "start a new sentence"),
    "in vain": (re.compile(r"\bin vain\b"), "say what failed"),
    "either": (re.compile(r"(?:, | as )(?:either|too|well)\."), "say it once"),
    "the same": (
        re.compile(r"(?:^|\. )(?:The same|Same) (?:of|for|with|as|where)\b"),
        'say what it does, or "as X, for Y"',
    ),
    "belief": (re.compile(r"\bbelieved\b"), "is treated as corrupt, as lost, ..."),
    "so many": (re.compile(r"\bso (?:many|often)\b(?![^.;]* that\b)"), "give the number its name"),
    "of": (re.compile(r"^Of (?!course\b)"), "begin with the noun or the verb"),
    "has been": (re.compile(r"\b(?:has|have) been (?:told|said|asked)\b"), "use the active voice"),
}
EXCEPTIONS = "tests/house/english.txt"
SCANNED = ("bench", "demo", "dll", "doc", "examples", "include", "inspect", "packaging", "runtime", "tests")
DOCUMENTS = ("CONTRIBUTING.md", "README.md")
C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def comments_of_c(text):
    """Yields (line, text) of each comment."""
    for match in C_TOKEN.finditer(text):
        if match.group().startswith("/"):
            plain = re.sub(r"^/[*/]+<?|\*+/$|^\s*\*|\\$", "", match.group(), flags=re.M)
            yield text.count("\n", 0, match.start()) + 1, plain


def comments_of_python(text):
    """Yields (line, text) of each comment and docstring."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for index, token in enumerate(tokens):
        stands_alone = index > 0 and tokens[index - 1].type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.NL)
        if token.type == tokenize.STRING and stands_alone and token.string.startswith('"""'):
            yield token.start[0], token.string.strip('"')
    yield from comments_of_lines(text)


def comments_of_lines(text):
    """Yields (line, text) of each run of lines that begin with a hash."""
    run = []
    for number, line in enumerate(text.splitlines() + [""], start=1):
        if line.lstrip().startswith("#") and not line.startswith("#!"):
            run.append(line.lstrip().lstrip("#"))
        elif run:
            yield number - len(run), "\n".join(run)
            run = []


def paragraphs(text):
    """Yields (line, text) of each paragraph, item or row; not of indented blocks."""
    number = 1
    for paragraph in re.split(r"(\n\s*\n|\n(?=\s*[*|-] ))", text):
        if not paragraph.startswith("    ") and paragraph.strip():
            yield number, re.sub(r"^\s*[*-] ", "", paragraph.strip())
        number += paragraph.count("\n")


READERS = {
    ".c": comments_of_c,
    ".h": comments_of_c,
    ".def": comments_of_c,
    ".cpp": comments_of_c,
    ".py": comments_of_python,
    ".md": paragraphs,
    ".build": comments_of_lines,
    ".sh": comments_of_lines,
    ".tsv": comments_of_lines,
    ".txt": comments_of_lines,
}


def sentences(source):
    """Yields (path, line, sentence part) of all that is to be checked."""
    paths = list(DOCUMENTS)
    for top in SCANNED:
        for directory, _, names in os.walk(os.path.join(source, top)):
            paths += [os.path.relpath(os.path.join(directory, name), source) for name in names]
    for path in sorted(paths):
        reader = READERS.get(os.path.splitext(path)[1])
        if reader and path != EXCEPTIONS and os.path.exists(os.path.join(source, path)):
            for line, text in reader(read(source, path)):
                for paragraph in re.split(r"\n\s*\n|\n\s*(?=- )|SPDX-[^\n]*|-- \S+\.c --", text):
                    yield path, line, " ".join(paragraph.split()).removeprefix("- ")


def english(source):
    """Returns the bad sentences as (path, line, shape, text), without the exceptions, and the exceptions that except nothing."""
    exceptions = [
        line.split("\t") for line in read(source, EXCEPTIONS).splitlines() if line and not line.startswith("#")
    ]
    used, bad = set(), []
    for path, line, text in sentences(source):
        for shape, (pattern, _) in SHAPES.items():
            for match in pattern.finditer(text):
                excepted = [
                    number
                    for number, (place, name, part, _) in enumerate(exceptions)
                    if path.startswith(place) and name in ("*", shape) and part in text
                ]
                used.update(excepted[:1])
                if not excepted:
                    bad.append((path, line, shape, text[max(0, match.start() - 20) : match.end() + 60]))
    return bad, [entry for number, entry in enumerate(exceptions) if number not in used]


def room(path):
    """The part, or the room of inspect/ and tests/."""
    return "/".join(path.split("/")[: 2 if path.startswith(("inspect/", "tests/")) else 1])


def main():
    source = sys.argv[1]
    bad, unused = english(source)
    if sys.argv[2:] == ["--list"]:
        for name, count in sorted(collections.Counter(room(path) for path, *_ in bad).items()):
            print(f"{count:5} {name}")
        return 0
    lists = {
        name: set(re.findall(r'WORD\(\w+, "([^"]*)"', body))
        for name, body in re.findall(
            r"#define MPILENS_(\w+)_WORDS\(WORD\)(.*?)(?=\n\n|\n#)",
            read(source, "include/mpilens/words.def"),
            flags=re.S,
        )
    }
    section = read(source, "doc/json.md").partition("\n## Words\n")[2].partition("\n## ")[0]
    documented = {}
    for line in section.splitlines():
        cells = line.split("|")
        names = re.findall(r"`([^`]+)`", cells[1]) if len(cells) > 2 else []
        if names:
            documented[names[0]] = set(re.findall(r"`([^`]+)`", cells[2]))
    wrong = [f"{name}: no such row" for name in ROWS if name not in documented]
    wrong += [f"{name}: not in the table of this test" for name in documented if name not in ROWS]
    for name, (words, never, more) in ROWS.items():
        differing = documented.get(name, set()) ^ ((lists[words] - never) | more)
        if name in documented and differing:
            wrong.append(f'{name}: {", ".join(sorted(differing))}')
    wrong += [f"{path}:{line}: {SHAPES[shape][1]}: ...{text}..." for path, line, shape, text in bad]
    wrong += [f"{EXCEPTIONS}: excepts nothing: {' '.join(entry)}" for entry in unused]
    print(f"{len(ROWS)} rows compared", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
