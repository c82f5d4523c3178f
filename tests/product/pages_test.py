#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks README and the pages of doc/: that each link leads somewhere, that each verb and option of a command that they show exists, that
README leads to each page, and that a comment above each block says how a test runs it, or why none does
(tests/live/lib/pages.py). Arguments: the command, and the directory with the sources."""
import functools
import os
import re
import subprocess
import sys

from lib.pages import blocks_of


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def anchors(text):
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, flags=re.M)}


def broken_links(source, page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, part = target.partition("#")
        if re.match(r"https?:", target):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(source, path)):
            yield f"{page}: there is no {path}"
        elif part and part not in anchors(read(source, path)):
            yield f"{page}: {path} has no heading #{part}"


@functools.lru_cache(maxsize=None)
def options_of(mpilens, verb):
    """None: there is no such verb."""
    result = subprocess.run([mpilens, *([verb] if verb else []), "--help"], capture_output=True, text=True, check=False)
    return set(re.findall(r"--[a-z-]+|(?<![\w-])-[a-zA-Z?]\b", result.stdout)) if result.returncode == 0 else None


def commands(text):
    """Yields the words behind "mpilens" in each command of a block or of a code span."""
    blocks = re.findall(r"^(?:    |\$ )(.*)$", text, flags=re.M) + re.findall(r"`([^`\n]+)`", text)
    for block in blocks:
        line = re.split(r"\s#\s|\s{2,}#", block)[0]
        for match in re.finditer(r"(?:^|[\s(])mpilens((?: +\S+)*)", line):
            yield match.group(1).split()


def wrong_words(mpilens, words):
    """Yields the wrong words of a command, given by the words behind "mpilens"."""
    verb = words[0] if words and not words[0].startswith("-") else ""
    if (verb and not re.fullmatch(r"[a-z]+", verb)) or words[:2] == ["is", "not"]:  # a message
        return
    options = options_of(mpilens, verb)
    if options is None:
        yield f"there is no verb {verb}"
        return
    for word in words[1:] if verb else words:
        if word in ("--", "|", ">", ";", "&&") or (verb == "run" and not word.startswith("-")):
            return
        option = re.match(r"--[a-z-]+|-[a-zA-Z]\b", word)
        if option and option.group() not in options:
            yield f"mpilens {verb} has no option {option.group()}"


def undecided_blocks(source, page, text):
    for block in blocks_of(page, text):
        if not block.is_decided:
            yield f"{block.place}: no comment above the block says how a test runs it, or why none does"
        path = os.path.join(source, "tests", "live", "pages", block.source or "")
        if not os.path.exists(path):
            yield f"{block.place}: there is no {path}"


def main(mpilens, source):
    pages = ["README.md"] + sorted(
        f"doc/{name}" for name in os.listdir(os.path.join(source, "doc")) if name.endswith(".md")
    )
    wrong, count = [], 0
    for page in pages:
        text = read(source, page)
        wrong += broken_links(source, page, text)
        wrong += undecided_blocks(source, page, text)
        for words in commands(text):
            count += 1
            wrong += [f"{page}: {said}: mpilens {' '.join(words)}" for said in wrong_words(mpilens, words)]
    readme = read(source, "README.md")
    linked = set(re.findall(r"\]\((doc/[^)#]+)", readme))
    wrong += [f"README.md has no link to {page}" for page in pages[1:] if page not in linked]
    print(f"{len(pages)} pages, {count} commands", *wrong, sep="\n")
    return 1 if wrong or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
