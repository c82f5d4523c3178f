# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of the whole job by one command, which has engines reach the other hosts."""
import os

from lib.job import HANG_SECONDS, JobFailed, wait_until
from lib.length import IS_FULL
from lib.patience import at_most
from rack import brief
from spread_case import COLLECTIVE_MISSING, GOOD, MOVES, USAGE, WRONG_TAG, Case
from spread_job import HYDRA, ORTE, ORTE_IN_SLURM, SRUN_MPICH, SRUN_OPENMPI

ASKS = 50 if IS_FULL else 3
SECOND_USER = "user5"
# For a host that is cut off: longer than ssh waits for one.
TIMEOUT_SECONDS = at_most(10)
TIMED_OUT = 124


def asked(case, job, host, *arguments):
    case.expect_verdict(job, lambda: case.rack.why(job, host, *arguments))


def verdict(way, name):
    def what(case):
        with case.running(way, name) as job:
            asked(case, job, case.rack.hosts[0])

    return Case(f"{way.title}, {name}", what)


def every_host(way):
    """Of the job, whose launcher is on the first one."""

    def what(case):
        with case.running(way, WRONG_TAG) as job:
            for host in reversed(case.rack.hosts):
                asked(case, job, host)

    return Case(f"{way.title}, asked on every host", what)


def host_without_ranks(case):
    *hosts, other = case.rack.hosts
    with case.running(ORTE, WRONG_TAG, hosts=hosts) as job:
        asked(case, job, other, "--hosts", ",".join(hosts))


def login_node(case):
    *hosts, other = case.rack.hosts
    with case.running(SRUN_MPICH, WRONG_TAG, hosts=hosts) as job:
        asked(case, job, other)
        number = case.rack.cluster.output(f"{job.user}@{other}", "squeue", "--me", "-h", "-o", "%A").strip()
        asked(case, job, other, "--slurm", number)


def engines(case):
    """Tells how long each takes."""
    with case.running(ORTE_IN_SLURM, WRONG_TAG) as job:
        asked(case, job, case.rack.hosts[0])
        for engine in ("slurm", "ssh", "clush", "pdsh"):
            seconds = case.expect_verdict(
                job, lambda name=engine: case.rack.why(job, case.rack.hosts[0], "--engine", name)
            )
            print(f"  three hosts by {engine}: {seconds:.1f} s", flush=True)


def correct(case):
    """Ranks that mostly wait, and are never all seen at the same moment but by two rounds."""
    with case.running(ORTE, MOVES) as job:
        asked(case, job, case.rack.hosts[0])
        for number in range(ASKS):
            result = case.rack.why(job, case.rack.hosts[number % len(case.rack.hosts)])
            case.check(result.status == GOOD, f"time {number}: {brief(result)}")
        status = job.end()
        case.check(status == 0, f"it ended with status {status}: {job.printed()}")


def cut_off(case):
    """Before a question; when it is there again, the verdict is too."""
    first, _, last = case.rack.hosts
    with case.running(HYDRA, COLLECTIVE_MISSING) as job:
        asked(case, job, first)
        case.rack.cluster.cut(last)
        try:
            case.expect_lost(case.rack.why(job, first, "--engine-timeout", TIMEOUT_SECONDS), last)
        finally:
            case.rack.cluster.mend(last)
        asked(case, job, first)


def cut_off_at(word, count, after):
    """While it is asked: when `count` hosts have said `word`."""

    def what(case):
        first, _, last = case.rack.hosts
        with case.running(ORTE, COLLECTIVE_MISSING) as job:
            asked(case, job, first)
            engine = f"{case.rack.programs.engine_filter} hold {word} {count} {job.directory} clush -w %h"
            line = [
                case.rack.programs.mpilens,
                "why",
                "--json",
                "--engine",
                engine,
                "--engine-timeout",
                TIMEOUT_SECONDS,
            ]
            asking = case.rack.cluster.begin(f"{job.user}@{first}", *line)
            if not wait_until(lambda: os.path.exists(os.path.join(job.directory, "held")), HANG_SECONDS):
                asking.kill()
                raise JobFailed(f"nobody says {word}: {asking.result()}")
            case.rack.cluster.cut(last)
            try:
                with open(os.path.join(job.directory, "go-on"), "w"):
                    pass
                result = asking.result()
            finally:
                case.rack.cluster.mend(last)
            if after:
                wrong = case.rack.differences(job, result)
                case.check(not wrong, "\n".join([*wrong, brief(result)]))
            else:
                case.expect_lost(result, last)

    return what


def not_installed(case):
    """On one host there is no mpilens."""
    first, _, last = case.rack.hosts
    directory = case.rack.programs.installed
    with case.running(ORTE, WRONG_TAG) as job:
        asked(case, job, first)
        case.rack.cluster.output(last, "mount", "-t", "tmpfs", "none", directory)
        try:
            result = case.rack.why(job, first)
            case.expect_lost(result, last)
            case.check("mpilens is not there" in result.output, f"the reason is not told: {brief(result)}")
        finally:
            case.rack.cluster.output(last, "umount", directory)


def lines_reordered(case):
    with case.running(ORTE, WRONG_TAG) as job:
        asked(case, job, case.rack.hosts[0], "--engine", f"{case.rack.programs.engine_filter} reorder clush -w %h")


def lines_torn(case):
    first, _, last = case.rack.hosts
    with case.running(ORTE, WRONG_TAG) as job:
        asked(case, job, first)
        result = case.rack.why(
            job,
            first,
            "--engine",
            f"{case.rack.programs.engine_filter} tear {last} clush -w %h",
            "--engine-timeout",
            TIMEOUT_SECONDS,
        )
        case.expect_lost(result, last)


def two_jobs_of_a_user(case):
    """On the same hosts. Without a name it is not known which is meant."""
    host = case.rack.hosts[1]
    with case.running(HYDRA, WRONG_TAG) as one, case.running(HYDRA, COLLECTIVE_MISSING) as other:
        for job in (one, other):
            asked(case, job, host, job.pids_on(host)[0])
        result = case.rack.why(one, host)
        case.check(result.status == USAGE and "several jobs" in result.diagnostics, brief(result))


def jobs_of_two_users(case):
    with case.running(ORTE, WRONG_TAG) as one, case.running(ORTE, COLLECTIVE_MISSING, user=SECOND_USER) as other:
        for job in (one, other):
            asked(case, job, case.rack.hosts[1])


def tree_of_slurm(case):
    """Its daemons have few others each."""
    with case.running(SRUN_OPENMPI, WRONG_TAG, ranks=len(case.rack.hosts)) as job:
        asked(case, job, case.rack.hosts[0], "--engine", "slurm")


def tree_of_gateways(case):
    hosts = case.rack.hosts
    with case.running(SRUN_OPENMPI, WRONG_TAG, ranks=len(hosts)) as job:
        topology = os.path.join(job.directory, "topology")
        with open(topology, "w", encoding="utf-8") as file:
            routes = [(0, hosts[1:4]), (1, hosts[4:8]), (2, hosts[8:])]
            file.write("[routes]\n" + "".join(f"{hosts[one]}: {','.join(others)}\n" for one, others in routes))
        asked(case, job, hosts[0], "--engine", f"clush --topology {topology} -w %h")


def guard_in_batch_script(way):
    """The job hangs: it is ended, with the verdict and one snapshot of the whole of it."""

    def what(case):
        job = case.rack.job(way, COLLECTIVE_MISSING)
        result = job.run_batch(case.rack.programs.mpilens, "guard", "--timeout", "3", "--")
        case.check(result.status == TIMED_OUT, f"exit status {result.status}:\n{job.printed()}")
        case.check("collective-missing: " in job.printed(), f"no verdict:\n{job.printed()}")
        files = job.files(".mpilens")
        case.check(len(files) == 1, f"snapshots {files}")
        for file in files:
            asked(case, job, case.rack.hosts[1], file)

    return Case(f"guard in a batch script, {way.title}", what)
