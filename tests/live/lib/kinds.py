# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of findings, as findings.def has them."""
import glob
import os
import re

SOURCES = os.path.join(os.path.dirname(__file__), "..", "..", "..")


def finding_kinds():
    """The words, such as deadlock."""
    (path,) = glob.glob(os.path.join(SOURCES, "inspect", "**", "findings.def"), recursive=True)
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r'^FINDING\(\s*\w+, "([^"]+)"', file.read(), flags=re.M))
