# SPDX-License-Identifier: BSD-3-Clause
"""Jobs over several hosts: started in every way, asked from everywhere, beside other jobs, with hosts that do not
answer. Nothing is left of a question."""
import argparse
import os
import queue
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import engine_cases
import guard_cases
import hand_cases
import page_cases
import plugin_cases
import reach_cases
from hosts import Cluster, NoCluster, PassingDirectory
from installed_test import install
from lib.expectation import Expectation
from lib.job import SKIP
from lib.length import IS_FULL
from rack import Rack
from spread_case import COLLECTIVE_MISSING, ONE_RANK_COMPUTES, WRONG_TAG, Case
from spread_job import HYDRA, HYDRA_IN_SLURM, ORTE, ORTE_IN_SLURM, SRUN_MPICH, WAYS, Programs

# Each case has hosts and a user for itself; this many run at a time.
RACKS = 4
HOSTS_OF_RACK = 3
USERS = ["user", "user2", "user3", "user4"]
LEAST_RANKS = 4
ENGINE_SCRIPTS = [
    os.path.join(os.path.dirname(os.path.abspath(__file__)), f"engine_{name}.py") for name in ("filter", "tree")
]
PROGRAMS = [WRONG_TAG, COLLECTIVE_MISSING, ONE_RANK_COMPUTES]
# (way, program, engines): with --full asked from every host and through the engines. Otherwise one program in each way is asked
# about from the last host: this one here, the others where their jobs are asked more.
ASKED = [
    (HYDRA, WRONG_TAG, ["hydra", "clush -w %f", "clush", "pdsh"]),
    (SRUN_MPICH, COLLECTIVE_MISSING, ["pdsh", "ssh"]),
]
ENGINES = ["slurm", "ssh", "clush", "pdsh"]


def asked():
    if not IS_FULL:
        return [reach_cases.from_hosts(HYDRA_IN_SLURM, ONE_RANK_COMPUTES, hosts=1)]
    return [
        *(reach_cases.from_hosts(way, name) for way in WAYS for name in PROGRAMS),
        *(reach_cases.from_hosts(way, name, *engines) for way, name, engines in ASKED),
        reach_cases.from_hosts(ORTE_IN_SLURM, WRONG_TAG, *ENGINES),
    ]


def uses_windows(source):
    """Open MPI 4.1 has no such functions over TCP."""
    with open(source, encoding="utf-8") as file:
        return "mpi_win_" in file.read().lower()


def all_verdicts(programs):
    """On programs of 4 and more ranks. Those that never rest are not asked about: parts by hand are of different moments."""
    found = []
    for mpi, name in programs.built():
        expected = Expectation(programs.source(name))
        way = HYDRA if mpi == HYDRA.mpi else ORTE
        can_run = way is HYDRA or not uses_windows(programs.source(name))
        if expected.ranks >= LEAST_RANKS and expected.kinds and can_run:
            found.append(hand_cases.verdict_on_two_hosts(way, name))
    return found


def cases():
    """Starts the longest cases first."""
    return [
        *guard_cases.CASES,
        Case("a host is cut off", engine_cases.host_cut_off),
        Case("without the runtime", engine_cases.without_runtime),
        Case("not installed", engine_cases.not_installed),
        Case("a job that has ended", engine_cases.ended),
        Case("two jobs of a user, and another's", engine_cases.two_jobs_of_a_user),
        Case("top over hosts, and a reading that is cut short", engine_cases.top_and_cut_short),
        Case("lines mixed and torn", engine_cases.lines_mixed),
        Case("a correct job", engine_cases.correct),
        *plugin_cases.CASES,
        *reach_cases.CASES,
        *asked(),
    ]


def cases_of_all_hosts():
    return [
        Case("twelve hosts as a tree of Slurm", engine_cases.tree_of_slurm),
        *(
            [
                Case("twelve hosts as a tree of gateways", engine_cases.tree_of_gateways),
                Case("twelve hosts, merged on the way", engine_cases.tree_of_merging_hosts),
                *page_cases.CASES,
            ]
            if IS_FULL
            else []
        ),
    ]


def chosen(arguments, programs):
    """(cases of racks, cases of all hosts)"""
    if arguments.all_verdicts:
        every = all_verdicts(programs), []
    else:
        every = cases(), cases_of_all_hosts()
    return [[case for case in some if re.search(arguments.only, case.title)] for some in every]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--sources", required=True, help="directory of the programs")
    parser.add_argument("--all-verdicts", action="store_true", help="every program on two hosts, and nothing else")
    parser.add_argument("--only", default="", help="cases whose titles match this regular expression")
    parser.add_argument("programs", nargs="+", help="the programs, built for the MPIs")
    return parser.parse_args()


def prepare(arguments, shared):
    os.chmod(shared, 0o755)
    os.mkdir(os.path.join(shared, "programs"))
    for program in [*arguments.programs, *ENGINE_SCRIPTS]:
        shutil.copy(program, os.path.join(shared, "programs"))
    installed = os.path.join(shared, "installed")
    return Programs(shared, installed, install(arguments.build, installed), arguments.sources)


def main():
    arguments = parse_arguments()
    with PassingDirectory("mpilens-spread-") as shared:
        programs = prepare(arguments, shared)
        try:
            with Cluster(RACKS * HOSTS_OF_RACK, shared) as cluster:
                return run(cluster, programs, *chosen(arguments, programs))
        except NoCluster as reason:
            print(reason)
            return SKIP


def run(cluster, programs, of_racks, of_all_hosts):
    racks = queue.Queue()
    every = Rack(cluster, programs, cluster.hosts, USERS[0])
    for number, user in zip(range(RACKS), USERS):
        first = number * HOSTS_OF_RACK
        racks.put(Rack(cluster, programs, cluster.hosts[first : first + HOSTS_OF_RACK], user))
    with ThreadPoolExecutor(RACKS) as pool:
        done = list(pool.map(lambda case: case.run(racks), of_racks))
    racks = queue.Queue()
    racks.put(every)
    done += [case.run(racks) for case in of_all_hosts]
    wrong = [case.title for case in done if case.problems]
    print(f"{len(done) - len(wrong)} of {len(done)} cases right", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
