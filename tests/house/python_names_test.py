#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where Python uses a name, a member of a module or an argument that does not exist. Argument: the directory with the sources.

Skips where there is no pylint.
"""
import os
import shutil
import subprocess
import sys

from sources import sources

SKIPPED = 77
SCRIPTS = (".ci/count-results", ".ci/demote-ranks", ".ci/test-targets")
PARTS = ("bench", "runtime", "tests")  # the others import modules that only gdb, Spack or an installation has
MESSAGES = (
    "no-member",
    "no-name-in-module",
    "no-value-for-parameter",
    "undefined-variable",
    "unexpected-keyword-arg",
    "used-before-assignment",
)
NOT_UNDERSTOOD = ("name", "finditer")  # members that pylint misses: of signals, and of patterns in a tuple


def main(root):
    if not shutil.which("pylint"):
        print("no pylint")
        return SKIPPED
    paths = [*SCRIPTS, *sources(root, PARTS, (".py",))]
    command = ["pylint", "--rcfile=/dev/null", "--disable=all", f"--enable={','.join(MESSAGES)}", "--score=no"]
    command += [f"--generated-members={','.join(NOT_UNDERSTOOD)}", f"--jobs={os.cpu_count()}", *paths]
    print(f"{len(paths)} files", flush=True)
    return subprocess.run(command, cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
