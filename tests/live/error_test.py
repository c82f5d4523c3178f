# SPDX-License-Identifier: BSD-3-Clause
"""The command's answer when it cannot do what it was asked: exit status, one clear reason, no document, no crash."""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from lib.command import UNREADABLE, USAGE, Command
from lib.job import Job
from lib.length import IS_FULL
from lib.patience import at_most

NOT_FOUND = 127
MOST_DEATHS = 8
DEATHS = MOST_DEATHS if IS_FULL else 3
NOBODY = 65534


class Cases:
    def __init__(self, arguments, directory):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.directory = directory
        self.failures = []
        self.skipped = []
        self.passed = 0

    def expect(self, what, result, status, reason=None, output=None):
        """`reason`, `output`: regular expressions for standard error and standard output; output None: must be empty."""
        wrong = []
        if result.status != status:
            wrong.append(f"exit status {result.status} instead of {status}")
        if reason is not None and not re.search(reason, result.diagnostics, re.IGNORECASE):
            wrong.append(f"standard error does not match {reason!r}")
        if output is None and result.output:
            wrong.append("standard output is not empty")
        if output is not None and not re.search(output, result.output):
            wrong.append(f"standard output does not match {output!r}")
        self.judge(what, wrong, result)

    def judge(self, what, wrong, result):
        if wrong:
            self.failures.append(what)
            print(f'WRONG {what}: {"; ".join(wrong)}\n{result}')
        else:
            self.passed += 1

    def skip(self, what):
        self.skipped.append(what)
        print(f"SKIPPED {what}")

    def sleeper(self, **options):
        return subprocess.Popen(["sleep", "120"], stdin=subprocess.DEVNULL, **options)

    # --- usage ---

    def usage(self):
        for line in (
            [],
            ["frobnicate"],
            ["show", "--no-such-option"],
            ["show", "--rank", "x"],
            ["show", "--rank", "3-1"],
            ["run"],
            ["run", "--unexpected=all", "true"],
            ["run", "--unexpected-after=nan", "true"],
            ["show", "--color=sometimes"],
            ["show", "no-such-file"],
            ["show", "0"],
            ["show", "-1"],
        ):
            allowed = UNREADABLE if line[1:] in (["no-such-file"], ["0"]) else USAGE
            self.expect(f"usage {line}", self.command.run(*line), allowed, reason=r"\S")
        self.expect("--help", self.command.run("--help"), 0, output=r"show")
        self.expect("--version", self.command.run("--version"), 0, output=r"^mpilens \d")
        self.expect("-h", self.command.run("-h"), 0, output=r"show")
        for line in ["help", "why"], ["why", "-h"]:
            self.expect(str(line), self.command.run(*line), 0, output=r"--patience")
        self.expect("help of no verb", self.command.run("help", "whay"), USAGE, reason=r"did you mean 'why'\?")
        for word, verb in ("sho", "show"), ("leak", "leaks"), ("snapshoot", "snapshot"), ("lsit", "list"):
            self.expect(word, self.command.run(word), USAGE, reason=rf"did you mean '{verb}'\?")
        for line, option in (
            (["show", "--stak"], "stack"),
            (["why", "--hmtl", "x"], "html"),
            (["run", "--synchronus"], "synchronous"),
        ):
            self.expect(str(line), self.command.run(*line), USAGE, reason=rf"did you mean --{option}\?")
        self.expect(
            "an option of the program", self.command.run("run", "true", "--synchronus"), UNREADABLE, reason="no MPI"
        )
        explained = self.command.run("explain", "--json", "leak")
        self.expect("explain --json", explained, 0, output='"kind": "leak"')
        explained.document()  # is compared with the schema
        self.expect("explain", self.command.run("explain"), 0, output=r"(?s)^FINDING.*\ntag-mismatch +a message")
        self.expect(
            "explain KIND", self.command.run("explain", "leak"), 0, output=r"(?s)^leak: .*\nWhat to do:\n  Free"
        )
        self.expect(
            "explain DEADLOK", self.command.run("explain", "deadlok"), USAGE, reason=r"did you mean 'deadlock'\?"
        )
        self.expect("no verb is like it", self.command.run("frobnicate"), USAGE, reason=r"'mpilens --help' lists them")

    def full_device(self):
        with open("/dev/full", "w") as full:
            completed = subprocess.run(
                [self.command.path, "--help"], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True
            )
        self.judge("--help > /dev/full", [] if completed.returncode > 0 else ["no failure"], completed.stderr)

    # --- targets ---

    def process_states(self):
        gone = self.sleeper()
        gone.kill()
        gone.wait()
        self.expect("no such pid", self.command.show(gone.pid), UNREADABLE, reason=r"no (such )?process")
        plain = self.sleeper()
        try:
            reason = rf"process {plain.pid} \(sleep\) has nothing to do with MPI"
            self.expect("no MPI", self.command.show(plain.pid), UNREADABLE, reason=reason)
            self.expect("no MPI, json", self.command.show("--json", plain.pid), UNREADABLE, reason=reason, output=r"^$")
        finally:
            plain.kill()
            plain.wait()
        foreign = self.sleeper(env=dict(os.environ, LD_PRELOAD=self.arguments.foreign_runtime))
        try:
            self.wait_mapped(foreign.pid)
            self.expect("other layout major", self.command.show(foreign.pid), UNREADABLE, reason=r"99|layout|version")
        finally:
            foreign.kill()
            foreign.wait()

    def wait_mapped(self, pid):
        name = os.path.basename(self.arguments.foreign_runtime)
        deadline = time.monotonic() + at_most(10)
        while time.monotonic() < deadline:
            with open(f"/proc/{pid}/maps") as maps:
                if name in maps.read():
                    return
        raise SystemExit(f"{name} did not come into process {pid}")

    def other_user(self):
        what = "process of another user"
        if os.geteuid() != 0:
            self.expect(what, self.command.show(1), UNREADABLE, reason=r"permission|not permitted|user|root")
            return
        demote = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        try:
            subprocess.run([self.command.path, "--version"], check=True, capture_output=True, **demote)
        except (OSError, subprocess.CalledProcessError):
            self.skip(f"{what}: {self.command.path} cannot be executed by nobody")
            return
        target = self.sleeper()
        try:
            self.expect(
                what, self.command.show(target.pid, **demote), UNREADABLE, reason=r"permission|not permitted|user|root"
            )
        finally:
            target.kill()
            target.wait()

    def files(self):
        text = os.path.join(self.directory, "text")
        with open(text, "w") as file:
            file.write("not a core file\n" * 100)
        self.expect("text file", self.command.show(text), UNREADABLE, reason=r"core")
        empty = os.path.join(self.directory, "empty")
        with open(empty, "w"):
            pass
        self.expect("empty file", self.command.show(empty), UNREADABLE, reason=r"\S")
        self.expect("executable", self.command.show(self.command.path), UNREADABLE, reason=r"core")
        self.expect("directory", self.command.show(self.directory), UNREADABLE, reason=r"\S")

    # --- run ---

    def compiled(self, name, *options):
        source = os.path.join(self.directory, "nothing.c")
        with open(source, "w") as file:
            file.write("int main(void) { return 0; }\n")
        program = os.path.join(self.directory, name)
        done = subprocess.run(["cc", source, "-o", program, *options], stdin=subprocess.DEVNULL, capture_output=True)
        return program if done.returncode == 0 else None

    def run_refused(self):
        self.expect("run: no such program", self.command.run("run", "/no/such/program"), NOT_FOUND, reason=r"not found")
        static = self.compiled("static", "-static")
        if static is None:
            self.skip("run: static executable: cannot be linked here")
        else:
            self.expect("run: static executable", self.command.run("run", static), UNREADABLE, reason=r"static")
        self.expect("run: no MPI in it", self.command.run("run", self.compiled("plain")), UNREADABLE, reason=r"no MPI")
        # It may load MPI later or start what does.
        mpi = "openmpi" if "openmpi" in os.path.basename(self.arguments.mpiexec) else "mpich"
        self.expect("run: shell", self.command.run("run", "--mpi", mpi, "sh", "-c", "exit 5"), 5)
        self.expect(
            "run: unknown MPI",
            self.command.run("run", "--mpi", "none", self.arguments.recv_cycle),
            USAGE,
            reason=r"none",
        )
        if os.geteuid() == 0:
            setuid = os.path.join(self.directory, "setuid")
            shutil.copy(self.arguments.recv_cycle, setuid)
            os.chown(setuid, NOBODY, NOBODY)
            os.chmod(setuid, 0o4755)
            self.expect("run: setuid executable", self.command.run("run", setuid), UNREADABLE, reason=r"set-?u?id")
        else:
            self.skip("run: setuid executable: needs root to make one")

    # --- a job ---

    def of_job(self):
        under = [self.command.path, "run", os.path.abspath(self.arguments.recv_cycle)]
        with Job(self.arguments.mpiexec, 2, under) as job:
            job.wait_ready()
            pids = [one["pid"] for one in job.expectations()]
            self.expect("list", self.command.run("list"), 0, output=rf"(?m)\b{job.launcher}\b")
            listed = self.command.run("list", "--json")
            document = listed.document()
            self.judge(
                "list --json", [] if document and str(job.launcher) in listed.output else ["job not listed"], listed
            )
            one = self.command.show("--json", "--rank", "1", job.launcher)
            ranks = [process["rank"] for process in (one.document() or {}).get("processes", [])]
            self.judge("--rank 1", [] if ranks == [1] and one.status == 0 else [f"ranks {ranks}"], one)
            for verb in (
                ["list"],
                ["show"],
                ["why"],
                ["leaks"],
                ["watch", "--count", "1"],
                ["handle", "MPI_COMM_WORLD"],
            ):
                self.expect(
                    f"{verb} --rank 0,5 of 2",
                    self.command.run(verb[0], "--rank", "0,5", job.launcher, *verb[1:]),
                    UNREADABLE,
                    reason=r"the job has no rank 5; it has 2 ranks",
                )
            listed = self.command.run("list", "--rank", "1", job.launcher)
            rows = re.findall(r"(?m)^ *(\d+) +\d+ ", listed.output)
            self.judge("list --rank 1", [] if rows == ["1"] else [f"ranks {rows}"], listed)
            why = self.command.run("why", "--rank", "1", job.launcher)
            evidence = re.findall(r"(?m)^  ranks? ([\d,-]+)", why.output)
            is_whole = {"0", "1"} <= set(evidence)  # what is shown is shown with the other rank's part
            self.judge("why --rank 1", [] if why.status == 1 and is_whole else [f"evidence {evidence}"], why)
            escape = "\x1b["
            for line, coloured in (
                (["--color=always"], True),
                (["--color=never"], False),
                ([], False),
                (["--color"], True),
                (["--color", "never"], False),
            ):
                shown = self.command.show(*line, job.launcher)
                self.judge(f"colour {line}", [] if (escape in shown.output) == coloured else ["escapes"], shown)
            self.foreign_target(pids)

    def foreign_target(self, pids):
        """Readable processes are shown, others are named."""
        plain = self.sleeper()
        try:
            self.expect(
                "a rank and another process",
                self.command.show(pids[0], plain.pid),
                UNREADABLE,
                reason=str(plain.pid),
                output=r"MPI_Recv",
            )
            self.expect(
                "another process and a rank",
                self.command.show(plain.pid, pids[0]),
                UNREADABLE,
                reason=str(plain.pid),
                output=r"MPI_Recv",
            )
        finally:
            plain.kill()
            plain.wait()

    def half_a_job(self):
        """Rank 0 has a runtime, rank 1 has none: rank 0 is shown, rank 1 named with the reason and what its stack tells."""
        program = os.path.abspath(self.arguments.recv_cycle)
        with Job(
            self.arguments.mpiexec, 2, [self.command.path, "run", program, ":", "-n", "1", program], ranks_of_first=1
        ) as job:
            job.wait_ready()
            result = self.command.show("--json", job.launcher)
            document = result.document() or {}
            shown = [process["rank"] for process in document.get("processes", []) if process["state"] == "running"]
            unread = document.get("job", {}).get("ranks_unread", [])
            wrong = []
            if result.status != UNREADABLE or shown != [0]:
                wrong.append(f"ranks {shown}, exit status {result.status}")
            if [one["rank"] for one in unread] != [1] or "mpilens run" not in unread[0]["reason"]:
                wrong.append(f"ranks_unread {unread}")
            seen = [one["function"] for one in document["processes"][1].get("seen_threads", [])]
            if "MPI_Recv" not in seen:
                wrong.append(f"rank 1 was seen in {seen}")
            why = self.command.run("why", job.launcher)
            if "ranks [0,1] are in MPI_Recv" not in why.output:
                wrong.append(f"why: {why}")
            self.judge("a rank without runtime", wrong, result)

    def bare_job(self):
        with Job(self.arguments.mpiexec, 2, [os.path.abspath(self.arguments.recv_cycle)]) as job:
            job.wait_ready()
            pids = [one["pid"] for one in job.expectations()]
            output = r"MPI_Recv\(.*\)[\s\S]*mpilens run"
            self.expect("job without mpilens run", self.command.show(*pids), UNREADABLE, output=output)
            self.expect("its launcher", self.command.show(job.launcher), UNREADABLE, output=output)
            listed = self.command.run("list", job.launcher)
            self.expect("list of it", listed, 0, output=rf"ranks \[0,1\]: call stacks only: mpilens why {job.launcher}")
            dll = next(iter(glob.glob("/usr/lib/*/openmpi/lib/openmpi*/libompi_dbg_msgq.so")), None)
            if dll is not None and "openmpi" in self.arguments.mpiexec:
                asked = self.command.show("--dll", dll, job.launcher)
                self.expect("library of the vendor", asked, UNREADABLE, reason=r"debug information", output=output)
            leaks = self.command.run("leaks", job.launcher)
            self.expect("leaks of it", leaks, UNREADABLE, reason=r"mpilens run")

    def dies_while_read(self):
        """The rank is killed at a random instant of the reading: a result or a reason, never a crash."""
        random.seed(2)
        under = [self.command.path, "run", os.path.abspath(self.arguments.many_pending)]
        wrong, refused = [], 0
        for number in range(MOST_DEATHS):
            if number >= DEATHS and refused > 0:
                break
            with Job(self.arguments.mpiexec, 2, under) as job:
                job.wait_ready()
                pids = [one["pid"] for one in job.expectations()]
                reader = subprocess.Popen(
                    [self.command.path, "show", "--json", *map(str, pids)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
                time.sleep(random.uniform(0, 0.15))
                for pid in pids:
                    os.kill(pid, signal.SIGKILL)
                said = reader.communicate(timeout=at_most(60))[1]
                refused += reader.returncode == UNREADABLE
                if reader.returncode not in (0, UNREADABLE) or (reader.returncode and not said):
                    wrong.append(f"status {reader.returncode}: {said}")
        if refused == 0:
            wrong.append("the rank always died too late to matter")
        self.judge("process gone while reading", wrong, "")

    def run(self):
        if self.arguments.same or IS_FULL:
            self.usage()
            self.full_device()
            self.process_states()
            self.other_user()
            self.files()
            self.of_job()
            self.dies_while_read()
            self.run_refused()
        self.half_a_job()
        self.bare_job()
        print(f"{self.passed} right, {len(self.failures)} wrong, {len(self.skipped)} skipped")
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--same", action="store_true", help="also what is the same with every MPI")
    parser.add_argument("--foreign-runtime", required=True, help="library that claims another layout major")
    parser.add_argument("--recv-cycle", required=True, help="a hanging program of two ranks")
    parser.add_argument("--many-pending", required=True, help="one that takes a while to read")
    arguments = parser.parse_args()
    arguments.foreign_runtime = os.path.abspath(arguments.foreign_runtime)
    with tempfile.TemporaryDirectory(prefix="mpilens-errors-") as directory:
        os.chmod(directory, 0o755)
        return Cases(arguments, directory).run()


if __name__ == "__main__":
    sys.exit(main())
