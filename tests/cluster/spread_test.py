# SPDX-License-Identifier: BSD-3-Clause
"""Jobs over several hosts: started in every way, asked from everywhere, beside other jobs, with hosts that do not
answer. Nothing is left of a question."""
import argparse
import os
import queue
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import engine_cases
import hand_cases
import reach_cases
from hosts import Cluster, NoCluster
from installed_test import install
from lib.expectation import Expectation
from lib.job import SKIP
from lib.length import IS_FULL
from rack import Rack
from spread_case import COLLECTIVE_MISSING, ONE_RANK_COMPUTES, WRONG_TAG, Case
from spread_job import HYDRA, HYDRA_IN_SLURM, ORTE, ORTE_IN_SLURM, SRUN_MPICH, SRUN_OPENMPI, WAYS, Programs

# Each case has hosts and a user for itself; so many run at a time.
RACKS = 4
HOSTS_OF_RACK = 3
USERS = ["user", "user2", "user3", "user4"]
LEAST_RANKS = 4
ENGINE_FILTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine_filter.py")
PROGRAMS = [WRONG_TAG, COLLECTIVE_MISSING, ONE_RANK_COMPUTES]
# Of every way, with one program; with the others where it costs least.
DEFAULT_VERDICTS = [
    (HYDRA, WRONG_TAG),
    (ORTE, COLLECTIVE_MISSING),
    (SRUN_MPICH, ONE_RANK_COMPUTES),
    (SRUN_OPENMPI, WRONG_TAG),
    (HYDRA_IN_SLURM, COLLECTIVE_MISSING),
    (ORTE_IN_SLURM, ONE_RANK_COMPUTES),
]


def uses_windows(source):
    """Open MPI 4.1 has none over TCP."""
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
    verdicts = [(way, name) for way in WAYS for name in PROGRAMS] if IS_FULL else DEFAULT_VERDICTS
    return [
        Case("a correct job", engine_cases.correct),
        *(engine_cases.verdict(way, name) for way, name in verdicts),
        *(engine_cases.every_host(way) for way in (WAYS if IS_FULL else [])),
        Case("every engine", engine_cases.engines),
        Case("asked on a host without ranks", engine_cases.host_without_ranks),
        Case("asked on a login node", engine_cases.login_node),
        Case("cut off before", engine_cases.cut_off),
        # An engine of the user is started once for each round, and each host says its status in each.
        Case("cut off between the rounds", engine_cases.cut_off_at("0.status", HOSTS_OF_RACK, False)),
        Case("cut off after the rounds", engine_cases.cut_off_at("2.end", HOSTS_OF_RACK, True)),
        Case("lines reordered", engine_cases.lines_reordered),
        Case("lines torn", engine_cases.lines_torn),
        Case("not installed", engine_cases.not_installed),
        Case("two jobs of a user", engine_cases.two_jobs_of_a_user),
        Case("jobs of two users", engine_cases.jobs_of_two_users),
        Case("lines of engines", hand_cases.lines_of_engines),
        Case("a part is missing", hand_cases.part_missing),
        Case("parts of two jobs", hand_cases.parts_of_two_jobs),
        *reach_cases.CASES,
    ]


def cases_of_all_hosts():
    return [
        Case("twelve hosts as a tree of Slurm", engine_cases.tree_of_slurm),
    ]


def cases_not_yet():
    """Not seen to be right yet: guard is of one host, and gateways take longer than a question may."""
    guards = [engine_cases.guard_in_batch_script(way) for way in (HYDRA_IN_SLURM, ORTE_IN_SLURM)]
    return guards, [Case("twelve hosts as a tree of gateways", engine_cases.tree_of_gateways)]


def chosen(arguments, programs):
    """(cases of racks, cases of all hosts)"""
    if arguments.all_verdicts:
        every = all_verdicts(programs), []
    elif arguments.not_yet:
        every = cases_not_yet()
    else:
        every = cases(), cases_of_all_hosts()
    return [[case for case in some if re.search(arguments.only, case.title)] for some in every]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--sources", required=True, help="directory of the programs")
    parser.add_argument("--all-verdicts", action="store_true", help="every program on two hosts, and nothing else")
    parser.add_argument("--not-yet", action="store_true", help="what is not seen to be right yet, and nothing else")
    parser.add_argument("--only", default="", help="cases whose titles match this regular expression")
    parser.add_argument("programs", nargs="+", help="the programs, built for the MPIs")
    return parser.parse_args()


def prepare(arguments, shared):
    os.chmod(shared, 0o755)
    os.mkdir(os.path.join(shared, "programs"))
    for program in [*arguments.programs, ENGINE_FILTER]:
        shutil.copy(program, os.path.join(shared, "programs"))
    installed = os.path.join(shared, "installed")
    return Programs(shared, installed, install(arguments.build, installed), arguments.sources)


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="mpilens-spread-") as shared:
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
