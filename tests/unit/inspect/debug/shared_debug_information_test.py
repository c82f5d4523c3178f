# SPDX-License-Identifier: BSD-3-Clause
"""Processes of one program, in several lines: its debug information is opened once for all, and once more when the process is closed
through which it was opened. A program that only looks like the same one is not taken for it."""
import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SECONDS = 60
PLACES = range(2, 6)
BUILD_ID = "-Wl,--build-id=0x" + "0123456789abcdef" * 2 + "01234567"


def run(*command, directory):
    subprocess.run(command, cwd=directory, check=True, timeout=SECONDS)


def build(arguments, directory, name, *options):
    sources = [os.path.join(arguments.sources, source) for source in ("places.c", "stop.c")]
    run("gcc", "-O0", "-g", *options, *sources, "-o", name, directory=directory)


def strip(directory, name):
    run("objcopy", "--only-keep-debug", name, f"{name}.debug", directory=directory)
    run("strip", name, directory=directory)
    run("objcopy", f"--add-gnu-debuglink={name}.debug", name, directory=directory)


def line_of(arguments, place):
    with open(os.path.join(arguments.sources, "places.c"), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if re.search(rf"in place {place} ", line))


class Processes:
    """Those that stand in stop(), each in its place."""

    def __init__(self):
        self.processes = []
        self.asked = []

    def start(self, path, place):
        process = subprocess.Popen(
            [path] + ["x"] * (place - 1), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.processes.append(process)
        self.asked += [str(process.pid), process.stdout.readline().strip()]

    def read(self, reader, file):
        done = subprocess.run(
            [reader, file, *self.asked], stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=True
        )
        *lines, opened = done.stdout.splitlines()
        return lines, int(opened)

    def end(self):
        for process in self.processes:
            process.stdin.close()
            process.wait(SECONDS)
            process.stdout.close()


@contextlib.contextmanager
def place_to_run():
    processes = Processes()
    with tempfile.TemporaryDirectory(prefix="mpilens-shared-") as directory:
        try:
            yield directory, processes
        finally:
            processes.end()


def expect(wanted, said):
    return None if said == wanted else f"expected {wanted}, not {said}"


def check_opened(arguments, *options):
    """The first one opens it, and the last one, when it is alone."""
    with place_to_run() as (directory, processes):
        build(arguments, directory, "program", *options)
        strip(directory, "program")
        for place in PLACES:
            processes.start(os.path.join(directory, "program"), place)
        said = processes.read(arguments.reader, os.path.join(directory, "program.debug"))
        lines = [f"places.c:{line_of(arguments, place)}" for place in (*PLACES, PLACES[-1])]
        return expect((lines, 2), said)


def check_once(arguments):
    return check_opened(arguments, "-Wl,--build-id")


def check_without_build_id(arguments):
    return check_opened(arguments, "-Wl,--build-id=none")


def check_fixed_position(arguments):
    return check_opened(arguments, "-no-pie")


def check_other_file(arguments):
    """Two builds with one build id were at the same path, and neither is there any more."""
    with place_to_run() as (directory, processes):
        path = os.path.join(directory, "program")
        for name in "one.c", "other.c":
            build(arguments, directory, "program", BUILD_ID, f'-DNAME="{name}"')
            processes.start(path, 1)
            os.remove(path)
        shutil.copy("/bin/true", path)
        lines, _ = processes.read(arguments.reader, path)
        return expect(["one.c:1", "other.c:1", "other.c:1"], lines)


CHECKS = check_once, check_without_build_id, check_fixed_position, check_other_file


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", required=True, type=os.path.abspath)
    parser.add_argument("--sources", required=True, type=os.path.abspath)
    arguments = parser.parse_args()
    failures = 0
    for check in CHECKS:
        failure = check(arguments)
        failures += failure is not None
        print(f"{check.__name__}: {failure or 'right'}")
    return 1 if failures > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
