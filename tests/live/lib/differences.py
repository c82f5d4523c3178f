# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of single values; collects the differences."""
import fnmatch
import os

MISSING = object()


class Differences:
    def __init__(self, source, executable, launcher, seconds, from_core=False, module=None):
        self.source = source
        self.executable = os.path.basename(executable)
        self.module = os.path.basename(module or executable)
        self.launcher = launcher
        self.seconds = seconds
        self.from_core = from_core
        self.differences = []

    def differ(self, where, expected, actual):
        self.differences.append(
            f'{where}: expected {expected!r}, got {"nothing" if actual is MISSING else repr(actual)}'
        )

    def equal(self, where, expected, actual):
        if type(expected) is not type(actual) or expected != actual:
            self.differ(where, expected, actual)

    def any_of(self, where, alternatives, actual):
        """`alternatives`: text with | between patterns, or None."""
        if alternatives is None:
            self.equal(where, None, actual)
        elif not isinstance(actual, str) or not any(
            fnmatch.fnmatchcase(actual, one) for one in alternatives.split("|")
        ):
            self.differ(where, alternatives, actual)

    def number(self, where, actual, minimum, maximum=None):
        is_number = isinstance(actual, (int, float)) and not isinstance(actual, bool)
        if not is_number or actual < minimum or (maximum is not None and actual > maximum):
            self.differ(where, f"a number from {minimum} to {maximum}", actual)

    def address(self, where, actual):
        try:
            known = actual.startswith("0x") and int(actual, 16) > 0
        except (AttributeError, ValueError):
            known = False
        if not known:
            self.differ(where, "an address", actual)

    def age(self, where, actual):
        """A core file is not younger than the job either; all was begun after the job was started."""
        self.number(where, actual, 0, self.seconds + 1)

    def site(self, where, mark, actual):
        if not isinstance(actual, dict):
            self.differ(where, f"the place {mark}", actual)
            return
        function, line = self.source.place(mark)
        self.address(f"{where}.address", actual.get("address", MISSING))
        self.equal(f"{where}.module", self.module, os.path.basename(actual.get("module") or ""))
        self.equal(f"{where}.function", function, actual.get("function", MISSING))
        self.equal(f"{where}.file", self.source.file, os.path.basename(actual.get("file") or ""))
        self.equal(f"{where}.line", line, actual.get("line", MISSING))
