# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of findings, as findings.def has them."""
import glob
import os
import re

SOURCES = os.path.join(os.path.dirname(__file__), "..", "..", "..")
TEXT = r'"((?:[^"\\]|\\.|"\s*")*)"'  # adjacent literals are one


def finding_summaries():
    """Maps each kind, such as deadlock, to its summary, in the order of the file."""
    (path,) = glob.glob(os.path.join(SOURCES, "inspect", "**", "findings.def"), recursive=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(rf'^FINDING\(\s*\w+, "([^"]+)", -?\d+, (?:true|false),\s*{TEXT},\s*{TEXT}', text, flags=re.M)
    return {word: re.sub(r'"\s*"', "", summary) for word, _, summary in found}


def finding_kinds():
    return set(finding_summaries())
