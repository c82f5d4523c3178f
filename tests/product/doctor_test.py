#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Breaks what mpilens needs, one thing at a time, and compares what `mpilens doctor` says and advises. Arguments: the command, and the
DLL."""
import ctypes
import json
import os
import platform
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

FINDING = 1


def forbid_ptrace():
    """By a filter of system calls, as containers have one."""
    program = b"".join(
        struct.pack("=HBBI", *instruction)
        for instruction in [
            (0x20, 0, 0, 0),  # the number of the call
            (0x15, 1, 0, 101),  # ptrace
            (0x15, 0, 1, 310),  # process_vm_readv
            (0x06, 0, 0, 0x00050001),  # EPERM
            (0x06, 0, 0, 0x7FFF0000),  # allowed
        ]
    )
    text = ctypes.create_string_buffer(program)
    filter_program = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(text))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, filter_program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def leave_no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class DoctorTest:
    def __init__(self):
        self.wrong = []
        self.count = 0

    def ask(self, command, *words, job=False, **options):
        words = [command, "doctor", "--json", *words, *([] if job else ["--no-job"])]
        result = subprocess.run(words, capture_output=True, text=True, check=False, **options)
        checks = json.loads(result.stdout)["checks"]
        expected = FINDING if any(check["state"] == "wrong" for check in checks) else 0
        if result.returncode != expected:
            self.wrong.append(f"exit status {result.returncode} instead of {expected}")
        return checks

    def expect(self, checks, name, state, remedy):
        self.count += 1
        found = [check for check in checks if check["check"] == name]
        if not any(check["state"] == state and remedy in (check["remedy"] or "") for check in found):
            self.wrong.append(f"{name}: not {state} with '{remedy}': {found}")


def install_without_runtimes(mpilens, dll, directory):
    """A prefix that has the command and its library, where the command looks for that."""
    command = os.path.join(directory, "bin", "mpilens")
    os.makedirs(os.path.dirname(command))
    shutil.copy(mpilens, command)
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    libraries = said.partition("(looked in ")[2].partition(")")[0]
    os.makedirs(os.path.normpath(libraries))
    shutil.copy(dll, os.path.join(os.path.normpath(libraries), "libmpilens_dll.so"))
    return command, os.path.normpath(libraries)


def refusing_launcher(directory, compiler):
    """A PATH on which the MPI of a compiler has a launcher that starts nothing."""
    os.symlink(compiler, os.path.join(directory, os.path.basename(compiler)))
    launcher = os.path.join(directory, os.path.basename(compiler).replace("mpicc", "mpiexec"))
    with open(launcher, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho -----; echo 'It is Sunday.'; echo -----; exit 1\n")
    os.chmod(launcher, 0o755)
    return {**os.environ, "PATH": directory + ":/usr/bin:/bin"}


def main(mpilens, dll):
    test = DoctorTest()
    checks = test.ask(mpilens)
    test.expect(checks, "ptrace", "ok", "")
    test.expect(checks, "debugger library", "ok", "")
    if platform.machine() == "x86_64":
        ptrace = next(check for check in test.ask(mpilens, preexec_fn=forbid_ptrace) if check["check"] == "ptrace")
        test.expect([ptrace], "ptrace", "wrong", "")
        if not ptrace["remedy"]:
            test.wrong.append("no remedy for ptrace")
    test.expect(test.ask(mpilens, preexec_fn=leave_no_core), "core limit", "limited", "hard core unlimited")
    small = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "$0" "$@"']
    if subprocess.run([*small, "true"], capture_output=True, check=False).returncode == 0:
        result = subprocess.run(
            [*small, mpilens, "doctor", "--no-job", "--json"], capture_output=True, text=True, check=False
        )
        test.expect(json.loads(result.stdout)["checks"], "/dev/shm", "limited", "size=1g")
    with tempfile.TemporaryDirectory() as directory:
        command, libraries = install_without_runtimes(mpilens, dll, directory)
        checks = test.ask(command)
        test.expect(checks, "runtimes", "wrong", "-Dmpi=")
        if shutil.which("mpicc") or shutil.which("mpicc.mpich"):
            test.expect(checks, "compiler of MPI", "wrong", "-Dmpi=/")
        if shutil.which("gdb"):
            test.expect(checks, "gdb", "limited", "meson install")
            os.makedirs(os.path.join(libraries, "gdb"))
            for name in "gdb/mpilens.py", "libmpilens-mpich.so-gdb.py":
                with open(os.path.join(libraries, name), "w", encoding="utf-8"):
                    pass
            test.expect(test.ask(command), "gdb", "limited", f"add-auto-load-safe-path {libraries}'")
    compiler = shutil.which("mpicc.mpich")
    if compiler:
        with tempfile.TemporaryDirectory() as directory:
            checks = test.ask(mpilens, job=True, env=refusing_launcher(directory, compiler))
            told = [check for check in checks if check["text"].endswith("It is Sunday.")]
            test.expect(told, "test job", "wrong", f"{directory}/mpiexec.mpich -n 2 mpilens run PROGRAM")
    print(f"{test.count} checks compared", *test.wrong, sep="\n")
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
