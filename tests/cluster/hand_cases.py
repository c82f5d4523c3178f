# SPDX-License-Identifier: BSD-3-Clause
"""Parts of a job that users take by hand, with a snapshot on each host."""
import os

from rack import brief
from lib.command import UNREADABLE, USAGE
from spread_case import Case


def verdict_on_two_hosts(way, name):
    """The answers about the job on one host are the same on two."""

    def what(case):
        with case.running(way, name, hosts=case.rack.hosts[:2]) as job:
            case.expect_verdict_of_parts(job)

    return Case(f"{way.title} on two hosts, {name}", what)


def lines_of_engines(case, job):
    """The output of `mpilens part` through the present engines, even if it gets damaged on the way."""
    first, _, last = hosts = case.rack.hosts
    names = ",".join(hosts)
    case.expect_verdict_of_parts(job)
    shown = case.rack.mpilens(first, "show", "--here", "--json", job.pids_on(first)[0])
    part = [case.rack.programs.mpilens, "part", f"'{shown.document()['job']['identity']}'"]

    def answer(*engine):
        result = case.rack.cluster.run(f"{job.user}@{first}", *engine, *part)
        file = os.path.join(job.directory, "lines")
        with open(file, "w", encoding="utf-8") as lines:
            lines.write(result.output)
        return case.rack.why(job, first, file)

    clush = ["clush", "-w", names]
    for engine in (["pdsh", "-R", "ssh", "-w", names], [case.rack.programs.engine_filter, "reorder", *clush]):
        case.expect_verdict(job, lambda line=engine: answer(*line))
    case.expect_lost(answer(case.rack.programs.engine_filter, "tear", last, *clush), last)


def part_missing(case, job):
    """Ranks that were not read may do anything, so that nothing is known for certain."""
    *read, missing = case.rack.hosts
    result = case.rack.why(job, missing, *case.rack.snapshots(job, read))
    document = result.document() or {"findings": "none", "processes": []}
    unread = [one["rank"] for one in document["processes"] if one["state"] == "unreadable"]
    case.check(result.status == UNREADABLE and document["findings"] == [] and unread == [3], brief(result))


def parts_of_two_jobs(case, one, other):
    """Two jobs of one user, on the same hosts."""
    files = [case.rack.snapshots(job, [host])[0] for job, host in zip((one, other), case.rack.hosts)]
    mixed = case.rack.why(one, case.rack.hosts[0], *files)
    case.check(mixed.status == USAGE and "name parts of one job" in mixed.diagnostics, brief(mixed))
