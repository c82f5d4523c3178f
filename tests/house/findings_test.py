#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the kinds of findings that the JSON schema or doc/why.md name differ from findings.def. Argument: the directory with the
sources."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "live"))
from lib.kinds import finding_kinds  # pylint: disable=wrong-import-position


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def main():
    source = sys.argv[1]
    kinds = finding_kinds()
    schema = json.loads(read(source, "doc/mpilens-1.schema.json"))
    table = read(source, "doc/why.md").partition("\n| finding | meaning |\n")[2].partition("\n\n")[0]
    named = {
        "doc/mpilens-1.schema.json": set(schema["$defs"]["finding"]["properties"]["kind"]["enum"]),
        "doc/why.md": set(re.findall(r"`([a-z-]+)`", "".join(line.split("|")[1] for line in table.splitlines()))),
    }
    wrong = [f"{path}: {kind}" for path, words in named.items() for kind in sorted(words ^ kinds)]
    print(f"{len(kinds)} kinds compared", *wrong, sep="\n")
    return 1 if wrong or not kinds else 0


if __name__ == "__main__":
    sys.exit(main())
