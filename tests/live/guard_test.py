# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens guard`: ends jobs that hang, with verdict and snapshot; says who ended a job; lets all others be; nothing is
left."""
import os
import signal
import subprocess
import sys

from lib.guard import FAILED, KILL_SOON, SECONDS, TIMED_OUT, TIMEOUT, GuardScenario, run_guard_scenarios
from lib.job import wait_until


class Scenario(GuardScenario):
    def bare(self):
        self.hang("hang", self.job())

    def under_run(self):
        *launcher, program = self.job()
        self.hang(
            "hang under run", [*launcher, self.command.path, "run", program], options=["--no-snapshot", "--source", "."]
        )

    def client(self):
        """Another process starts the ranks, for a launcher that hands on its environment and waits."""
        path = os.path.join(self.directory, "environment")
        script = f"env -0 > {path}.new && mv {path}.new {path}; sleep {10 * SECONDS} & wait"
        guard = self.start(
            TIMEOUT, "sh", "-c", script, options=["--mpi", self.arguments.flavour, "--no-snapshot", *KILL_SOON]
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

    def signals(self):
        """The launcher gets the signal, its ranks end with it; its status becomes the guard's."""
        script = self.start(
            SECONDS,
            "sh",
            "-c",
            f"sleep 1000 & trap 'kill $!; exit {FAILED}' TERM; echo ready; wait",
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

    def rank_ends(self, how, text):
        """A rank that ends in mid-job ends the job; the verdict names the rank and its end, and it is never success."""
        end = os.path.join(self.directory, "end")
        self.environment = {"MPILENS_TEST_RESTS": "1"}
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

    def asked_to_end(self):
        """Verdict and snapshot come first, then the signal is passed on."""
        guard = self.start(SECONDS, *self.job())
        self.wait_until_hung(guard)
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


if __name__ == "__main__":
    scenarios = [
        Scenario.client,
        Scenario.deaf_ranks,
        Scenario.stopped_ranks,
        Scenario.stopped_launcher,
        Scenario.signals,
        Scenario.asked_to_end,
        Scenario.segmentation_fault,
        Scenario.killed,
        Scenario.early_exit,
        Scenario.early_failure,
        Scenario.bare,
        Scenario.under_run,
        Scenario.normal,
    ]
    sys.exit(run_guard_scenarios(Scenario, __doc__, scenarios))
