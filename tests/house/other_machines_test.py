#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where a source of runtime/, dll/ or inspect/, or what is generated for them, does not compile for another machine without a
warning. Needs cross compilers of Debian, as gcc-aarch64-linux-gnu, and no library for those machines: nothing is linked, and headers of
libraries are this host's.

other_machines_test.py COMPILER BUILD_ROOT [PATTERN...]: only sources whose paths match a regular expression
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

from sources import PARTS

SKIPPED = 77
KEPT = ("-I", "-D", "-W", "-std=", "-ftls-model", "-fvisibility", "-fPIC")
KEPT_PAIRS = ("-isystem", "-include")


def host_directories():
    """Behind all others: the cross compiler's come first."""
    triplet = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True).stdout.strip()
    return [option for path in (f"/usr/include/{triplet}", "/usr/include") for option in ("-idirafter", path)]


def options_of(command):
    """Those that mean the same to any compiler."""
    words = shlex.split(command)
    for word, following in zip(words, words[1:]):
        if word.startswith(KEPT):
            yield word
        elif word in KEPT_PAIRS:
            yield from (word, following)


def compile_with(compiler, entry, more):
    """The compiler's complaints, "": none."""
    line = [compiler, *options_of(entry["command"]), *more, "-O1", "-Werror", "-c", "-o", os.devnull, entry["file"]]
    done = subprocess.run(line, cwd=entry["directory"], capture_output=True, text=True, errors="replace")
    return done.stderr if done.returncode == 0 else done.stderr or f"status {done.returncode}: {shlex.join(line)}\n"


def main():
    compiler, build, patterns = sys.argv[1], os.path.realpath(sys.argv[2]), sys.argv[3:]
    if shutil.which(compiler) is None:
        print(f"skipped: no {compiler}")
        return SKIPPED
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    wanted = tuple(f"{part}/" for part in PARTS)
    entries = [entry for entry in entries if entry["output"].startswith(wanted) and entry["file"].endswith(".c")]
    entries = [entry for entry in entries if not patterns or any(re.search(one, entry["file"]) for one in patterns)]
    more = host_directories()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        said = list(executor.map(lambda entry: compile_with(compiler, entry, more), entries))
    print("".join(said), end="")
    print(f"{len(entries)} sources, {sum(map(bool, said))} do not compile with {compiler}")
    return 1 if any(said) or not entries else 0


sys.exit(main())
