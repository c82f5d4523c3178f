# SPDX-License-Identifier: BSD-3-Clause
"""A job whose ranks are spread over hosts of the cluster, and the ways to start one."""
import contextlib
import glob
import itertools
import os
import shlex
import signal
import subprocess

from lib.expectation import Expectation
from lib.job import KEEPS_NICENESS, NICENESS, JobFailed, demote, processes_with, wait_until
from lib.patience import at_most
from lib.source import Source

RUNNING_SECONDS = at_most(60)
END_SECONDS = at_most(60)
BATCH_SECONDS = at_most(240)
numbers = itertools.count(1)


def slots(hosts, ranks):
    """[(host, ranks there)]: as many everywhere, and more on the first ones."""
    return [(host, ranks // len(hosts) + (place < ranks % len(hosts))) for place, host in enumerate(hosts)]


class Way:
    """How a job is started: an MPI, and a launcher with its arguments."""

    def __init__(self, title, mpi, launcher, is_of_slurm):
        self.title = title
        self.mpi = mpi
        self.launcher = launcher
        self.is_of_slurm = is_of_slurm


def hydra(hosts, ranks):
    return ["mpiexec.mpich", "-hosts", ",".join(f"{host}:{count}" for host, count in slots(hosts, ranks))]


def orte(hosts, ranks):
    places = ",".join(f"{host}:{count}" for host, count in slots(hosts, ranks))
    return ["mpiexec.openmpi", "--bind-to", "none", "--host", places]


def of_slurm(command, *arguments):
    def launcher(hosts, ranks):
        return [command, "-w", ",".join(hosts), "-N", str(len(hosts)), "-n", str(ranks), *arguments]

    return launcher


WAYS = [
    Way("Hydra by ssh", "mpich", hydra, False),
    Way("Open MPI by ssh", "openmpi", orte, False),
    Way("srun of MPICH", "mpich", of_slurm("srun", "--mpi=pmi2"), True),
    Way("srun of Open MPI", "openmpi", of_slurm("srun", "--mpi=pmix"), True),
    Way("Hydra in an allocation", "mpich", of_slurm("salloc", "-Q", "mpiexec.mpich"), True),
    Way("Open MPI in an allocation", "openmpi", of_slurm("salloc", "-Q", "mpiexec.openmpi", "--bind-to", "none"), True),
]
HYDRA, ORTE, SRUN_MPICH, SRUN_OPENMPI, HYDRA_IN_SLURM, ORTE_IN_SLURM = WAYS


class Programs:
    """The programs built from tests/live/verdicts/, and the command: the shared directory has everything that a job needs."""

    def __init__(self, shared, installed, mpilens, sources):
        self.shared = shared
        self.installed = installed
        self.mpilens = mpilens
        self.sources = sources
        self.engine_filter = os.path.join(shared, "programs", "engine_filter.py")
        self.engine_tree = os.path.join(shared, "programs", "engine_tree.py")

    def path(self, mpi, name):
        return os.path.join(self.shared, "programs", f"live-{mpi}-verdict-{name}")

    def source(self, name):
        paths = [os.path.join(self.sources, name + ending) for ending in (".c", ".cc", ".f90")]
        return next(path for path in paths if os.path.exists(path))

    def built(self):
        """(MPI, name) of all."""
        names = [os.path.basename(path).split("-", 3) for path in glob.glob(self.path("*", "*"))]
        return sorted((mpi, name) for _, mpi, _, name in names)


class SpreadJob:
    """Use it in a `with` statement: nothing of the job survives it.

    `rack`: hosts and a user (rack.py); `hosts`: on which it runs, instead of all of these; `ranks`: instead of as many as its head says;
    `guard`: options with which it is guarded; `niceness`: of its ranks; `is_prepared`: they run with the runtime;
    `in_own_directory`: the launcher starts in the job's directory.
    """

    def __init__(
        self,
        rack,
        way,
        name,
        hosts=None,
        user=None,
        ranks=None,
        guard=None,
        niceness=NICENESS,
        is_prepared=True,
        in_own_directory=False,
    ):
        self.rack = rack
        self.way = way
        self.name = name
        self.hosts = hosts or rack.hosts
        self.user = user or rack.user
        self.source = Source(rack.programs.source(name))
        self.expected = Expectation(rack.programs.source(name))
        self.ranks = ranks or self.expected.ranks
        self.niceness = niceness
        self.is_prepared = is_prepared
        self.in_own_directory = in_own_directory
        self.title = f"job-{next(numbers)}"
        self.directory = os.path.join(rack.programs.shared, self.title)
        self.variable = f"MPILENS_LIVE_DIRECTORY={self.directory}"
        self.program = rack.programs.path(way.mpi, name)
        self.command = self.launch()
        if guard is not None:
            self.command = [*self.guard(*guard), *self.command]
        self.process = self.output = None

    def launch(self):
        """The whole command line of the launcher."""
        launcher = self.way.launcher(self.hosts, self.ranks)
        if self.way.is_of_slurm:
            launcher[1:1] = ["-J", self.title]
        if not self.way.is_of_slurm or launcher[0] == "salloc":
            launcher += ["-n", str(self.ranks)]
        return [*launcher, *self.rank()]

    def guard(self, *options):
        snapshot = os.path.join(self.directory, "guarded.mpilens")
        return [self.rack.programs.mpilens, "guard", "-o", snapshot, *map(str, options), "--"]

    def rank(self):
        run = [self.rack.programs.mpilens, "run", *self.expected.run_options] if self.is_prepared else []
        kept = [KEEPS_NICENESS] if self.niceness == 0 else []
        return ["env", self.variable, *kept, "nice", "-n", str(self.niceness), *run, self.program]

    def __enter__(self):
        os.mkdir(self.directory)
        os.chmod(self.directory, 0o777)  # for what the command writes as the user
        self.output = open(os.path.join(self.directory, "output"), "w+", encoding="utf-8", errors="replace")
        place = ["-C", self.directory] if self.in_own_directory else []
        environment = ["env", *place, self.variable, "OMPI_MCA_mpi_yield_when_idle=0"]
        self.process = self.rack.cluster.start(
            f"{self.user}@{self.hosts[0]}", *environment, *self.command, stdout=self.output, stderr=subprocess.STDOUT
        )
        return self

    def __exit__(self, *unused):
        self.kill(signal.SIGTERM, at_most(5))
        self.kill(signal.SIGKILL, at_most(20))
        self.process.wait()
        self.cancel()
        self.output.close()

    def kill(self, number, seconds):
        """Sends all processes of the job a signal until none is left, for so long. Slurm's are told by the launcher."""

        def is_gone():
            pids = processes_with(self.variable)
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            return not pids

        wait_until(is_gone, seconds, pause=0.2)

    def cancel(self):
        """Also an allocation whose salloc could not give it back."""
        if self.way.is_of_slurm:
            self.rack.cluster.output(f"{self.user}@{self.hosts[0]}", "scancel", "-u", self.user, "-n", self.title)

    def demote(self):
        for pid in self.pids():
            demote(pid)

    def pids(self):
        """Pids of the ranks, as the machine numbers them."""
        return [pid for pid in processes_with(self.variable) if self.is_rank(pid)]

    def every_pid(self):
        """Also of its launcher, and of what guards it."""
        return sorted(processes_with(self.variable))

    def arguments(self, pid):
        """[]: it has ended."""
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
                return file.read().split("\0")[:-1]
        except OSError:
            return []

    def is_rank(self, pid):
        return self.arguments(pid)[:1] == [self.program]

    def rank_pid(self, rank):
        """For an MPI whose launcher numbers ranks in PMI_RANK or OMPI_COMM_WORLD_RANK."""
        numbered = {pid for name in ("PMI_RANK", "OMPI_COMM_WORLD_RANK") for pid in processes_with(f"{name}={rank}")}
        return next(pid for pid in self.pids() if pid in numbered)

    def printed(self):
        with open(os.path.join(self.directory, "output"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def pids_on(self, host):
        """Pids of the ranks on a host, as it numbers them."""
        places = [self.rack.cluster.place(pid) for pid in self.pids()]
        return [pid for where, pid in places if where == host]

    def run_guarded_batch(self, *options, of_batch=()):
        """Guards the launcher of an allocation in a script of sbatch, which becomes guard. The exit status of guard."""
        end = self.command.index("-Q")
        os.mkdir(self.directory)
        os.chmod(self.directory, 0o777)
        script = os.path.join(self.directory, "script")
        line = shlex.join([*self.guard(*options), *self.command[end + 1 :]])
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ncd {self.directory}\nexec {line}\n")
        batch = [
            "sbatch",
            "--wait",
            *of_batch,
            *self.command[1:end],
            "-o",
            os.path.join(self.directory, "output"),
            script,
        ]
        try:
            return self.rack.cluster.run(f"{self.user}@{self.hosts[0]}", *batch, seconds=BATCH_SECONDS).status
        finally:
            self.kill(signal.SIGKILL, at_most(20))
            self.cancel()

    def files(self, ending):
        return [os.path.join(self.directory, name) for name in os.listdir(self.directory) if name.endswith(ending)]

    def has_ended(self):
        return self.process is None or self.process.poll() is not None

    def wait_running(self):
        def are_there():
            if self.has_ended():
                raise JobFailed(f"{self.command} ended with status {self.process.returncode}:\n{self.printed()}")
            return len(self.pids()) == self.ranks

        if not wait_until(are_there, RUNNING_SECONDS, pause=0.2):
            raise JobFailed(f"{self.command}: {len(self.pids())} ranks run:\n{self.printed()}")

    def end(self):
        """Tells a correct program to end. Its status."""
        with open(os.path.join(self.directory, "end"), "w"):
            pass
        try:
            return self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return None
