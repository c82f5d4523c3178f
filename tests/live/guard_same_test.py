# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens guard` where the MPI makes no difference: limits, frozen or starved ranks, output nobody can read, a guard that is killed."""
import fcntl
import os
import re
import signal
import subprocess
import sys
import time

from lib.guard import FAILED, KILL_SOON, SECONDS, TIMED_OUT, TIMEOUT, GuardScenario, run_guard_scenarios
from lib.job import NICENESS, environment_of_job, wait_until
from lib.patience import at_most

# A job that computes for this many timeouts is not ended.
TIMEOUTS = 4
# Processes that compete with ranks for one processor.
RIVALS = 20
# The files and values that freeze and thaw a control group of either version.
FREEZERS = (
    ("frozen by version 1", "/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED"),
    ("frozen by version 2", "/sys/fs/cgroup", "cgroup.freeze", "1", "0"),
    ("frozen by version 2 beside 1", "/sys/fs/cgroup/unified", "cgroup.freeze", "1", "0"),
)


class Scenario(GuardScenario):
    def limit_after_signal(self):
        """The limit is in force while the job takes its time to end."""
        limit = at_most(2)
        options = ["--mpi", self.arguments.flavour, "--kill-after", str(SECONDS), "--limit", str(limit)]
        trap = 'echo asked; [ -z "$asked" ] || { kill $!; exit 0; }; asked=1'
        script = f"sleep 1000 & trap '{trap}' TERM; echo ready; while :; do wait; done"
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
            env=environment_of_job(self.directory),
        )
        guard.stdout.readline()
        guard.send_signal(signal.SIGHUP)
        guard.stdin.write("lives\n")
        output, diagnostics = self.finish("ignored signal", guard, 0)
        self.check(output == "lives\n" and not diagnostics, f"ignored signal: {output}{diagnostics}")

    def starved(self):
        """Ranks that hang and hardly get a processor have not stood still for the timeout yet."""
        timeout = 2
        options = ["--no-snapshot", *KILL_SOON]
        guard = self.start(timeout, *self.job("spin"), options=options)
        wait_until(lambda: len(self.ranks(self.arguments.hang)) >= 2, SECONDS)
        rivals = self.starve(self.ranks(self.arguments.hang))
        try:
            has_ended = wait_until(lambda: guard.poll() is not None, 2 * timeout, pause=0.1)
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
        guard = self.start(SECONDS, *self.job("both compute"), options=options)
        _, diagnostics = self.finish("limit without fault", guard, TIMED_OUT)
        self.check(
            "mpilens guard: no rank is known to be at fault" in diagnostics
            and "nothing wrong" not in diagnostics
            and "not in MPI" in diagnostics,
            f"limit without fault: {diagnostics}",
        )

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
        seconds = {}
        for title, file in ("reader is gone", gone), ("reader is asleep", full_pipe), ("disk is full", full_disk):
            begin = time.monotonic()
            guard = self.start(TIMEOUT, *script, options=["--output", snapshot, *KILL_SOON], stderr=file)
            self.finish(title, guard, TIMED_OUT)
            seconds[title] = time.monotonic() - begin
            why = self.command.run("why", snapshot)
            self.check(why.status == 1, f"{title}: the snapshot: {why}")
            os.unlink(snapshot)
        # It is waited for once for long, not at each sentence.
        self.check(seconds["reader is asleep"] < seconds["reader is gone"] + seconds["disk is full"] + 15, str(seconds))
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
                str(TIMEOUT),
                "-o",
                snapshot,
                *KILL_SOON,
                "--",
                *script,
            ],
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment_of_job(self.directory),
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

    def limit(self):
        """One rank computes for ever, which is progress; the limit is for the whole run."""
        limit = at_most(2)
        guard = self.start(SECONDS, *self.job("one computes"), options=["--no-snapshot", f"--limit={limit}s"])
        _, diagnostics = self.finish("limit", guard, TIMED_OUT)
        self.check(
            f"the job has run for {limit} s, its limit; terminating" in diagnostics
            and "waiting-for-rank: " in diagnostics,
            f"limit: {diagnostics}",
        )

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

    def stubborn(self):
        """A script that does not end by itself is killed."""
        script = f'trap "" TERM; {" ".join(self.job())}; sleep {10 * SECONDS} & wait'
        self.hang("stubborn", ["sh", "-c", script], options=["--no-snapshot", *KILL_SOON])

    def stopped_until_timeout(self):
        """One rank is stopped, the other waits for it: that is for the timeout. All of them stopped are suspended."""
        guard = self.start(TIMEOUT, *self.job(), options=["--no-snapshot", *KILL_SOON])
        wait_until(lambda: len(self.ranks(self.arguments.hang)) >= 2, SECONDS)
        os.kill(self.ranks(self.arguments.hang)[0], signal.SIGSTOP)
        self.finish("stopped until timeout", guard, TIMED_OUT)

    def computing(self):
        """Nobody is in MPI for longer than the timeout."""
        guard = self.start(TIMEOUT, *self.mpiexec(2, self.arguments.computing))
        wait_until(lambda: len(self.ranks()) >= 2, SECONDS)
        has_ended = wait_until(lambda: guard.poll() is not None, TIMEOUTS * TIMEOUT)
        self.check(not has_ended, "computing: the job has ended")
        end = os.path.join(self.directory, "end")
        open(end, "w").close()
        _, diagnostics = self.finish("computing", guard, 0)
        self.check("mpilens" not in diagnostics, f"computing: {diagnostics}")
        os.unlink(end)

    def announced(self):
        """Before a batch system ends the job: verdict and snapshot come at once, then the job gets the signal."""
        for number in signal.SIGUSR1, signal.SIGUSR2:
            trap = f"trap 'echo checkpoint; kill $!; exit {FAILED}' {number.name[3:]}"
            script = f'{trap}; {" ".join(self.job())} & wait'
            guard = self.start(SECONDS, "sh", "-c", script)
            self.wait_until_hung(guard)
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


if __name__ == "__main__":
    scenarios = [
        Scenario.broken_output,
        Scenario.stopped_until_timeout,
        Scenario.computing,
        Scenario.announced,
        Scenario.stubborn,
        Scenario.frozen,
        Scenario.starved,
        Scenario.limit,
        Scenario.limit_without_fault,
        Scenario.limit_after_signal,
        Scenario.before_end,
        Scenario.guard_is_killed,
        Scenario.ignored_signal,
    ]
    sys.exit(run_guard_scenarios(Scenario, __doc__, scenarios))
