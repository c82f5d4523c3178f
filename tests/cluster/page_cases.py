# SPDX-License-Identifier: BSD-3-Clause
"""Commands of doc/ that are about jobs over several hosts, typed as they stand there, on n1, n2 and n3."""
import os
import re
import subprocess

from lib.command import USAGE
from lib.job import HANG_SECONDS, wait_until
from lib.pages import all_blocks, missing_line
from reach_cases import slurm_job
from spread_case import WRONG_TAG, Case
from spread_job import HYDRA, SRUN_MPICH

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(TREE, "tests", "live", "pages")
RANKS = 6
HOSTS = 3
ASKED_FROM = 1  # which of the hosts


def over_hosts(of_slurm):
    found = [block for block in all_blocks(TREE) if block.word("over hosts") is not None]
    return [block for block in found if (block.word("of Slurm") is not None) == of_slurm]


def page_job(case, way, block):
    hosts = case.rack.hosts[:HOSTS]
    job = case.rack.job(way, WRONG_TAG, hosts=hosts, ranks=RANKS)
    directory = os.path.join(case.rack.programs.shared, f"page-{way.mpi}-{block.program}-{way.is_of_slurm}")
    os.mkdir(directory)
    os.chmod(directory, 0o755)
    job.program = os.path.join(directory, block.program)
    source = os.path.join(PROGRAMS, block.source)
    os.symlink(source, job.program + ".c")
    subprocess.run([f"mpicc.{way.mpi}", "-g", "-O2", job.program + ".c", "-o", job.program], check=True)
    job.command = job.launch()
    return job


def typed(case, job, host, command):
    path = os.path.dirname(case.rack.programs.mpilens)
    return case.rack.cluster.run(f"{job.user}@{host}", "bash", "-c", f"PATH={path}:$PATH; {command}")


def prints(case, job, host, block):
    directory = os.path.dirname(job.program)
    for command, shown in block.steps():
        answers = []

        def is_printed():
            answers.append(typed(case, job, host, command))
            return missing_line(shown, lines()) is None

        def lines():
            return answers[-1].output.replace(directory, "/home/user").splitlines()

        good = wait_until(is_printed, HANG_SECONDS, pause=0.5)
        case.check(good, f"{block.place} does not print\n{missing_line(shown, lines())}\nbut {answers[-1]}")


def shown(case):
    """Then the last host goes off the network."""
    whole, lost = over_hosts(of_slurm=False)
    with page_job(case, HYDRA, whole) as job:
        job.wait_running()
        prints(case, job, job.hosts[ASKED_FROM], whole)
        case.rack.cluster.cut(job.hosts[-1])
        try:
            prints(case, job, job.hosts[ASKED_FROM], lost)
        finally:
            case.rack.cluster.mend(job.hosts[-1])


def of_slurm(case):
    (block,) = over_hosts(of_slurm=True)
    with page_job(case, SRUN_MPICH, block) as job:
        job.wait_running()
        for command, _ in block.steps():
            command = re.sub(r"\b\d{4}\b", slurm_job(case, job), command)
            result = typed(case, job, job.hosts[0], command.replace("--engine ", "--engine-timeout 90 --engine "))
            case.check(result.status < USAGE or "--here" in command, f"{block.place}: {result}")


CASES = [Case("what pages show of jobs over hosts", shown), Case("commands of pages about Slurm", of_slurm)]
