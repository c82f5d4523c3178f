#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the RPM packages, and installs, uses and removes them in a root that has a database of packages and nothing else. Requirements are
not checked: on Debian, the libraries come from packages of another kind. Needs root, rpmbuild, and Debian's MPIs. Argument: the directory
with the sources. MPILENS_RPMS=DIRECTORY: packages that were built before."""
import glob
import os
import re
import subprocess
import sys
import tempfile

from packages_test import SKIP, is_skipped, run, write_program

TOOLS = ["rpm", "rpmbuild", "mpicc.mpich", "mpicc.openmpi"]


def ask(*command):
    """Returns all that a command prints, whatever its exit status."""
    print("$", *command, flush=True)
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return result.stdout + result.stderr


def build(sources, directory):
    """The binary packages."""
    built = os.environ.get("MPILENS_RPMS")
    if not built:
        built = os.path.join(directory, "built")
        mpis = "mpis mpicc.mpich,mpicc.openmpi"
        run(os.path.join(sources, "packaging/rpm/build"), built, "--nodeps", "--define", mpis)
    return [path for path in glob.glob(os.path.join(built, "*.rpm")) if "-debug" not in path]


def problems_of_use(root, directory):
    """Reads a hung job with the installed command."""
    command, source, program = os.path.join(root, "usr/bin/mpilens"), f"{directory}/wait.c", f"{directory}/wait"
    write_program(source)
    run("mpicc.mpich", "-g", source, "-o", program)
    version = ask(command, "--version")
    if not re.match(r"mpilens [0-9.]+ \([0-9a-f]{7,}\)\n", version):
        yield f"no commit in: {version}"
    for part in "libmpilens_dll.so.1", "libmpilens-mpich.so", "libmpilens-openmpi.so":
        if f"{root}/usr/lib64/mpilens/{part}" not in version:
            yield f"--version does not find {part}: {version}"
    guard = [command, "guard", "--timeout", "1s", "-o", f"{directory}/hang.mpilens", "--"]
    verdict = ask(*guard, "mpiexec.mpich", "-n", "2", program)
    if "deadlock: ranks [0,1] wait for each other" not in verdict or "wait.c:7" not in verdict:
        yield f"guard says: {verdict}"


def problems(packages, directory):
    root = os.path.join(directory, "root")
    os.mkdir(root)
    rpm = ["rpm", "--root", root, "--nodeps"]
    names = {"-".join(os.path.basename(path).split("-")[:-2]) for path in packages}
    if names != {"mpilens", "mpilens-devel"}:
        yield f"other packages: {names}"
    for path in packages:
        requirements = run("rpm", "-qp", "--requires", path, stdout=subprocess.PIPE, text=True).stdout
        if "libmpi" in requirements.replace("libmpilens", ""):
            yield f"{path} requires an MPI: {requirements}"
    run(*rpm, "--install", *packages)
    said = ask(*rpm, "--verify", "--all")
    if said.strip():
        yield f"changed at its installation: {said}"
    yield from problems_of_use(root, directory)
    run(*rpm, "--erase", *names)
    left = [path for path in glob.glob(f"{root}/**/*mpilens*", recursive=True) if "/var/lib/rpm" not in path]
    if left:
        yield f"left: {left}"


def main(sources):
    if is_skipped(TOOLS):
        return SKIP
    with tempfile.TemporaryDirectory(prefix="mpilens-rpm-") as directory:
        wrong = list(problems(build(sources, directory), directory))
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
