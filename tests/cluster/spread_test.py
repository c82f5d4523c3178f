# SPDX-License-Identifier: BSD-3-Clause
"""Jobs over several hosts: started in every way, asked from everywhere, beside other jobs; nothing is left of a question."""
import argparse
import contextlib
import os
import queue
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from hosts import Cluster, NoCluster
from installed_test import install
from lib.job import SKIP, JobFailed
from lib.length import IS_FULL
from lib.report import Report
from rack import UNREADABLE, Rack, brief
from spread_job import HYDRA, HYDRA_IN_SLURM, ORTE, ORTE_IN_SLURM, SRUN_MPICH, SRUN_OPENMPI, WAYS, Programs

# Each case has hosts and a user for itself; so many run at a time.
RACKS = 4
HOSTS_OF_RACK = 3
USERS = ["user", "user2", "user3", "user4"]
USAGE = 2
WRONG_TAG, COLLECTIVE_MISSING, COMPUTING = PROGRAMS = ["halo_wrong_tag", "barrier_on_half", "stuck_outside"]
# Of every way, with one program; with the others where it costs least.
DEFAULT_VERDICTS = [
    (HYDRA, WRONG_TAG),
    (ORTE, COLLECTIVE_MISSING),
    (SRUN_MPICH, COMPUTING),
    (SRUN_OPENMPI, WRONG_TAG),
    (HYDRA_IN_SLURM, COLLECTIVE_MISSING),
    (ORTE_IN_SLURM, COMPUTING),
]


class Case(Report):
    """One question about jobs over hosts, on a rack that nobody else uses at the time."""

    def __init__(self, title, what):
        super().__init__()
        self.title = title
        self.what = what
        self.rack = None

    def run(self, racks):
        self.rack = racks.get()
        begin = time.monotonic()
        try:
            self.what(self)
        except (JobFailed, SystemExit) as failure:
            self.problems.append(str(failure))
        left = self.rack.left_over()
        self.check(not left, "left over:\n" + "\n".join(left))
        racks.put(self.rack)
        print(f'{self.title}: {"WRONG" if self.problems else "right"} in {time.monotonic() - begin:.1f} s', flush=True)
        for problem in self.problems:
            print(problem, flush=True)
        return self

    @contextlib.contextmanager
    def running(self, way, name, **options):
        with self.rack.job(way, name, **options) as job:
            job.wait_running()
            yield job

    def expect_verdict(self, job, ask):
        """What the head of the program says, and nothing else; seconds until it stood there."""
        wrong, result, seconds = self.rack.verdict(job, ask)
        self.check(not wrong, "\n".join([" ".join(result.arguments), *wrong]))
        return seconds

    def expect_verdict_of_parts(self, job):
        self.expect_verdict(job, lambda: self.rack.why(job, self.rack.hosts[0], *self.rack.snapshots(job)))

    # --- what is asked ---

    def part_missing(self):
        """Ranks that were not read may do anything, so that nothing is known for certain."""
        with self.running(HYDRA, COLLECTIVE_MISSING) as job:
            self.expect_verdict_of_parts(job)
            *read, missing = self.rack.hosts
            result = self.rack.why(job, missing, *self.rack.snapshots(job, read))
            findings = (result.document() or {"findings": "none"})["findings"]
            unread = [one["rank"] for one in result.document()["processes"] if one["state"] == "unreadable"]
            self.check(result.status == UNREADABLE and findings == [] and unread == [3], brief(result))

    def parts_of_two_jobs(self):
        """Of one user, on the same hosts."""
        with self.running(ORTE, WRONG_TAG) as one, self.running(ORTE, COLLECTIVE_MISSING) as other:
            self.expect_verdict_of_parts(one)
            self.expect_verdict_of_parts(other)
            files = [self.rack.snapshots(job, [host])[0] for job, host in zip((one, other), self.rack.hosts)]
            mixed = self.rack.why(one, self.rack.hosts[0], *files)
            self.check(mixed.status == USAGE and "name parts of one job" in mixed.diagnostics, brief(mixed))


def verdict(way, name):
    def what(case):
        with case.running(way, name) as job:
            case.expect_verdict_of_parts(job)

    return Case(f"{way.title}, {name}", what)


def cases():
    verdicts = [(way, name) for way in WAYS for name in PROGRAMS] if IS_FULL else DEFAULT_VERDICTS
    return [
        *(verdict(way, name) for way, name in verdicts),
        Case("a part is missing", Case.part_missing),
        Case("parts of two jobs", Case.parts_of_two_jobs),
    ]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--sources", required=True, help="directory of the programs")
    parser.add_argument("--only", help="cases with this in their title")
    parser.add_argument("programs", nargs="+", help="the programs, built for the MPIs")
    return parser.parse_args()


def prepare(arguments, shared):
    os.chmod(shared, 0o755)
    os.mkdir(os.path.join(shared, "programs"))
    for program in arguments.programs:
        shutil.copy(program, os.path.join(shared, "programs"))
    return Programs(shared, install(arguments.build, os.path.join(shared, "install")), arguments.sources)


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="mpilens-spread-") as shared:
        programs = prepare(arguments, shared)
        try:
            with Cluster(RACKS * HOSTS_OF_RACK, shared) as cluster:
                return run(cluster, programs, arguments.only)
        except NoCluster as reason:
            print(reason)
            return SKIP


def run(cluster, programs, only):
    racks = queue.Queue()
    for number, user in zip(range(RACKS), USERS):
        first = number * HOSTS_OF_RACK
        racks.put(Rack(cluster, programs, cluster.hosts[first : first + HOSTS_OF_RACK], user))
    with ThreadPoolExecutor(RACKS) as pool:
        done = list(pool.map(lambda case: case.run(racks), [case for case in cases() if (only or "") in case.title]))
    wrong = [case.title for case in done if case.problems]
    print(f"{len(done) - len(wrong)} of {len(done)} cases right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
