#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""In the emulated machine: runs the tests that machine has chosen, one after the other, and prints of each RESULT, its name, its outcome
and the seconds that it took; the first and the last output of a failed one follow. guest.py TESTS.json SECONDS"""
import json
import os
import signal
import subprocess
import sys
import time

SKIPPED = 77
FIRST_LINES, LAST_LINES = 10, 15
MOST_SECONDS = 2000  # of one test


def run(test, seconds):
    """Its outcome, and its output."""
    environment = {**os.environ, **test["env"], "MPILENS_TEST_PATIENCE": "8", "MPILENS_TEST_LENGTH": "short"}
    started = subprocess.Popen(
        test["cmd"],
        cwd=test["directory"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        said = started.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        return "timeout", started.communicate()[0]
    return {0: "ok", SKIPPED: "skipped"}.get(started.returncode, "failed"), said


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tests = json.load(file)
    end = time.monotonic() + float(sys.argv[2])
    for test in tests:
        begin = time.monotonic()
        left = end - begin
        try:
            result, said = run(test, min(left, MOST_SECONDS)) if left > 0 else ("no time", "")
        except OSError as error:
            result, said = "failed", str(error)
        print("RESULT", test["name"], result, f"{time.monotonic() - begin:.0f}", sep="\t", flush=True)
        if result not in ("ok", "no time"):
            lines = said.splitlines()
            shown = lines[:FIRST_LINES] + lines[FIRST_LINES:][-LAST_LINES:]
            print("".join(f"    {line}\n" for line in shown), end="", flush=True)


main()
