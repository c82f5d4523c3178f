# SPDX-License-Identifier: BSD-3-Clause
"""The whole job, asked from one host: mpilens finds the others and reaches them by itself."""
import json
import os
import re
import shlex
import shutil

import engine_cases
from lib.command import FINDING, GOOD, UNREADABLE
from lib.length import IS_FULL
from lib.patience import at_most
from rack import brief
from spread_case import COLLECTIVE_MISSING, WRONG_TAG, Case
from spread_job import HYDRA, ORTE, SRUN_MPICH, SRUN_OPENMPI, Way

ASKED_SECONDS = at_most(0.7)


def slurm_job(case, job):
    """The number of the job, which the ranks have in their environment."""
    with open(f"/proc/{job.pids()[0]}/environ", encoding="utf-8", errors="replace") as file:
        return dict(one.split("=", 1) for one in file.read().split("\0") if "=" in one)["SLURM_JOB_ID"]


def from_hosts(way, name, *engines, hosts=None):
    """Also from one that the launcher is not on (`hosts`: how many of them, the last ones first). `engines`: from the
    first host, with each of these."""

    def what(case):
        with case.running(way, name) as job:
            for host in [*reversed(case.rack.hosts)][:hosts]:
                seconds = case.expect_verdict(job, lambda where=host: case.rack.why(job, where))
                print(f"  {way.title} from {host}: {seconds:.1f} s", flush=True)
            for engine in engines:
                arguments = ["--engine", engine, "--engine-timeout", "60"]
                seconds = case.expect_verdict(job, lambda more=arguments: case.rack.why(job, case.rack.hosts[0], *more))
                print(f"  {way.title} by {engine}: {seconds:.1f} s", flush=True)

    return Case(f"{way.title}, {name}", what)


def from_outside(case):
    """From a host that the job does not run on, Slurm knows the hosts; a list of them is as good."""
    first, second, outside = case.rack.hosts
    with case.running(SRUN_MPICH, WRONG_TAG, hosts=[first, second]) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, outside, "--slurm", slurm_job(case, job)))
        case.expect_verdict(job, lambda: case.rack.why(job, outside))  # the only job of this user
        case.expect_verdict(
            job, lambda: case.rack.why(job, outside, "--hosts", f"{first},{second}", "--engine", "pdsh")
        )
        shown = case.rack.mpilens(outside, "hosts", "--slurm", slurm_job(case, job))
        case.check(shown.output.split() == [first, second], str(shown))
        with case.running(SRUN_OPENMPI, COLLECTIVE_MISSING, hosts=[first, second]) as other:
            several = case.rack.why(job, outside)
            case.check("name one with --slurm" in several.diagnostics, brief(several))
            allocation = ["env", f"SLURM_JOB_ID={slurm_job(case, other)}"]
            case.expect_verdict(other, lambda: case.rack.why(other, outside, within=allocation))


def all_verbs(case):
    """They also tell about this host alone, if asked."""
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
        watched = case.rack.mpilens(last, "watch", "--json", "--count", "2", "--interval", "0.1")
        moments = [json.loads(line) for line in watched.output.splitlines()]
        case.check(watched.status == GOOD and len(moments) == 2, str(watched))
        for moment in moments:
            characters = [one["character"] for one in moment["ranks"]]
            case.check(len(characters) == len(ranks) and "*" not in characters, f"watch: {watched}")
        here = case.rack.why(job, last, "--here")
        case.check(here.status == UNREADABLE and here.document()["findings"] == [], f"--here: {brief(here)}")


def expect_debugger(case, host, *words):
    """The command that why prints for the rank to blame works from this host."""
    said = case.rack.mpilens(host, "why", *words).output
    found = re.search(r"^  rank \d+: process (\d+) on \w+: mpilens (gdb .+)$", said, re.MULTILINE)
    case.check(found is not None, f"{host}: no debugger is offered: {said}")
    if found is not None:
        shown = case.rack.mpilens(host, *shlex.split(found[2]), "--print")
        # ssh is told a rank, or some rank of that host by its PID, and gdb the PID of the rank
        case.check(shown.status == GOOD and found[1] in shown.output, str(shown))


def debugged(case):
    """gdb runs on the host of the rank, in the frame that has called MPI, and lets it go."""
    first, last, outside = case.rack.hosts
    with case.running(ORTE, WRONG_TAG, hosts=[first, last]) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, first))
        expect_debugger(case, first)
        expect_debugger(case, outside, f"--hosts={first},{last}", "--engine=ssh")
        shown = case.rack.mpilens(first, "show", "--json").document()
        rank = next(one["rank"] for one in shown["processes"] if one["host"] == last)
        printed = case.rack.mpilens(first, "gdb", str(rank), "--print")
        case.check(printed.output.startswith(f"ssh -t {last} "), str(printed))
        debugger = case.rack.mpilens(first, "gdb", str(rank))
        case.check(f"{WRONG_TAG}.c:" in debugger.output and "auto-load" not in str(debugger), str(debugger))
        case.expect_verdict(job, lambda: case.rack.why(job, first))


def source_lines(case):
    """By two engines; source lines of ranks on other hosts are read where the question is asked, and nowhere else."""
    first, *_, outside = case.rack.hosts
    with case.running(HYDRA, WRONG_TAG) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, outside))
        for engine in ("hydra", "clush -w %f"):
            case.expect_verdict(job, lambda: case.rack.why(job, first, "--engine", engine, "--engine-timeout", 60))
        sources = os.path.join(job.directory, "sources")
        os.mkdir(sources)
        path = shutil.copy(case.rack.programs.source(job.name), sources)
        line = job.source.place("right")[1]
        with open(path, encoding="utf-8") as file:
            text = f"    {line} | {file.read().splitlines()[line - 1]}\n"
        hosts = ["--hosts", ",".join(case.rack.hosts)]
        shown = case.rack.mpilens(outside, "why", *hosts, "--source", sources)
        place = f"{WRONG_TAG}.c:{line}, rank 2\n"
        case.check(shown.status == FINDING and place in shown.output and text in shown.output, str(shown))
        # Where the hosts have the checkout, the programs say where their source is.
        with engine_cases.hidden(case, outside, [case.rack.programs.sources]):
            hidden = case.rack.mpilens(outside, "why", *hosts)
        said = f"{WRONG_TAG}.c is not here: --source DIR looks for it in DIR\n"
        case.check(hidden.status == FINDING and said in hidden.output and text not in hidden.output, str(hidden))


def launched_elsewhere(way):
    """The launcher runs on the first host, no rank does."""
    return Way(f"{way.title}, no rank beside it", way.mpi, lambda hosts, ranks: way.launcher(hosts[1:], ranks), False)


def asker_killed(case):
    """Its processes on other hosts end with it, which the case checks at its end."""
    first = case.rack.hosts[0]
    with case.running(ORTE, COLLECTIVE_MISSING) as job:
        case.expect_verdict(job, lambda: case.rack.why(job, first))
        mpilens = case.rack.programs.mpilens
        asking = [
            case.rack.cluster.begin(
                f"{job.user}@{first}",
                *("timeout", "-s", name, str(ASKED_SECONDS), mpilens, "why", "--interval", "30"),
                *("--engine", engine, "--engine-timeout", "90"),
            )
            for name in ("INT", "TERM", "KILL")
            for engine in ("ssh", "clush")
            if IS_FULL or name == "KILL" or (name == "INT") == (engine == "ssh")
        ]
        for one in asking:
            one.result()


CASES = [
    from_hosts(launched_elsewhere(HYDRA), COLLECTIVE_MISSING, hosts=2 if IS_FULL else 1),
    from_hosts(launched_elsewhere(ORTE), COLLECTIVE_MISSING, hosts=2 if IS_FULL else 1),
    Case("asked from outside", from_outside),
    Case("all verbs over hosts", all_verbs),
    Case("gdb on another host", debugged),
    Case("engines, and source lines over hosts", source_lines),
    Case("who asks is killed", asker_killed),
]
