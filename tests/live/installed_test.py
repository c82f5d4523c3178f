# SPDX-License-Identifier: BSD-3-Clause
"""The same hang patterns with everything installed into another place than configured, and stripped. Without --full, some that need
all that is installed: stacks of threads, and messages that the runtime has taken out."""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from hang_test import HangTest, parse_arguments
from lib.job import SKIP, JobFailed
from lib.length import IS_FULL

SOME = ("threads", "unexpected_order")


def parse_own_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--mpi", default="MPICH")
    parser.add_argument("--pattern", nargs=3, action="append", metavar=("NAME", "SOURCE", "PROGRAM"))
    return parser.parse_args()


def install(build, directory):
    """Installs under `directory`, strips all that can be stripped, moves it once more. Returns the command's path."""
    first, second = os.path.join(directory, "first"), os.path.join(directory, "second")
    subprocess.run(
        ["meson", "install", "-C", build, "--no-rebuild", "--destdir", first],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    files = [
        path
        for path in glob.glob(f"{first}/**", recursive=True)
        if os.path.basename(path) == "mpilens"
        and os.access(path, os.X_OK)
        and os.path.isfile(path)
        or path.endswith(".so")
    ]
    subprocess.run(["strip", "--strip-all", *files], check=True, stdin=subprocess.DEVNULL)
    os.rename(first, second)
    print("installed and stripped:", *(os.path.relpath(path, first) for path in files))
    commands = glob.glob(f"{second}/**/bin/mpilens", recursive=True)
    if len(commands) != 1 or len(files) < 3:
        raise SystemExit(f"expected one command and at least two libraries, found {files}")
    return commands[0]


def main():
    arguments = parse_own_arguments()
    for tool in ("meson", "strip"):
        if shutil.which(tool) is None:
            print(f"SKIPPED: {tool} is not installed")
            return SKIP
    wrong = []
    with tempfile.TemporaryDirectory(prefix="mpilens-installed-") as directory:
        command = install(arguments.build, directory)
        patterns = [one for one in arguments.pattern if IS_FULL or one[0] in SOME]
        for name, source, program in patterns:
            print(f"--- {name}", flush=True)
            pattern = parse_arguments(
                [
                    "--mpilens",
                    command,
                    "--mpiexec",
                    arguments.mpiexec,
                    "--mpi",
                    arguments.mpi,
                    "--source",
                    source,
                    program,
                    *([] if shutil.which("gcore") else ["--one-form"]),
                ]
            )
            try:
                right = HangTest(pattern).run()
            except JobFailed as failure:
                print(failure)
                right = False
            if not right:
                wrong.append(name)
    print(f"{len(patterns) - len(wrong)} of {len(patterns)} patterns right")
    return 1 if wrong or not patterns else 0


if __name__ == "__main__":
    sys.exit(main())
