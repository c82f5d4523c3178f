#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the Debian packages, has lintian look at them, and installs, uses, upgrades and removes them in a root of Debian that has nothing
else. Needs root, mmdebstrap, and Debian's archive. Argument: the directory with the sources. MPILENS_PACKAGES=DIRECTORY: packages that were
built before."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
TOOLS = ["mmdebstrap", "dpkg-buildpackage", "dh", "lintian", "unshare"]
WAIT = """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""
INSIDE = """
set -e
export DEBIAN_FRONTEND=noninteractive
step() { echo "--- $*"; }
step install
apt-get -q update
apt-get -q install -y --no-install-recommends /packages/old/*.deb gcc libc6-dev libmpich-dev mpich pkg-config
step use
mpilens --version | tee /tmp/version
grep -qE '^mpilens [0-9.]+ \\([0-9a-f]{7,}\\)$' /tmp/version
mpilens doctor || [ $? -eq 1 ]
test -e /usr/lib/*/mpilens/spank_mpilens.so
test -e /usr/share/man/man1/mpilens-why.1.gz
pkg-config --exists mpilens
mpicc.mpich -g /packages/wait.c -o /tmp/wait
mpilens guard --timeout 1s -o /tmp/hang.mpilens -- mpiexec.mpich -n 2 /tmp/wait 2>&1 | tee /tmp/said || true
grep -q "deadlock: ranks .0,1. wait for each other" /tmp/said
grep -q "wait.c:7" /tmp/said
mpilens why /tmp/hang.mpilens || [ $? -eq 1 ]
step upgrade
apt-get -q install -y --no-install-recommends /packages/new/*.deb
dpkg-query -W -f '${Package} ${Version}\\n' mpilens | grep -q 'upgraded$'
mpilens explain deadlock >/dev/null
step remove
apt-get -q purge -y mpilens mpilens-slurm libmpilens-mpich libmpilens-openmpi libmpilens-dev
left=$(find / -xdev -path /packages -prune -o -path /var/log -prune -o -path /var/cache -prune -o -path /tmp -prune -o -name '*mpilens*' -print)
[ -z "$left" ] || { echo "left: $left"; exit 1; }
step done
"""


def run(*command, **options):
    print("$", *command, flush=True)
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **options)


def is_skipped(tools):
    """Whether packages cannot be tested here; says why."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if os.geteuid() != 0 or missing:
        print("SKIPPED: not root" if not missing else f"SKIPPED: {', '.join(missing)} not installed")
        return True
    return False


def write_program(path):
    """Two ranks that wait for each other."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(WAIT.lstrip())


def make_newer(package, directory):
    """The same package with a higher version."""
    with tempfile.TemporaryDirectory() as place:
        run("dpkg-deb", "-R", package, place)
        control = os.path.join(place, "DEBIAN", "control")
        with open(control, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"^(Version: .*)$", r"\1+upgraded", text, flags=re.M)
        text = re.sub(r"\(= ([^)]*)\)", r"(= \1+upgraded)", text)
        with open(control, "w", encoding="utf-8") as file:
            file.write(text)
        run("dpkg-deb", "-b", "-Znone", place, directory, stdout=subprocess.DEVNULL)


def prepare(sources, directory):
    """The packages, in two versions, and a program, in DIRECTORY/packages."""
    packages = os.path.join(directory, "packages")
    for name in "old", "new":
        os.makedirs(os.path.join(packages, name))
    built = os.environ.get("MPILENS_PACKAGES")
    if not built:
        built = os.path.join(directory, "built")
        run(os.path.join(sources, "packaging", "debian", "build"), built)
    for package in glob.glob(os.path.join(built, "*.deb")):
        if "-dbgsym_" not in package:
            shutil.copy(package, os.path.join(packages, "old"))
            make_newer(package, os.path.join(packages, "new"))
    write_program(os.path.join(packages, "wait.c"))
    return packages, glob.glob(os.path.join(built, "*.changes"))


def main(sources):
    if is_skipped(TOOLS):
        return SKIP
    with tempfile.TemporaryDirectory(prefix="mpilens-packages-") as directory:
        packages, changes = prepare(sources, directory)
        run("lintian", "--allow-root", "--fail-on", "error,warning", *changes)
        root = os.path.join(directory, "root")
        run("mmdebstrap", "--quiet", "--variant=minbase", "bookworm", root)
        shutil.copytree(packages, os.path.join(root, "packages"))
        inside = f'mount --bind /dev {root}/dev && mount -t proc proc {root}/proc && exec chroot {root} bash -c "$0"'
        try:
            run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, INSIDE)
        finally:
            shutil.rmtree(root, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
