# SPDX-License-Identifier: BSD-3-Clause
"""Jobs under `mpilens guard`: how they are started, and that nothing is left of them."""
import os
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from lib.command import Command, argument_parser
from lib.job import KEEPS_NICENESS, NICENESS, environment_of_job, processes_with, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
# Scenarios run side by side: they mostly wait. More would take longer, as ranks that spin would keep each other from ending.
AT_A_TIME = 2
FAILED = 7
TIMED_OUT = 124
# A shorter timeout could be over before there are ranks.
TIMEOUT = 1
# The job is ended in three steps, so far apart.
KILL_SOON = ["--kill-after", "0.3"]


class GuardScenario(Report):
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
        line = ["nice", "-n", str(NICENESS), *around, self.command.path, "guard", "--timeout", str(timeout)]
        line += [*options, "--", *job]
        # The timeout counts only time in which the ranks can run.
        environment = environment_of_job(self.directory, LC_ALL="C.UTF-8", **dict([KEEPS_NICENESS.split("=")]))
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

    def communicate(self, title, guard):
        """As of the guard, which has time enough; else it is killed with its processes, which are told."""
        try:
            return guard.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            pids = ",".join(map(str, self.left()))
            line = ["ps", "-o", "pid,ppid,ni,stat,etimes,time,wchan:24,args", "-p", pids]
            left = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=False).stdout
            guard.kill()
            for pid in self.left():
                os.kill(pid, signal.SIGKILL)
            output, diagnostics = guard.communicate(timeout=SECONDS)
            self.check(False, f"{title}: has not ended:\n{left}\n{diagnostics}")
            return output, diagnostics

    def finish(self, title, guard, expected):
        """Expects the status, and that nothing is left."""
        output, diagnostics = self.communicate(title, guard)
        self.check(
            guard.returncode == expected,
            f"{title}: exit status {guard.returncode}, not {expected}:\n{output}\n{diagnostics}",
        )
        self.check(not self.left(), f"{title}: left over: {self.left()}")
        return output, diagnostics

    def expect_headline(self, title, text):
        """The last line, behind all that the launcher has said."""
        last = text.rstrip().splitlines()[-1]
        good = (
            last.startswith("mpilens: deadlock: ranks [0,1] wait for each other")
            and "; see: mpilens why mpilens-" in last
        )
        self.check(good, f"{title}: the last line:\n{text}")

    def job(self, *how):
        """Its ranks wait for each other, or as guard/hang.c says."""
        return [*self.mpiexec(2, self.arguments.hang), *how]

    def hang(self, title, job, options=()):
        """It ends with the verdict, and with a snapshot, which some option does without."""
        guard = self.start(TIMEOUT, *job, options=options)
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

    def start_hung(self, *job, options=()):
        """A guarded job that is known to hang, and does not soon end by that."""
        guard = self.start(SECONDS, *job, options=["--no-snapshot", *options])
        self.wait_until_hung(guard)
        return guard

    def wait_until_hung(self, guard):
        wait_until(lambda: self.watched(guard) >= 2, SECONDS)
        wait_until(lambda: self.command.run("why", guard.pid).status == 1, SECONDS)

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

    @staticmethod
    def watched(guard):
        """How many processes it has a hold of: their end will not escape it."""
        try:
            files = [f"/proc/{guard.pid}/fdinfo/{name}" for name in os.listdir(f"/proc/{guard.pid}/fdinfo")]
            return sum("Pid:" in open(file).read() for file in files)
        except OSError:
            return 0

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


def run_guard_scenarios(kind, description, scenarios):
    """Runs these methods of a kind of GuardScenario, those that take longest first, each with an object of its own."""
    parser = argument_parser(description)
    parser.add_argument("--flavour", required=True, help="the same as --mpi names it")
    parser.add_argument("--hang", required=True, help="program whose two ranks wait for each other")
    parser.add_argument("--normal", required=True, help="program that prints something and ends")
    parser.add_argument("--computing", required=True, help="program that computes until it is told to end")
    parser.add_argument("--rank-ends", required=True, help="program whose rank 1 ends in mid-job as its arguments say")
    arguments = parser.parse_args()
    report = Report()
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for scenario in pool.map(lambda what: kind(arguments).run(what), scenarios):
            report.problems += scenario.problems
    return report.end()
