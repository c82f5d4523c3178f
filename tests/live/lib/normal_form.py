# SPDX-License-Identifier: BSD-3-Clause
"""The normal form of a document of `mpilens show --json`, without facts that differ from run to run: documents of the same
program in other languages, on other MPIs, have the same normal form."""
import json
import os
import re

WRONG = "wrong place:"
WAITING = re.compile(r"\.(Recv|Wait)\(")  # in Python
IN_PROGRAM = "in the program"  # at a line that is not known
ADDRESS = re.compile(r"\b0x[0-9a-f]+")
# Members that depend on the run, or on the machine.
LEFT_OUT = {"age_s", "pid", "tid", "host", "executable", "address", "serial", "memory_bytes"}
# Markers in the place of a buffer, by their values in C: MPICH and Open MPI.
IN_PLACE = {"0xffffffffffffffff": "MPI_IN_PLACE", "0x1": "MPI_IN_PLACE"}
# Languages have their own names of the same type.
SAME = {"MPI_INTEGER": "MPI_INT"}
# Their order means nothing here.
SORTED = {"objects", "requests", "collectives", "communicators", "attributes"}


class NormalForm:
    """`source`: of the program, with marks; None: its calls come from the module of another library, `module`, or stand at lines
    of `script`, which wait."""

    def __init__(self, source, module, script=None):
        self.source = source
        self.script = script
        self.waiting_lines = set()
        if script:
            with open(script, encoding="utf-8") as file:
                self.waiting_lines = {number for number, line in enumerate(file, 1) if WAITING.search(line)}
        self.marks = {line: mark for mark, (_, line) in source.places.items()} if source else {}
        self.module = module
        self.ids = {}
        self.sites = {}

    def site(self, site):
        """The mark of a call; of a program without marks, that it is the right module."""
        if site is None:
            return None
        if self.script and os.path.basename(site["file"] or "") == os.path.basename(self.script):
            return "somewhere" if site["line"] in self.waiting_lines else f'{WRONG} line {site["line"]} of the script'
        if self.module not in os.path.basename(site["module"] or ""):
            return f'{WRONG} {site["module"]} {site["function"]}'
        if self.source is None:
            return "somewhere"
        if site["file"] is None and self.source.may_lack_lines:
            return IN_PROGRAM
        if site["file"] is None or os.path.basename(site["file"]) != self.source.file:
            return f'{WRONG} {site["module"]} {site["file"]}'
        return self.marks.get(site["line"], f'line {site["line"]}')

    def value(self, name, value):
        if isinstance(value, dict):
            if name.endswith("site"):
                return self.site(value)
            return {key: self.value(key, one) for key, one in value.items() if key not in LEFT_OUT}
        if isinstance(value, list):
            if name == "operations":
                return sorted(self.sites.get(one, "not listed") for one in value)
            result = [self.value(name, one) for one in value]
            return sorted(result, key=lambda one: json.dumps(one, sort_keys=True)) if name in SORTED else result
        if name in ("id", "unique_id", "communicator_id") and value is not None:
            return self.ids.setdefault(value, len(self.ids))
        if isinstance(value, str):
            if name == "buffer" and value in IN_PLACE:
                return IN_PLACE[value]
            return SAME.get(value, ADDRESS.sub("address", value))
        return value

    def process(self, process):
        lists = [process.get("requests", [])]
        lists += [one[queue] for one in process["communicators"] for queue in ("sends", "receives")]
        self.sites = {one["serial"]: f'{one["function"]} {self.site(one["site"])}' for ones in lists for one in ones}
        return self.value("process", process)

    def document(self, document):
        """By rank."""
        return [self.process(one) for one in document["processes"]]


def differences(where, expected, actual):
    """Texts that say where two values differ and how."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key in sorted(set(expected) | set(actual)):
            if key not in expected or key not in actual:
                found.append(f'{where}.{key}: only in {"the reference" if key in expected else "this cell"}')
            else:
                found += differences(f"{where}.{key}", expected[key], actual[key])
        return found
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) == len(actual):
            return [
                text
                for index, pair in enumerate(zip(expected, actual))
                for text in differences(f"{where}[{index}]", *pair)
            ]
        only = [one for one in expected if one not in actual]
        more = [one for one in actual if one not in expected]
        return [f"{where}: {len(expected)} in the reference, {len(actual)} here; only there {only}; only here {more}"]
    if isinstance(actual, str) and isinstance(expected, str) and actual.endswith(IN_PROGRAM) and WRONG not in expected:
        return []
    return [] if expected == actual else [f"{where}: {expected!r} in the reference, {actual!r} here"]
