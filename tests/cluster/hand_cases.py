# SPDX-License-Identifier: BSD-3-Clause
"""Parts of a job that users take by hand, with a snapshot on each host."""
import os

from rack import brief
from spread_case import COLLECTIVE_MISSING, UNREADABLE, USAGE, WRONG_TAG, Case
from spread_job import HYDRA, ORTE


def verdict_on_two_hosts(way, name):
    """What is said of the job on one host is said of it on two."""

    def what(case):
        with case.running(way, name, hosts=case.rack.hosts[:2]) as job:
            case.expect_verdict_of_parts(job)

    return Case(f"{way.title} on two hosts, {name}", what)


def lines_of_engines(case):
    """What `mpilens part` sends, through the engines that are there, also where their output meets with an accident."""
    first, _, last = hosts = case.rack.hosts
    names = ",".join(hosts)
    with case.running(ORTE, WRONG_TAG) as job:
        case.expect_verdict_of_parts(job)
        shown = case.rack.mpilens(first, "show", "--json", job.pids_on(first)[0])
        part = [case.rack.programs.mpilens, "part", f"'{shown.document()['job']['identity']}'"]

        def answer(*engine):
            result = case.rack.cluster.run(f"{job.user}@{first}", *engine, *part)
            file = os.path.join(job.directory, "lines")
            with open(file, "w", encoding="utf-8") as lines:
                lines.write(result.output)
            return case.rack.why(job, first, file)

        clush = ["clush", "-w", names]
        for engine in (
            clush,
            ["pdsh", "-R", "ssh", "-w", names],
            [case.rack.programs.engine_filter, "reorder", *clush],
        ):
            result = answer(*engine)
            wrong = case.rack.differences(job, result)
            case.check(not wrong, "\n".join([*engine, *wrong, brief(result)]))
        case.expect_lost(answer(case.rack.programs.engine_filter, "tear", last, *clush), last)


def part_missing(case):
    """Ranks that were not read may do anything, so that nothing is known for certain."""
    with case.running(HYDRA, COLLECTIVE_MISSING) as job:
        case.expect_verdict_of_parts(job)
        *read, missing = case.rack.hosts
        result = case.rack.why(job, missing, *case.rack.snapshots(job, read))
        findings = (result.document() or {"findings": "none"})["findings"]
        unread = [one["rank"] for one in result.document()["processes"] if one["state"] == "unreadable"]
        case.check(result.status == UNREADABLE and findings == [] and unread == [3], brief(result))


def parts_of_two_jobs(case):
    """Of one user, on the same hosts."""
    with case.running(ORTE, WRONG_TAG) as one, case.running(ORTE, COLLECTIVE_MISSING) as other:
        case.expect_verdict_of_parts(one)
        case.expect_verdict_of_parts(other)
        files = [case.rack.snapshots(job, [host])[0] for job, host in zip((one, other), case.rack.hosts)]
        mixed = case.rack.why(one, case.rack.hosts[0], *files)
        case.check(mixed.status == USAGE and "name parts of one job" in mixed.diagnostics, brief(mixed))
