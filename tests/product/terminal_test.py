#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Command lines as people type them, with words of other commands and mistakes. Argument: the command."""
import os
import subprocess
import sys
import tempfile

USAGE = 2
# A command line, its status, and what stands in its output or messages.
CASES = [
    ("wyh", USAGE, "mpilens: 'wyh' is not a verb of mpilens; did you mean 'why'?"),
    ("verison", USAGE, "did you mean 'version'?"),
    ("--verison", USAGE, "mpilens: there is no option --verison; did you mean --version?"),
    ("xyzzy", USAGE, "mpilens: 'xyzzy' is not a verb of mpilens; 'mpilens --help' lists them"),
    ("version", 0, "mpilens 0."),
    ("ps --help", 0, "Usage: mpilens list "),
    ("top --help", 0, "Usage: mpilens top "),
    ("stack --help", 0, "Usage: mpilens show "),
    ("help stack", 0, "Usage: mpilens show "),
    ("show --stak", USAGE, "mpilens show: there is no option --stak; did you mean --stack?"),
    ("why --hmtl=page", USAGE, "mpilens why: there is no option --hmtl; did you mean --html?"),
    ("explain deadlokc", USAGE, "did you mean 'deadlock'?"),
    ("4711", USAGE, "did you mean 'mpilens why 4711'?"),
    ("./text", USAGE, "did you mean 'mpilens why ./text'?"),
    ("./program 1", USAGE, "'./program' is a program; start it with: mpiexec -n 4 mpilens run ./program 1\n"),
    ("mpiexec -n 4 ./program 1", USAGE, "start it with: mpiexec -n 4 mpilens run ./program 1\n"),
    ("mpirun -n 4 program", USAGE, "start it with: mpirun -n 4 mpilens run program\n"),
    ("srun elsewhere", USAGE, "start it with: srun ... mpilens run ./app\n"),
]


def run(mpilens, words):
    return subprocess.run(
        [mpilens, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )


def wrong_cases(mpilens):
    for line, status, text in CASES:
        done = run(mpilens, line.split())
        if done.returncode != status or text not in done.stdout + done.stderr:
            yield f"mpilens {line}: status {done.returncode}\n{done.stdout[:300]}{done.stderr}"


def wrong_help(mpilens):
    """`why` comes first, and no line is longer than a terminal is wide."""
    lines = run(mpilens, ["--help"]).stdout.splitlines()
    verbs = [line.split()[1] for line in lines if line.startswith("  mpilens ")]
    if verbs[:1] != ["why"]:
        yield f"mpilens --help begins with {verbs[:1]}"
    yield from (f"mpilens --help has {len(line)} columns: {line}" for line in lines if len(line) > 79)
    headings = [
        line.strip() for line in run(mpilens, ["why", "--help"]).stdout.splitlines() if line[:1] == " " != line[1:2]
    ]
    if headings != ["Target:", "Output:", "Other hosts:", "Advanced:"]:
        yield f"mpilens why --help: {headings}"


def make_files():
    with open("text", "w", encoding="utf-8") as file:
        file.write("text\n")
    with open("program", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n")
    os.chmod("program", 0o755)


def main(mpilens):
    mpilens = os.path.abspath(mpilens)
    with tempfile.TemporaryDirectory(prefix="mpilens-terminal-") as directory:
        os.chdir(directory)
        make_files()
        wrong = [*wrong_cases(mpilens), *wrong_help(mpilens)]
        os.chdir("/")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
