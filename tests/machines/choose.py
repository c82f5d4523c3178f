#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses what the emulated machine gets.

choose.py WORK SOURCE REGEX...: the tests of WORK/build with these names. Writes WORK/targets, what ninja has to build for them, and
WORK/disk: tests.json, places (directories that the machine finds at the same place), files (links to them).
choose.py --modules FROM TO NAME...: copies these modules of the kernel, and what they need, numbered in the order in which they load
"""
import json
import os
import re
import shutil
import subprocess
import sys


def choose_tests(work, source, patterns):
    build = os.path.realpath(os.path.join(work, "build"))
    with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        tests = json.load(file)
    listed = subprocess.run(
        ["ninja", "-C", build, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True, check=True
    )
    known = {line.rsplit(": ", 1)[0] for line in listed.stdout.splitlines()}
    chosen = [test for test in tests if any(re.search(pattern, test["name"]) for pattern in patterns)]
    chosen = [{**test, "directory": test["workdir"] or build} for test in chosen]
    chosen.sort(key=lambda test: test["priority"])  # what takes long comes last: time may be short
    wanted = {
        "inspect/mpilens",
        "dll/libmpilens_dll.so.1",
        "runtime/libmpilens-mpich.so",
        "runtime/libmpilens-openmpi.so",
    }
    wanted |= {name for name in known if name.startswith("inspect/gdb/")}
    with open(os.path.join(build, "meson-info", "intro-targets.json"), encoding="utf-8") as file:
        made = {target["id"]: target["filename"] for target in json.load(file)}
    for test in chosen:
        wanted |= {os.path.relpath(path, build) for needed in test["depends"] for path in made.get(needed, [])}
        words = {os.path.relpath(word, build) if os.path.isabs(word) else word for word in test["cmd"]}
        wanted |= {word for word in words if word in known}
    with open(os.path.join(work, "targets"), "w", encoding="utf-8") as out:
        out.write("".join(f"'{name}'\n" for name in sorted(wanted & known)))
    disk = os.path.join(work, "disk")
    shutil.rmtree(disk, ignore_errors=True)
    os.makedirs(disk)
    kept = ("name", "cmd", "env", "directory")
    with open(os.path.join(disk, "tests.json"), "w", encoding="utf-8") as out:
        json.dump([{key: test[key] for key in kept} for test in chosen], out)
    return build, disk


def main():
    if sys.argv[1] == "--modules":
        choose_modules(*sys.argv[2:4], sys.argv[4:])
        return
    work, source, *patterns = sys.argv[1:]
    choose_tests(work, source, patterns)


def choose_modules(tree, to, names):
    files = {
        name[: -len(".ko")].replace("-", "_"): os.path.join(directory, name)
        for directory, _, found in os.walk(tree)
        for name in found
        if name.endswith(".ko")
    }
    order = []

    def add(name):
        name = name.replace("-", "_")
        if name in order or name not in files:  # built into the kernel
            return
        told = subprocess.run(["modinfo", "-F", "depends", files[name]], stdout=subprocess.PIPE, text=True, check=True)
        for needed in filter(None, told.stdout.strip().split(",")):
            add(needed)
        order.append(name)

    for name in names:
        add(name)
    for number, name in enumerate(order):
        shutil.copy(files[name], os.path.join(to, f"{number:02}_{name}.ko"))


if __name__ == "__main__":
    main()
