#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds with -Dbundle=true, installs, moves the tree, and reads a hung job in a root directory that has only the tree and the C library.
Needs root. Arguments: the directory with the sources, a compiler of MPI and its launcher."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from packages_test import SKIP, WAIT, run

VERDICT = "deadlock: ranks [0,1] wait for each other"
SECONDS = 60 * float(os.environ.get("MPILENS_TEST_PATIENCE", "1"))


def install(sources, directory, compiler):
    """The installed tree, moved to another place."""
    build, first, moved = (os.path.join(directory, name) for name in ("build", "first", "moved"))
    options = ["-Dbundle=true", "-Dtests=false", "-Dfortran=disabled", f"-Dmpi={compiler}", "--prefix", first]
    run("meson", "setup", build, sources, *options, stdout=subprocess.DEVNULL)
    run("meson", "install", "-C", build, stdout=subprocess.DEVNULL)
    shutil.copytree(first, moved, symlinks=True)
    shutil.rmtree(first)
    return moved


def loaded(command):
    """Files that the linker loads for the command, among libraries that come first by the environment."""
    everywhere = "/usr/lib:/usr/lib64:" + ":".join(glob.glob("/usr/lib/*-linux-gnu"))
    said = run(
        "ldd", command, env={"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": everywhere}, capture_output=True, text=True
    ).stdout
    return [os.path.normpath(word) for word in said.split() if word.startswith("/")]


def make_root(root, tree, files):
    """Makes a root with the tree as /mpilens, and with the files."""
    shutil.copytree(tree, os.path.join(root, "mpilens"), symlinks=True)
    os.makedirs(os.path.join(root, "proc"))
    for file in files:
        os.makedirs(root + os.path.dirname(file), exist_ok=True)
        shutil.copy(file, root + file)


def inside(root, *words):
    """Runs the command there, without any environment, and returns all that it prints."""
    script = (
        f'mount -t proc proc "{root}/proc" && exec env -i {shutil.which("chroot")} "{root}" /mpilens/bin/mpilens "$@"'
    )
    command = ["unshare", "--mount", "sh", "-c", script, "sh", *words]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return result.stdout + result.stderr


def read_hung_job(root, tree, compiler, launcher, directory):
    """Returns the output of `why`, which is asked until it has the verdict."""
    source, program = os.path.join(directory, "wait.c"), os.path.join(directory, "wait")
    with open(source, "w", encoding="utf-8") as file:
        file.write(WAIT.lstrip())
    run(compiler, "-g", source, "-o", program)
    with subprocess.Popen(
        [launcher, "-n", "2", os.path.join(tree, "bin/mpilens"), "run", program],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    ) as job:
        try:
            end = time.monotonic() + SECONDS
            said = ""
            while VERDICT not in said and job.poll() is None and time.monotonic() < end:
                said = inside(root, "why", str(job.pid))
            return said
        finally:
            os.killpg(job.pid, signal.SIGKILL)


def main(sources, compiler, launcher):
    if os.geteuid() != 0:
        print("SKIPPED: not root")
        return SKIP
    wrong = []
    with tempfile.TemporaryDirectory(prefix="mpilens-bundle-") as directory:
        tree = install(sources, directory, compiler)
        files = loaded(os.path.join(tree, "bin/mpilens"))
        own = [file for file in files if file.startswith(tree + "/")]
        others = [file for file in files if file not in own]
        print("bundled:", *(os.path.basename(file) for file in own))
        if not any("/libdw.so." in file for file in own):
            wrong.append("libdw is not bundled")
        wrong += [
            f"{file} is not bundled"
            for file in others
            if not os.path.basename(file).startswith(("libc.", "libm.", "ld-"))
        ]
        root = os.path.join(directory, "root")
        make_root(root, tree, others)
        version = inside(root, "--version")
        if "debugger library: /mpilens/" not in version:
            wrong.append(f"--version says: {version}")
        verdict = read_hung_job(root, tree, compiler, launcher, directory)
        if VERDICT not in verdict or "wait.c:7" not in verdict:
            wrong.append(f"why says: {verdict}")
        os.remove(next(file for file in own if "/libdw.so." in file).replace(tree, f"{root}/mpilens"))
        if "libdw.so.1" not in inside(root, "--version"):
            wrong.append("the root has another libdw, so this test proves nothing")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
