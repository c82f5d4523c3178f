# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens guard`: ends jobs that hang, with verdict and snapshot; says who ended a job; lets all others be; nothing is
left."""
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from lib.command import Command, argument_parser
from lib.job import KEEPS_NICENESS, NICENESS, processes_with, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
# Scenarios run side by side: they mostly wait.
AT_A_TIME = 4
# A job that computes for this many timeouts is not ended.
TIMEOUTS = 4
FAILED = 7
TIMED_OUT = 124
# The job is ended in three steps, so far apart.
KILL_SOON = ["--kill-after", "1"]
# Processes that compete with ranks for one processor.
RIVALS = 20
# The files and values that freeze and thaw a control group of either version.
FREEZERS = (
    ("frozen by version 1", "/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED"),
    ("frozen by version 2", "/sys/fs/cgroup", "cgroup.freeze", "1", "0"),
    ("frozen by version 2 beside 1", "/sys/fs/cgroup/unified", "cgroup.freeze", "1", "0"),
)


class Scenario(Report):
    """Has a directory of its own, which also distinguishes its processes from others."""

    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.directory = tempfile.mkdtemp(prefix="mpilens-guard-")
        self.environment = {}
        self.variable = f"MPILENS_LIVE_DIRECTORY={self.directory}"

    def left(self):
        return processes_with(self.variable)

    def start(self, timeout, *job, options=(), stderr=subprocess.PIPE, around=()):
        line = [*around, self.command.path, "guard", "--timeout", str(timeout), *options, "--", *job]
        # The timeout counts only time in which the ranks can run.
        environment = dict(
            os.environ, MPILENS_LIVE_DIRECTORY=self.directory, LC_ALL="C.UTF-8", **dict([KEEPS_NICENESS.split("=")])
        )
        environment.pop("SLURM_JOB_END_TIME", None)
        environment.update(self.environment)
        return subprocess.Popen(
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            errors="replace",
            cwd=self.directory,
            env=environment,
        )

    def mpiexec(self, ranks, *program):
        return [self.arguments.mpiexec, "-n", str(ranks), *map(os.path.abspath, program)]

    def finish(self, title, guard, expected):
        """Expects the status, and that nothing is left."""
        output, diagnostics = guard.communicate(timeout=SECONDS)
        self.check(
            guard.returncode == expected,
            f"{title}: exit status {guard.returncode}, not {expected}:\n{output}\n{diagnostics}",
        )
        self.check(not self.left(), f"{title}: left over: {self.left()}")
        return output, diagnostics

    def job(self):
        """Its ranks wait for each other."""
        return self.mpiexec(2, self.arguments.hang)

    def hang(self, title, job, options=()):
        guard = self.start(1, *job, options=options)
        _, diagnostics = self.finish(title, guard, TIMED_OUT)
        self.check("deadlock: ranks [0,1] wait for each other" in diagnostics, f"{title}: no verdict:\n{diagnostics}")
        self.check("mpilens gdb" not in diagnostics, f"{title}: a debugger for what is ended:\n{diagnostics}")
        snapshots = [name for name in os.listdir(self.directory) if name.endswith(".mpilens")]
        if options:
            self.check(not snapshots, f"{title}: snapshots {snapshots}")
            return
        self.check(len(snapshots) == 1, f"{title}: snapshots {snapshots}")
        self.expect_headline(title, diagnostics)
        for name in snapshots:
            path = os.path.join(self.directory, name)
            result = self.command.run("why", "--json", path)
            findings = (result.document() or {}).get("findings", [])
            self.check(
                result.status == 1 and findings and findings[0]["kind"] == "deadlock",
                f"{title}: of the snapshot:\n{result}",
            )
            os.unlink(path)

    def expect_headline(self, title, text):
        """The last line, behind all that the launcher has said."""
        last = text.rstrip().splitlines()[-1]
        good = (
            last.startswith("mpilens: deadlock: ranks [0,1] wait for each other")
            and "; see: mpilens why mpilens-" in last
        )
        self.check(good, f"{title}: the last line:\n{text}")

    def bare(self):
        self.hang("hang", self.job())

    def under_run(self):
        *launcher, program = self.job()
        self.hang("hang under run", [*launcher, self.command.path, "run", program], options=["--no-snapshot"])

    def in_script(self):
        self.hang("hang in a script", ["sh", "-c", " ".join(self.job()) + "; true"], options=["--no-snapshot"])

    def stubborn(self):
        """A process that does not end by itself is killed."""
        line = " ".join(self.job())
        script = f'trap "" TERM; {line}; sleep {10 * SECONDS} & wait'
        self.hang("stubborn", ["sh", "-c", script], options=["--no-snapshot", "--kill-after", "1"])

    def client(self):
        """Another process starts the ranks, for a launcher that hands on its environment and waits."""
        path = os.path.join(self.directory, "environment")
        script = f"env -0 > {path}.new && mv {path}.new {path}; sleep {10 * SECONDS} & wait"
        guard = self.start(
            1, "sh", "-c", script, options=["--mpi", self.arguments.flavour, "--no-snapshot", "--kill-after", "1"]
        )
        wait_until(lambda: os.path.exists(path), SECONDS)
        with open(path, encoding="utf-8") as file:
            environment = dict(variable.split("=", 1) for variable in file.read().split("\0") if variable)
        os.unlink(path)
        with subprocess.Popen(
            self.job(),
            env=environment,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ):
            _, diagnostics = guard.communicate(timeout=SECONDS)
            self.check(not self.wait_until_gone(), f"client: left over: {self.left()}")
        self.check(guard.returncode == TIMED_OUT, f"client: exit status {guard.returncode}, not 124:\n{diagnostics}")
        self.check("deadlock: ranks [0,1] wait for each other" in diagnostics, f"client: no verdict:\n{diagnostics}")

    def start_hung(self, *job, options=()):
        """A guarded job that is known to hang, and does not soon end by that."""
        guard = self.start(SECONDS, *job, options=["--no-snapshot", *options])
        wait_until(lambda: self.watched(guard) >= 2, SECONDS)
        wait_until(lambda: any(self.command.run("why", pid).status == 1 for pid in self.left()), SECONDS)
        return guard

    def end_by_signal(self, title, guard, told=()):
        """It ends, and with it the job, for that it gets SIGTERM; the verdict comes first."""
        guard.send_signal(signal.SIGTERM)
        _, diagnostics = guard.communicate(timeout=SECONDS)
        lines = [index for index, line in enumerate(diagnostics.splitlines()) if line.startswith("mpilens guard: ")]
        verdict = diagnostics.find("deadlock: ranks [0,1] wait for each other")
        self.check(guard.returncode not in (0, TIMED_OUT), f"{title}: exit status {guard.returncode}:\n{diagnostics}")
        self.check(lines and verdict > 0, f"{title}: no verdict:\n{diagnostics}")
        for text in told:
            self.check(diagnostics.find(text) > verdict, f'{title}: not "{text}" after the verdict:\n{diagnostics}')
        self.check(not self.left(), f"{title}: left over: {self.left()}")

    def stopped_ranks(self):
        guard = self.start_hung(*self.job(), options=KILL_SOON)
        for pid in self.ranks(self.arguments.hang):
            os.kill(pid, signal.SIGSTOP)
        self.end_by_signal("stopped ranks", guard)

    def stopped_launcher(self):
        """And what it has started."""
        guard = self.start_hung(*self.job(), options=KILL_SOON)
        for pid in self.launchers() + self.ranks(self.arguments.hang):
            os.kill(pid, signal.SIGSTOP)
        self.end_by_signal("stopped launcher", guard, told=["they get SIGTERM and SIGCONT"])

    def deaf_ranks(self):
        """They ignore SIGTERM, and so does what has started the launcher."""
        *launcher, program = self.job()
        script = f'trap "" TERM; {" ".join(launcher)} sh -c \'trap "" TERM; exec {program}\'; while :; do sleep 1; done'
        guard = self.start_hung("sh", "-c", script, options=KILL_SOON)
        self.end_by_signal("deaf ranks", guard, told=["they get SIGTERM and SIGCONT", "SIGKILL for"])

    def stopped_until_timeout(self):
        """One rank is stopped, the other waits for it: that is for the timeout. All of them stopped are suspended."""
        guard = self.start(1, *self.job(), options=["--no-snapshot", *KILL_SOON])
        wait_until(lambda: len(self.ranks(self.arguments.hang)) >= 2, SECONDS)
        os.kill(self.ranks(self.arguments.hang)[0], signal.SIGSTOP)
        self.finish("stopped until timeout", guard, TIMED_OUT)

    def limit_after_signal(self):
        """The limit is in force while the job takes its time to end."""
        limit = at_most(3)
        options = ["--mpi", self.arguments.flavour, "--kill-after", str(SECONDS), "--limit", str(limit)]
        script = "times=; trap 'echo asked; [ -z \"$times\" ] || exit 0; times=1' TERM; echo ready; while :; do sleep 0.05; done"
        guard = self.start(SECONDS, "sh", "-c", script, options=options)
        guard.stdout.readline()
        guard.send_signal(signal.SIGTERM)
        output, diagnostics = self.finish("limit after signal", guard, TIMED_OUT)
        self.check(output == "asked\nasked\n", f"limit after signal: {output}")
        self.check(f"has run for {limit} s, its limit" in diagnostics, f"limit after signal: {diagnostics}")

    def frozen_by(self, title, directory, freeze):
        """`directory`: a new control group for the ranks, with which SIGTERM does not reach them."""
        guard = self.start_hung(*self.job(), options=KILL_SOON)
        try:
            os.mkdir(directory)
            for pid in self.ranks(self.arguments.hang):
                with open(os.path.join(directory, "cgroup.procs"), "w", encoding="ascii") as file:
                    file.write(str(pid))
            with open(os.path.join(directory, freeze[0]), "w", encoding="ascii") as file:
                file.write(freeze[1])
        except OSError as error:
            print(f"SKIPPED: {title}: {error}")
            guard.kill()
            guard.communicate(timeout=SECONDS)
            return
        try:
            self.end_by_signal(title, guard)
        finally:
            with open(os.path.join(directory, freeze[0]), "w", encoding="ascii") as file:
                file.write(freeze[2])

    def frozen(self):
        name = os.path.basename(self.directory)
        for title, mount, *freeze in FREEZERS:
            directory = os.path.join(mount, name)
            if not os.access(mount, os.W_OK) or not os.path.exists(os.path.join(mount, "cgroup.procs")):
                print(f"SKIPPED: {title}: {mount} is no control group that this user can make others in")
                continue
            try:
                self.frozen_by(title, directory, freeze)
            finally:
                self.wait_until_gone()
                if os.path.exists(directory):
                    os.rmdir(directory)

    def ignored_signal(self):
        """As nohup has it: neither guard nor the job takes notice."""
        script = f'trap "" HUP; exec "$0" "$@"'
        line = [
            self.command.path,
            "guard",
            "--timeout",
            str(SECONDS),
            "--mpi",
            self.arguments.flavour,
            "--kill-after",
            "0.1",
        ]
        job = ["sh", "-c", "echo ready; read line; echo $line"]
        guard = subprocess.Popen(
            ["sh", "-c", script, *line, "--", *job],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=dict(os.environ, MPILENS_LIVE_DIRECTORY=self.directory),
        )
        guard.stdout.readline()
        guard.send_signal(signal.SIGHUP)
        guard.stdin.write("lives\n")
        output, diagnostics = self.finish("ignored signal", guard, 0)
        self.check(output == "lives\n" and not diagnostics, f"ignored signal: {output}{diagnostics}")

    def starved(self):
        """Ranks that hang and hardly get a processor have not stood still for the timeout yet."""
        timeout = 3
        options = ["--no-snapshot", *KILL_SOON]
        guard = self.start(timeout, *self.job(), options=options)
        wait_until(lambda: len(self.ranks(self.arguments.hang)) >= 2, SECONDS)
        rivals = self.starve(self.ranks(self.arguments.hang))
        try:
            has_ended = wait_until(lambda: guard.poll() is not None, 3 * timeout, pause=0.1)
            self.check(not has_ended, f"starved: the job was ended, though it had {1 / RIVALS:%} of a processor")
        finally:
            for rival in rivals:
                rival.kill()
                rival.wait()
        self.end_by_signal("starved", guard)

    @staticmethod
    def starve(pids):
        """They get one processor, with rivals of the same session and niceness."""
        processor = min(os.sched_getaffinity(0))
        for pid in pids:
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.sched_setaffinity(int(thread), {processor})
                os.setpriority(os.PRIO_PROCESS, int(thread), NICENESS)
        spin = [
            "nice",
            "-n",
            str(NICENESS),
            "taskset",
            "-c",
            str(processor),
            "sh",
            "-c",
            "ulimit -t 300; while :; do :; done",
        ]
        return [subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *spin]) for _ in range(RIVALS)]

    def limit_without_fault(self):
        """The calls of all ranks are told if none is at fault."""
        limit = at_most(2)
        options = ["--no-snapshot", "--limit", str(limit)]
        guard = self.start(SECONDS, *self.mpiexec(2, self.arguments.computing), options=options)
        _, diagnostics = self.finish("limit without fault", guard, TIMED_OUT)
        self.check(
            "mpilens guard: no rank is known to be at fault" in diagnostics
            and "nothing wrong" not in diagnostics
            and "not in MPI" in diagnostics,
            f"limit without fault: {diagnostics}",
        )

    def normal(self):
        """A job that ends by itself has the output and the status that it has without."""
        program = self.mpiexec(1, self.arguments.normal)
        without = subprocess.run(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=SECONDS)
        output, diagnostics = self.finish("normal", self.start(SECONDS, *program), without.returncode)
        self.check(output == without.stdout and output, f"normal: output\n{output}\nnot\n{without.stdout}")
        self.check("mpilens" not in diagnostics, f"normal: {diagnostics}")
        mpi = ["--mpi", self.arguments.flavour]
        self.finish("failed", self.start(SECONDS, "sh", "-c", f"exit {FAILED}", options=mpi), FAILED)
        self.finish("killed", self.start(SECONDS, "sh", "-c", "kill -KILL $$", options=mpi), 128 + signal.SIGKILL)
        self.finish("not found", self.start(SECONDS, os.path.join(self.directory, "nothing")), 127)
        echo = self.start(SECONDS, "cat", options=mpi)
        echo.stdin.write("as it is\n")
        output, _ = self.finish("standard input", echo, 0)
        self.check(output == "as it is\n", f"standard input: {output}")

    def computing(self):
        """Nobody is in MPI for longer than the timeout."""
        guard = self.start(1, *self.mpiexec(2, self.arguments.computing))
        has_ended = wait_until(lambda: guard.poll() is not None, TIMEOUTS)
        self.check(not has_ended, "computing: the job has ended")
        end = os.path.join(self.directory, "end")
        open(end, "w").close()
        _, diagnostics = self.finish("computing", guard, 0)
        self.check("mpilens" not in diagnostics, f"computing: {diagnostics}")
        os.unlink(end)

    def signals(self):
        """The launcher gets the signal, its ranks end with it; its status becomes the guard's."""
        script = self.start(
            SECONDS,
            "sh",
            "-c",
            f'trap "exit {FAILED}" TERM; echo ready; while :; do sleep 0.05; done',
            options=["--mpi", self.arguments.flavour],
        )
        script.stdout.readline()
        script.send_signal(signal.SIGTERM)
        self.finish("signal of a script", script, FAILED)
        guard = self.start(SECONDS, *self.mpiexec(2, self.arguments.computing))
        wait_until(lambda: len(self.ranks()) >= 2, SECONDS)
        guard.send_signal(signal.SIGTERM)
        output, diagnostics = guard.communicate(timeout=SECONDS)
        self.check(guard.returncode != TIMED_OUT, f"signals: exit status {guard.returncode}:\n{output}\n{diagnostics}")
        self.check(not self.wait_until_gone(), f"signals: left over: {self.left()}")

    @staticmethod
    def watched(guard):
        """How many processes it has a hold of: their end will not escape it."""
        try:
            files = [f"/proc/{guard.pid}/fdinfo/{name}" for name in os.listdir(f"/proc/{guard.pid}/fdinfo")]
            return sum("Pid:" in open(file).read() for file in files)
        except OSError:
            return 0

    def broken_output(self):
        """The job is ended whether or not anybody can or will read what is said."""
        reader, gone = os.pipe()
        os.close(reader)
        asleep, full_pipe = os.pipe()
        os.set_blocking(full_pipe, False)
        fcntl.fcntl(full_pipe, fcntl.F_SETPIPE_SZ, 4096)
        os.write(full_pipe, b"x" * 4096)
        os.set_blocking(full_pipe, True)
        full_disk = os.open("/dev/full", os.O_WRONLY)
        script = ["sh", "-c", f'exec 2>/dev/null; {" ".join(self.job())}']
        snapshot = os.path.join(self.directory, "snapshot")
        for title, file in ("reader is gone", gone), ("reader is asleep", full_pipe), ("disk is full", full_disk):
            guard = self.start(1, *script, options=["--output", snapshot, *KILL_SOON], stderr=file)
            self.finish(title, guard, TIMED_OUT)
            why = self.command.run("why", snapshot)
            self.check(why.status == 1, f"{title}: the snapshot: {why}")
            os.unlink(snapshot)
        for file in gone, asleep, full_pipe, full_disk:
            os.close(file)
        closed = subprocess.run(
            [
                "sh",
                "-c",
                'exec "$@" 2>&-',
                "sh",
                self.command.path,
                "guard",
                "-t",
                "1",
                "-o",
                snapshot,
                *KILL_SOON,
                "--",
                *script,
            ],
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=dict(os.environ, MPILENS_LIVE_DIRECTORY=self.directory),
        )
        self.check(
            closed.returncode == TIMED_OUT and not self.left(), f"closed: {closed.returncode}, left {self.left()}"
        )
        why = self.command.run("why", snapshot)
        self.check(why.status == 1, f"closed: nothing else is written to the snapshot: {why}")
        os.unlink(snapshot)

    def guard_is_killed(self):
        """Then the launcher ends the job."""
        guard = self.start(SECONDS, *self.job())
        wait_until(lambda: self.watched(guard) >= 2, SECONDS)
        guard.kill()
        guard.communicate(timeout=SECONDS)
        self.check(not self.wait_until_gone(), f"killed guard: left over: {self.left()}")

    def rank_ends(self, how, text):
        """A rank that ends in mid-job ends the job; the verdict names the rank and its end, and it is never success."""
        end = os.path.join(self.directory, "end")
        guard = self.start(SECONDS, *self.mpiexec(3, self.arguments.rank_ends), *how.split())
        wait_until(lambda: self.watched(guard) >= 3, SECONDS)
        open(end, "w").close()
        _, diagnostics = guard.communicate(timeout=SECONDS)
        os.unlink(end)
        told = [line for line in diagnostics.splitlines() if line.startswith("rank-died: ")]
        self.check(guard.returncode not in (0, TIMED_OUT), f"{how}: status {guard.returncode}")
        self.check(
            len(told) == 1 and told[0].startswith("rank-died: rank 1 (process ") and text in told[0],
            f'{how}: not "{text}":\n{diagnostics}',
        )
        exact = "; it was outside MPI, after MPI_" in diagnostics and "  was in MPI_" in diagnostics
        self.check(exact and "rank_ends.c:" in diagnostics, f"{how}: where?\n{diagnostics}")
        self.check(not self.wait_until_gone(), f"{how}: left over: {self.left()}")

    def segmentation_fault(self):
        self.rank_ends("segv", "died of SIGSEGV (Segmentation fault)")

    def killed(self):
        self.rank_ends("kill", "died of SIGKILL (Killed)")

    def early_exit(self):
        self.rank_ends("exit 0", "has exited with status 0 before MPI_Finalize")

    def early_failure(self):
        self.rank_ends("exit 3", "has exited with status 3 before MPI_Finalize")

    def limit(self):
        """One rank computes for ever, which is progress; the limit is for the whole run."""
        end = os.path.join(self.directory, "end")
        open(end, "w").close()
        limit = at_most(2)
        guard = self.start(
            SECONDS, *self.mpiexec(3, self.arguments.rank_ends), "spin", options=["--no-snapshot", f"--limit={limit}s"]
        )
        _, diagnostics = self.finish("limit", guard, TIMED_OUT)
        os.unlink(end)
        self.check(
            f"the job has run for {limit} s, its limit; terminating" in diagnostics
            and "waiting-for-rank: " in diagnostics,
            f"limit: {diagnostics}",
        )

    def asked_to_end(self):
        """Verdict and snapshot come first, then the signal is passed on."""
        guard = self.start(SECONDS, *self.job())
        wait_until(lambda: self.watched(guard) >= 2, SECONDS)
        wait_until(lambda: any(self.command.run("why", pid).status == 1 for pid in self.left()), SECONDS)
        guard.send_signal(signal.SIGTERM)
        _, diagnostics = guard.communicate(timeout=SECONDS)
        self.check(
            "SIGTERM (Terminated) has come for " in diagnostics
            and "deadlock: ranks [0,1] wait for each other" in diagnostics
            and "rank-died" not in diagnostics,
            f"asked to end: {diagnostics}",
        )
        self.check(guard.returncode not in (0, TIMED_OUT), f"asked to end: status {guard.returncode}")
        self.check(not self.wait_until_gone(), f"asked to end: left over: {self.left()}")
        for name in [name for name in os.listdir(self.directory) if name.endswith(".mpilens")]:
            os.unlink(os.path.join(self.directory, name))
            break
        else:
            self.check(False, f"asked to end: no snapshot: {diagnostics}")

    def announced(self):
        """Before a batch system ends the job: verdict and snapshot come at once, then the job gets the signal."""
        for number in signal.SIGUSR1, signal.SIGUSR2:
            trap = f"trap 'echo checkpoint; kill $!; exit {FAILED}' {number.name[3:]}"
            script = f'{trap}; {" ".join(self.job())} & wait'
            guard = self.start(SECONDS, "sh", "-c", script)
            wait_until(lambda: self.watched(guard) >= 2, SECONDS)
            wait_until(lambda: any(self.command.run("why", pid).status == 1 for pid in self.left()), SECONDS)
            guard.send_signal(number)
            output, diagnostics = self.finish(number.name, guard, FAILED)
            self.check(
                f"{number.name} (User defined signal " in diagnostics
                and "deadlock: ranks [0,1] wait for each other" in diagnostics
                and output.startswith("checkpoint\n"),
                f"{number.name}: {output}{diagnostics}",
            )
            names = [name for name in os.listdir(self.directory) if name.endswith(".mpilens")]
            self.check(len(names) == 1, f"{number.name}: snapshots {names}")
            for name in names:
                os.unlink(os.path.join(self.directory, name))

    def before_end(self):
        """Some time before the end that is known, by the batch system or the limit, verdict and snapshot come, and the job runs
        on."""
        saved = "while ! [ -s $(echo mpilens-*.mpilens) ]; do sleep 0.1; done 2>/dev/null"
        script = f'{" ".join(self.job())} & {saved}; kill $!; exit {FAILED}'
        hour = 3600
        for limit, batch, before in ((2 * hour, hour, hour - 1), (hour, 2 * hour, hour - 1)):
            self.environment = {"SLURM_JOB_END_TIME": str(int(time.time()) + batch)}
            guard = self.start(hour, "sh", "-c", script, options=[f"--before={before}s", f"--limit={limit}s"])
            _, diagnostics = self.finish("before the end", guard, FAILED)
            self.check(
                re.search(r" ends in 35\d\d s; now it is at this:", diagnostics), f"before the end: {diagnostics}"
            )
            for name in os.listdir(self.directory):
                os.unlink(os.path.join(self.directory, name))
        for end in {}, {"SLURM_JOB_END_TIME": "soon"}:
            self.environment = end
            guard = self.start(hour, "sh", "-c", "true", options=["--mpi", self.arguments.flavour, "--before", "10m"])
            _, diagnostics = self.finish("no end is known", guard, 0)
            self.check("--before has no effect: it is not known when the job ends" in diagnostics, f"{diagnostics}")

    def ranks(self, program=None):
        path = os.path.realpath(program or self.arguments.computing)
        return [pid for pid in self.left() if self.executable(pid) == path]

    def launchers(self):
        """Processes of the job that are neither guard nor ranks."""
        others = (os.path.realpath(self.command.path), os.path.realpath(self.arguments.hang))
        return [pid for pid in self.left() if self.executable(pid) not in others]

    @staticmethod
    def executable(pid):
        try:
            return os.readlink(f"/proc/{pid}/exe")
        except OSError:
            return None

    def wait_until_gone(self):
        """Processes left after a while: a launcher may end before its ranks do."""
        wait_until(lambda: not self.left(), SECONDS)
        return self.left()

    def run(self, what):
        try:
            what(self)
        finally:
            for pid in self.left():
                os.kill(pid, signal.SIGKILL)
            shutil.rmtree(self.directory, ignore_errors=True)
        return self


# Those that take longest come first.
OF_ONE_MPI = [
    Scenario.broken_output,
    Scenario.frozen,
    Scenario.starved,
    Scenario.limit,
    Scenario.limit_without_fault,
    Scenario.limit_after_signal,
    Scenario.before_end,
    Scenario.guard_is_killed,
    Scenario.ignored_signal,
]
OF_EACH_MPI = [
    Scenario.client,
    Scenario.deaf_ranks,
    Scenario.stopped_ranks,
    Scenario.stopped_launcher,
    Scenario.stopped_until_timeout,
    Scenario.computing,
    Scenario.signals,
    Scenario.asked_to_end,
    Scenario.announced,
    Scenario.segmentation_fault,
    Scenario.killed,
    Scenario.early_exit,
    Scenario.early_failure,
    Scenario.bare,
    Scenario.under_run,
    Scenario.in_script,
    Scenario.stubborn,
    Scenario.normal,
]


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True, help="the same as --mpi names it")
    parser.add_argument("--hang", required=True, help="program whose two ranks wait for each other")
    parser.add_argument("--normal", required=True, help="program that prints something and ends")
    parser.add_argument("--computing", required=True, help="program that computes until it is told to end")
    parser.add_argument("--same", action="store_true", help="what is the same with every MPI, and nothing else")
    parser.add_argument("--rank-ends", required=True, help="program whose rank 1 ends in mid-job as its arguments say")
    arguments = parser.parse_args()
    report = Report()
    scenarios = OF_ONE_MPI if arguments.same else OF_EACH_MPI
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for scenario in pool.map(lambda what: Scenario(arguments).run(what), scenarios):
            report.problems += scenario.problems
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
