# SPDX-License-Identifier: BSD-3-Clause
"""Types the commands of README and of the pages of doc/ as they stand there, where no other job runs (lib/pages.py has the comments that say so).
Each line that is shown must be printed, in this order; numbers of seconds and of processes may differ, and how columns are spaced.
Commands without output must find what is to be found. `mpiexec` and "(hangs)" start the job; if no command does, ./PROGRAM hangs with
the runtime before them. Snapshots and core files that they name are made of it."""
import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from lib.command import argument_parser
from lib.job import HANG_SECONDS, SKIP, Job, JobFailed, run_test, wait_until
from lib.length import IS_FULL
from lib.pages import all_blocks, missing_line
from lib.patience import at_most
from lib.python_mpi import environment_of, has_mpi4py
from lib.report import Report

RANKS = 4
SECONDS = at_most(120)
SOURCES_SECONDS = at_most(900)
ALONE = [
    "unshare",
    *([] if os.geteuid() == 0 else ["-r"]),
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
]
OWN_MEMORY = ["sh", "-c", 'mount -t tmpfs tmpfs /dev/shm && exec "$@"', "sh"]
TARGET = re.compile(r"(?<![\w./-])(?:\d{4,5}|PID|JOB)(?![\w./])")
MAY_FIND = re.compile(r"mpilens (?!run|guard|part)")
SCRIPT = "set -o pipefail\n{}"
STEP = "{{ {}\n}} </dev/null || [ $? -eq {} ] || {{ echo 'status' $? of:; cat <<'END'\n{}\nEND\nexit 3; }}\n"


def start_over_alone():
    if os.environ.get("MPILENS_TEST_ALONE"):
        return
    if subprocess.run([*ALONE, *OWN_MEMORY, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("SKIPPED: there can be no namespaces here")
        sys.exit(SKIP)
    os.environ["MPILENS_TEST_ALONE"] = "1"
    os.execvp(ALONE[0], [*ALONE, *OWN_MEMORY, sys.executable, "-B", *sys.argv])


class Session:
    """The directory in which one block is typed, and the job that it is about."""

    def __init__(self, test, block, directory):
        self.test = test
        self.block = block
        self.directory = directory
        self.jobs = contextlib.ExitStack()
        self.job = None
        self.environment = {
            "PATH": f"{test.bin}:{os.environ['PATH']}",
            "HOME": directory,
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "",
            "DEBUGINFOD_URLS": "",
            "XDG_RUNTIME_DIR": tempfile.mkdtemp(dir="/dev/shm"),  # for black boxes of this session alone
            **environment_of(test.arguments.python[1]),
        }

    def shell(self, script, seconds=SECONDS):
        return subprocess.run(
            ["timeout", "--kill-after=5", str(seconds), "bash", "-c", SCRIPT.format(script)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, **self.environment},
        )

    def is_found(self):
        """Whether `why` finds something."""
        return self.shell("mpilens why --no-source").returncode == 1

    def start(self, command):
        """mpiexec -n RANKS ...; whether it hangs."""
        words = shlex.split(command)
        job = Job(words[0], int(words[2]), words[3:], environment=self.environment)
        self.job = self.jobs.enter_context(job)
        if not wait_until(lambda: self.is_found() or job.has_ended(), HANG_SECONDS, 0.2) or job.has_ended():
            raise JobFailed(f"{self.block.place}: {command}: it does not hang:\n{job.printed()}")

    def target(self):
        if self.job:
            return str(self.job.launcher)
        ended = self.shell("mpilens list --ended | grep -o '[0-9]*' | head -n 1")
        return ended.stdout.strip()

    def typed(self, command):
        return TARGET.sub(self.target(), command) if TARGET.search(command) else command

    def make_files(self, text):
        """That the commands read, and do not write themselves."""
        cores = sorted(set(re.findall(r"\bcore\.[*\d]+", text)))
        if cores:
            document = json.loads(self.shell("mpilens show --json").stdout)
            pids = [process["pid"] for process in document["processes"]]
            names = [f"core.{pid}" for pid in pids] if cores == ["core.*"] else cores
            for name, core in zip(names, self.job.dump_cores(pids)):
                shutil.move(core, os.path.join(self.directory, name))
        for name in sorted(set(re.findall(r"(?<!-o )\b\w+\.mpilens\b", text)) - set(re.findall(r"-o (\S+)", text))):
            self.shell(f"mpilens snapshot -o {name}")

    def run_script(self, commands):
        """Commands whose output the page does not show."""
        script = "".join(STEP.format(one, 1 if MAY_FIND.match(one) else 0, one) for one in commands)
        result = self.shell(script, SOURCES_SECONDS if self.block.is_of_sources else SECONDS)
        self.test.check(
            result.returncode == 0, f"{self.block.place}: status {result.returncode}\n{result.stdout[-3000:]}"
        )

    def on_terminal(self, command, columns):
        line = shlex.quote(f"stty cols {columns} rows 1000; {command}")
        return f"TERM=dumb script --quiet --return --command {line} /dev/null"

    def compare(self, command, shown):
        last = []

        def is_shown():
            lines = self.shell(command).stdout.replace(self.directory, ".").splitlines()
            last[:] = [re.sub(r"^(\(gdb\) )+", "", line) for line in lines]
            return missing_line(shown, last) is None

        if not wait_until(is_shown, HANG_SECONDS, 0.2):
            printed = "\n".join(last)
            self.test.check(
                False, f"{self.block.place}: {command}\ndoes not print\n{missing_line(shown, last)}\nbut\n{printed}"
            )

    def run(self):
        steps = self.block.steps()
        gdb, columns = self.block.word("gdb"), self.block.word("columns")
        text = "\n".join(command for command, _ in steps)
        if self.block.word("ended") is not None:
            self.shell(f"mpiexec -n {RANKS} mpilens run ./{self.block.program}")
        elif "mpiexec -n" not in text and not self.block.is_of_sources:
            self.start(f"mpiexec -n {RANKS} mpilens run ./{self.block.program}")
            self.make_files(text)
        if gdb:
            shown = [line for _, lines in steps for line in lines]
            self.compare(f"mpilens gdb {gdb} <<'END'\n{text}\nEND", shown)
        elif not self.block.shows_output():
            self.run_script([self.typed(command) for command, _ in steps])
        else:
            for command, shown in steps:
                if shown == ["(hangs)"]:
                    self.start(command)
                elif shown:
                    typed = self.typed(command)
                    self.compare(self.on_terminal(typed, columns) if columns else typed, shown)
                else:
                    self.shell(command)


class PagesTest(Report):
    def __init__(self, arguments, directory):
        super().__init__()
        self.arguments = arguments
        self.bin = os.path.join(directory, "bin")
        os.mkdir(self.bin)
        for name, path in ("mpilens", arguments.mpilens), ("mpiexec", arguments.mpiexec), ("mpicc", arguments.mpicc):
            self.make_program(name, f'exec "{os.path.abspath(path)}" "$@"')
        self.make_program("python3", f'exec "{arguments.python[0]}" "$@"')

    def check(self, good, text):
        super().check(good, text)
        if not good:
            print(text, flush=True)

    def make_program(self, name, line):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{line}\n")
        os.chmod(path, 0o755)

    def has(self, tool):
        return has_mpi4py(*self.arguments.python) if tool == "mpi4py" else shutil.which(tool) is not None

    def prepare(self, block, directory):
        """The files beside which a block is typed."""
        if block.is_of_sources:
            hidden = shutil.ignore_patterns("build*", ".git")
            shutil.copytree(self.arguments.sources, directory, ignore=hidden, symlinks=True, dirs_exist_ok=True)
            return
        shutil.copytree(os.path.join(self.arguments.pages, "beside"), directory, dirs_exist_ok=True)
        source = os.path.join(self.arguments.pages, block.source)
        copy = os.path.join(directory, block.program + os.path.splitext(source)[1])
        shutil.copyfile(source, copy)
        if copy.endswith(".c"):
            program = os.path.join(directory, block.program)
            command = [self.arguments.mpicc, "-g", "-O2", "-pthread", os.path.basename(copy), "-o", program]
            subprocess.run(command, check=True, cwd=directory)

    def is_due(self, block):
        flavour = "openmpi" if block.word("openmpi") is not None else "mpich"
        if not block.is_run() or block.word("over hosts") is not None or flavour != self.arguments.flavour:
            return False
        return IS_FULL or (block.word("slow") is None and block.shows_output())

    def type_block(self, block, directory):
        session = Session(self, block, directory)
        os.chdir(directory)
        try:
            with session.jobs:
                session.run()
        except JobFailed as failure:
            self.check(False, str(failure))
        finally:
            os.chdir("/")

    def run(self):
        due = [block for block in all_blocks(self.arguments.sources) if self.is_due(block)]
        due = [block for block in due if re.search(self.arguments.only, block.place)]
        for block in due:
            lacking = [tool for tool in (block.word("needs") or "").split() if not self.has(tool)]
            if lacking:
                print(f"{block.place}: SKIPPED: no {lacking[0]}")
                continue
            begin, before = time.monotonic(), len(self.problems)
            with tempfile.TemporaryDirectory(prefix="mpilens-pages-") as directory:
                self.prepare(block, directory)
                self.type_block(block, directory)
            seconds = time.monotonic() - begin
            print(
                f'{block.place}: {"right" if len(self.problems) == before else "WRONG"} in {seconds:.1f} s', flush=True
            )
        self.check(due, "no page has a command to be run")
        return self.end() == 0


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True)
    parser.add_argument("--mpicc", required=True)
    parser.add_argument("--sources", required=True, help="directory with README.md")
    parser.add_argument("--pages", required=True, help="directory of the programs")
    parser.add_argument("--python", nargs=3, metavar=("PYTHON", "PYTHONPATH", "LIBRARY"), help="as of matrix_test.py")
    parser.add_argument("--only", default="", help="blocks whose PAGE:LINE matches this regular expression")
    arguments = parser.parse_args()
    arguments.sources, arguments.pages = map(os.path.abspath, (arguments.sources, arguments.pages))
    start_over_alone()
    with tempfile.TemporaryDirectory(prefix="mpilens-pages-") as directory:
        return run_test(PagesTest(arguments, directory))


if __name__ == "__main__":
    sys.exit(main())
