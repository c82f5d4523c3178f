#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Installs into a directory of its own, moves it, loads the module file, and uninstalls. Arguments: the build tree, and the version."""
import os
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
NEEDED = [
    "bin/mpilens",
    "share/bash-completion/completions/mpilens",
    "share/zsh/site-functions/_mpilens",
    "share/fish/vendor_completions.d/mpilens.fish",
    "share/man/man1/mpilens.1",
    "share/man/man7/mpilens-findings.7",
    "share/doc/mpilens/NEWS.md",
    "share/mpilens/python/mpilens.py",
]


def run(*command, **options):
    return subprocess.run(
        command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options
    ).stdout


def files_of(directory):
    return {
        os.path.relpath(os.path.join(place, name), directory)
        for place, _, names in os.walk(directory)
        for name in names
    }


def load_module(prefix, version):
    """The directory that `module load` puts in front of PATH."""
    command = ["/usr/lib/x86_64-linux-gnu/modulecmd.tcl", "/usr/share/modules/libexec/modulecmd.tcl"]
    tool = next((path for path in command if os.path.exists(path)), None)
    if tool is None or shutil.which("tclsh") is None:
        return None
    environment = {**os.environ, "MODULEPATH": os.path.join(prefix, "share/modulefiles")}
    said = run("tclsh", tool, "python", "load", f"mpilens/{version}", env=environment)
    return next((line for line in said.splitlines() if "'PATH'" in line), said)


def main(build, version):
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        first, second = os.path.join(directory, "first"), os.path.join(directory, "second")
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", first)
        installed = files_of(first)
        prefix = next(path for path in installed if path.endswith("bin/mpilens")).removesuffix("bin/mpilens")
        wrong += [f"{path} is not installed" for path in NEEDED if prefix + path not in installed]
        wrong += [f"{path} was installed by mistake" for path in installed if "__pycache__" in path]
        shutil.copytree(first, second, symlinks=True)
        moved = os.path.join(second, prefix)
        if f"mpilens {version}" not in run(os.path.join(moved, "bin/mpilens"), "--version"):
            wrong.append("the command is of another version")
        loaded = load_module(moved, version)
        if loaded is not None and os.path.join(moved, "bin") not in loaded:
            wrong.append(f"module load: {loaded}")
        run("meson", "--internal", "uninstall", cwd=build)
        wrong += [f"{path} is left after uninstall" for path in files_of(first)]
    print(f"{len(installed)} files", "no modules" if loaded is None else "module loaded", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
