# SPDX-License-Identifier: BSD-3-Clause
"""The whole job, asked from one host: mpilens finds the others and reaches them by itself."""
import contextlib
import os

from lib.length import IS_FULL
from lib.patience import at_most
from rack import brief
from spread_case import COLLECTIVE_MISSING, FINDING, GOOD, UNREADABLE, WRONG_TAG, Case
from spread_job import HYDRA, ORTE, SRUN_MPICH, Way

ASKED_SECONDS = at_most(0.7)
# Where a host does not answer, Hydra's mpiexec does not end: it takes all the time that there is.
SLOW_ENGINES = ["hydra"] if IS_FULL else []


def slurm_job(case, job):
    """Its number, which the ranks have in their environment."""
    with open(f"/proc/{job.pids()[0]}/environ", encoding="utf-8", errors="replace") as file:
        return dict(one.split("=", 1) for one in file.read().split("\0") if "=" in one)["SLURM_JOB_ID"]


def from_every_host(way, name, *engines):
    """Also from one that the launcher is not on. `engines`: from the first host, with each of these."""

    def what(case):
        with case.running(way, name) as job:
            for host in case.rack.hosts:
                seconds = case.expect_verdict(job, lambda where=host: case.rack.why(job, where))
                print(f"  {way.title} from {host}: {seconds:.1f} s", flush=True)
            for engine in engines:
                arguments = ["--engine", engine, "--engine-timeout", "60"]
                seconds = case.expect_verdict(job, lambda more=arguments: case.rack.why(job, case.rack.hosts[0], *more))
                print(f"  {way.title} by {engine}: {seconds:.1f} s", flush=True)

    return Case(f"{way.title}, asked from every host", what)


def from_outside(case):
    """From a host that the job does not run on, Slurm knows the hosts; a list of them is as good."""
    first, second, outside = case.rack.hosts
    with case.running(SRUN_MPICH, WRONG_TAG, hosts=[first, second]) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, outside, "--slurm", slurm_job(case, job)))
        case.expect_verdict(job, lambda: case.rack.why(job, outside))  # the only job of this user
        case.expect_verdict(job, lambda: case.rack.why(job, outside, "--hosts", f"{first},{second}"))
        shown = case.rack.mpilens(outside, "hosts", "--slurm", slurm_job(case, job))
        case.check(shown.output.split() == [first, second], str(shown))


def all_verbs(case):
    """And what they say of this host alone, when they are told to."""
    first, _, last = case.rack.hosts
    with case.running(ORTE, WRONG_TAG) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, last))
        ranks = list(range(job.expected.ranks))
        for host in (first, last):
            for verb in ("show", "leaks"):
                result = case.rack.mpilens(host, verb, "--json")
                document = result.document() or {}
                case.check([one["rank"] for one in document.get("processes", [])] == ranks, f"{verb}: {brief(result)}")
        file = os.path.join(job.directory, "all.mpilens")
        saved = case.rack.mpilens(last, "snapshot", "-o", file)
        case.check(saved.status == GOOD, str(saved))
        wrong = case.rack.differences(job, case.rack.why(job, first, file))
        case.check(not wrong, f"snapshot: {wrong}")
        handle = case.rack.mpilens(last, "handle", file, "comm", "MPI_COMM_WORLD", "--rank", "0")
        case.check(handle.status == GOOD, str(handle))
        here = case.rack.why(job, last, "--here")
        case.check(here.status == UNREADABLE and here.document()["findings"] == [], f"--here: {brief(here)}")


def launched_elsewhere(way):
    """The launcher runs on the first host, no rank does."""
    return Way(f"{way.title}, no rank beside it", way.mpi, lambda hosts, ranks: way.launcher(hosts[1:], ranks), False)


def kinds_of(result):
    return [finding["kind"] for finding in (result.document() or {"findings": []})["findings"]]


def host_cut_off(case):
    """A host that does not answer comes first, whichever engine finds out."""
    first, _, last = case.rack.hosts
    with case.running(HYDRA, COLLECTIVE_MISSING) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, first))
        case.rack.cluster.cut(last)
        try:
            for engine in ("ssh", "pdsh", *SLOW_ENGINES):
                result = case.rack.why(job, first, "--engine", engine)
                told = kinds_of(result)[:1] == ["host-lost"] and last in result.document()["findings"][0]["message"]
                case.check(result.status == FINDING and told, f"{engine}: {brief(result)}")
        finally:
            case.rack.cluster.mend(last)


@contextlib.contextmanager
def hidden(case, host):
    """The command is not on the host."""
    directory = os.path.dirname(case.rack.programs.mpilens)
    case.rack.cluster.output(host, "mount", "-t", "tmpfs", "hidden", directory)
    try:
        yield
    finally:
        case.rack.cluster.output(host, "umount", directory)


def command_missing(case):
    first, _, last = case.rack.hosts
    with case.running(HYDRA, COLLECTIVE_MISSING) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, first))
        with hidden(case, last):
            for engine in ("ssh", "clush", "pdsh", *SLOW_ENGINES):
                result = case.rack.why(job, first, "--engine", engine, "--engine-timeout", "60")
                reason = f"mpilens is not there: {case.rack.programs.mpilens}"
                case.check(reason in result.output, f"{engine}: {brief(result)}")


def asker_killed(case):
    """What it has started on other hosts ends with it, as the case looks for at its end."""
    first = case.rack.hosts[0]
    with case.running(ORTE, COLLECTIVE_MISSING) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, first))
        mpilens = case.rack.programs.mpilens
        for name in ("INT", "TERM", "KILL"):
            for engine in ("ssh", "clush"):
                case.rack.cluster.run(
                    f"{job.user}@{first}",
                    *("timeout", "-s", name, str(ASKED_SECONDS), mpilens, "why", "--interval", "30"),
                    *("--engine", engine, "--engine-timeout", "90"),
                )


CASES = [
    from_every_host(HYDRA, WRONG_TAG, "clush", "pdsh", "hydra", "clush -w %f"),
    from_every_host(SRUN_MPICH, COLLECTIVE_MISSING, "slurm", "ssh"),
    from_every_host(launched_elsewhere(HYDRA), COLLECTIVE_MISSING),
    from_every_host(launched_elsewhere(ORTE), COLLECTIVE_MISSING),
    Case("asked from outside", from_outside),
    Case("all verbs over hosts", all_verbs),
    Case("a host is cut off", host_cut_off),
    Case("the command is missing on a host", command_missing),
    Case("who asks is killed", asker_killed),
]
