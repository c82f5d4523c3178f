# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of the whole job by one command, which has engines reach the other hosts."""
import contextlib
import os
import signal

import hand_cases
from hosts import RUN_SECONDS
from lib.command import GOOD, UNREADABLE, USAGE
from lib.job import HANG_SECONDS, JobFailed, wait_until
from lib.length import IS_FULL
from lib.patience import at_most
from rack import brief
from spread_case import COLLECTIVE_MISSING, MOVES, WRONG_TAG, Case
from spread_job import HYDRA, ORTE, ORTE_IN_SLURM, SRUN_OPENMPI

# $1: where its screen is written; then the command. Types q as soon as the whole job is seen.
ON_TERMINAL = """
screen=$1; shift
mkfifo "$screen.keys"
TERM=xterm script -qefc "stty rows 24 cols 80; exec $*" "$screen" <"$screen.keys" >/dev/null &
exec 3>"$screen.keys"
until grep -q "read in 3 parts" "$screen" && grep -q "collective-missing" "$screen"; do sleep 0.1; done
printf q >&3
wait $!
"""
ASKS = 50 if IS_FULL else 3
SECOND_USER = "user5"
# Where a host does not answer, Hydra's mpiexec does not end: it takes all the time that there is.
SLOW_ENGINES = ["hydra"]
# For a host that is cut off: longer than ssh waits for one.
TIMEOUT_SECONDS = at_most(15)


def asked(case, job, host, *arguments):
    case.expect_verdict(job, lambda: case.rack.why(job, host, *arguments))


def verdict(way, name):
    def what(case):
        with case.running(way, name) as job:
            asked(case, job, case.rack.hosts[0])

    return Case(f"{way.title}, {name}", what)


def correct(case):
    """Ranks that mostly wait, and are never all seen at the same moment but by two rounds."""
    with case.running(ORTE, MOVES) as job:
        asked(case, job, case.rack.hosts[0])
        for number in range(ASKS):
            result = case.rack.why(job, case.rack.hosts[number % len(case.rack.hosts)])
            case.check(result.status == GOOD, f"time {number}: {brief(result)}")
        status = job.end()
        case.check(status == 0, f"it ended with status {status}: {job.printed()}")
    for host in case.rack.hosts:
        ended = case.rack.cluster.output(f"{job.user}@{host}", case.rack.programs.mpilens, "list", "--ended")
        case.check(MOVES not in ended, f"{host} has kept its black boxes:\n{ended}")


def ended(case):
    """Each host has the black boxes of its ranks; one part of the job, asked alone, says so."""
    first = case.rack.hosts[0]
    with case.running(HYDRA, WRONG_TAG) as job:
        asked(case, job, first)
        job.kill(signal.SIGKILL, HANG_SECONDS)
        everywhere = ["--hosts", ",".join(case.rack.hosts)]
        expect_right(case, job, case.rack.why(job, first, *everywhere))
        pid = case.rack.cluster.output(f"{job.user}@{first}", case.rack.programs.mpilens, "list", "--ended").split()[6]
        expect_right(case, job, case.rack.why(job, first, *everywhere, pid))
        allocation = [
            "salloc",
            "-Q",
            "-w",
            ",".join(case.rack.hosts),
            "-N",
            len(case.rack.hosts),
        ]  # as if in its script
        expect_right(case, job, case.rack.why(job, first, within=allocation))
        here = case.rack.why(job, first)
        unread = {one["reason"] for one in here.document()["job"]["ranks_absent"]}
        case.check(len(unread) == 1 and "a host that --hosts must name" in unread.pop(), brief(here))


def held(case, job, word, count):
    """A question that stands still as soon as `count` hosts have said `word`, and a file that lets it go on."""
    go_on, is_held = (os.path.join(job.directory, f"{name}-{word}") for name in ("go-on", "held"))
    engine = f"{case.rack.programs.engine_filter} hold {word} {count} {is_held} {go_on} clush -w %h"
    asking = case.rack.cluster.begin(
        f"{job.user}@{case.rack.hosts[0]}",
        *(case.rack.programs.mpilens, "why", "--json", "--engine", engine, "--engine-timeout", TIMEOUT_SECONDS),
    )
    if not wait_until(lambda: os.path.exists(is_held), HANG_SECONDS):
        asking.kill()
        raise JobFailed(f"nobody says {word}: {asking.result()}")
    return asking, go_on


def expect_right(case, job, result):
    wrong = case.rack.differences(job, result)
    case.check(not wrong, "\n".join([*wrong, brief(result)]))


def host_cut_off(case):
    """Before a question, between its rounds, and after them; whichever engine finds out. When the host is there again, the
    verdict is too. An engine of the user is started once for each round, and each host says its status in each."""
    first, _, last = case.rack.hosts
    cluster = case.rack.cluster
    with case.running(ORTE, COLLECTIVE_MISSING) as job:
        asked(case, job, first)
        after, go_after = held(case, job, "2.end", len(case.rack.hosts))
        between, go_between = held(case, job, "0.status", len(case.rack.hosts))
        cluster.cut(last)
        try:
            for go_on in (go_between, go_after):
                with open(go_on, "w"):
                    pass
            asking = [
                cluster.begin(
                    f"{job.user}@{first}",
                    *(case.rack.programs.mpilens, "why", "--json"),
                    *("--engine", engine, "--engine-timeout", TIMEOUT_SECONDS),
                )
                for engine in ("ssh", *(["pdsh", *SLOW_ENGINES] if IS_FULL else []))
            ]
            expect_right(case, job, after.result())
            for one in (between, *asking):
                case.expect_lost(one.result(), last)
        finally:
            cluster.mend(last)
        asked(case, job, first)


def top_and_cut_short(case):
    with case.running(HYDRA, COLLECTIVE_MISSING) as job:
        asked(case, job, case.rack.hosts[0])
        top(case, job)
        cut_short(case, job)


def top(case, job):
    """The full screen, with the ranks of all hosts and the verdict about them; its key ends it and what it has started."""
    screen = os.path.join(job.directory, "screen")
    command = (case.rack.programs.mpilens, "top", "--interval", 1)
    result = case.rack.cluster.run(f"{job.user}@{job.hosts[0]}", "sh", "-c", ON_TERMINAL, "sh", screen, *command)
    case.check(result.status == GOOD, str(result))


def cut_short(case, job):
    """A host is silent, and will be for long: after ^C the others are judged, and their second readings waited for."""
    first, _, last = case.rack.hosts
    slow, said = (os.path.join(job.directory, name) for name in ("slow-engine", "said"))
    with open(slow, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nothers=${{1%,*}}\nshift\nclush -w $others "$@" | tee {said}\nexec sleep 1000\n')
    os.chmod(slow, 0o755)
    why = (case.rack.programs.mpilens, "why", "--json", "--engine", f"{slow} %h", "--engine-timeout", 1000)
    asking = case.rack.cluster.begin(f"{job.user}@{first}", "sh", "-c", 'echo $$ >$0; exec "$@"', f"{slow}.pid", *why)

    def have_answered():
        with contextlib.suppress(OSError), open(said, encoding="utf-8") as file:
            return file.read().count("1.end") == 2

    case.check(wait_until(have_answered, HANG_SECONDS, pause=0.2), "two hosts have not answered")
    with open(f"{slow}.pid", encoding="utf-8") as file:
        case.rack.cluster.output(first, "kill", "-INT", file.read().strip())
    case.expect_lost(asking.result(), last)


def lines_mixed(case):
    """In another order, and torn; through engines of the user, and carried by hand."""
    first, _, last = case.rack.hosts
    mixing = case.rack.programs.engine_filter
    with case.running(ORTE, WRONG_TAG) as job:
        asked(case, job, first, "--engine", f"{mixing} reorder clush -w %h")
        tearing = ["--engine", f"{mixing} tear {last} clush -w %h", "--engine-timeout", TIMEOUT_SECONDS]
        case.expect_lost(case.rack.why(job, first, *tearing), last)
        hand_cases.lines_of_engines(case, job)


@contextlib.contextmanager
def hidden(case, host, paths):
    """These files and directories are empty on this host; those that it does not have are left out."""
    hide = (
        'for one; do if test -d "$one"; then mount -t tmpfs hidden "$one"; elif test -e "$one"; then'
        ' mount --bind /dev/null "$one"; else continue; fi && echo "$one"; done'
    )
    mounted = case.rack.cluster.output(host, "sh", "-c", hide, "hide", *paths).splitlines()
    try:
        yield
    finally:
        if mounted:
            case.rack.cluster.output(host, "umount", *mounted)


def bare(case, host):
    """On this host there is no mpilens, nor some of the libraries that it needs."""
    libraries = 'for one in libdw.so.1 libsqlite3.so.0; do ldconfig -p | sed -n "s/^\\s*$one .*=> //p"; done'
    paths = case.rack.cluster.output(host, "sh", "-c", f"{libraries} | xargs -r readlink -f").split()
    return hidden(case, host, [case.rack.programs.installed, *paths])


def expect_doctor(case, host, states):
    """The states of the hosts of the job, in their order, with a command for each that is not right."""
    result = case.rack.mpilens(host, "doctor", "--no-job", "--json")
    found = [one for one in result.document()["checks"] if one["check"] == "host of the job"]
    case.check([one["state"] for one in found] == states, str(found))
    case.check(all(one["state"] == "ok" or "why --ship" in one["remedy"] for one in found), str(found))


def not_installed(case):
    """The reason says so; --ship sends it, and leaves nothing."""
    first, _, last = case.rack.hosts
    with case.running(ORTE_IN_SLURM, WRONG_TAG) as job:
        asked(case, job, last)
        expect_doctor(case, first, ["ok", "ok", "ok"])
        with bare(case, last):
            expect_doctor(case, first, ["ok", "ok", "wrong"])
            for engine in ("ssh", *(["clush", "pdsh", *SLOW_ENGINES] if IS_FULL else [])):
                result = case.rack.why(job, first, "--engine", engine)
                case.expect_lost(result, last)
                case.check(f"mpilens is not there: {case.rack.programs.mpilens}" in result.output, brief(result))
                case.check("--ship" in result.output, f"nothing is advised: {brief(result)}")
            for engine in ("ssh", "slurm", *(["clush"] if IS_FULL else [])):
                expect_right(case, job, case.rack.why(job, first, "--engine", engine, "--ship"))
            refused = case.rack.why(job, first, "--engine", "pdsh", "--ship")
            case.check(refused.status == UNREADABLE and "standard input" in refused.diagnostics, brief(refused))


def two_jobs_of_a_user(case):
    """On the same hosts. Without a name it is not known which is meant; their parts do not fit together. Another user has one job
    there, and means it."""
    host = case.rack.hosts[1]
    with case.running(HYDRA, WRONG_TAG) as one, case.running(HYDRA, COLLECTIVE_MISSING) as other:
        with case.running(ORTE, COLLECTIVE_MISSING, user=SECOND_USER) as of_other_user:
            asked(case, of_other_user, host)
            asked(case, one, host, one.pids_on(host)[0])
        asked(case, other, host, other.pids_on(host)[0])
        result = case.rack.why(one, host)
        case.check(result.status == USAGE and "several jobs" in result.diagnostics, brief(result))
        hand_cases.parts_of_two_jobs(case, one, other)
        hand_cases.part_missing(case, other)


def without_runtime(case):
    """The stacks of all ranks are put together, whichever host is asked."""
    with case.running(HYDRA, WRONG_TAG, is_prepared=False) as job:
        for host in case.rack.hosts if IS_FULL else case.rack.hosts[::2]:
            answers = []

            def are_apart():
                answers.append(case.rack.why(job, host))
                document = answers[-1].document() or {}
                kinds = [one["kind"] for one in document.get("findings", [])]
                seen = [one["rank"] for one in document.get("processes", []) if one.get("seen_threads")]
                return kinds == ["ranks-apart"] and seen == list(range(job.ranks))

            case.check(wait_until(are_apart, HANG_SECONDS), f"{host}: {brief(answers[-1])}")
        hosts = ",".join(case.rack.hosts)
        debugger = case.rack.mpilens(case.rack.hosts[0], "gdb", "0", "--print", "--hosts", hosts)
        case.check(debugger.status == GOOD and "attach " in debugger.output, str(debugger))


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
        # Two logins in a row for each round, and two programs of Python: much for a busy machine.
        words = f"env CLUSTERSHELL_GW_LOG_DIR=/dev/null clush --topology {topology} -w %h"
        asked(case, job, hosts[0], "--engine", words, "--engine-timeout", RUN_SECONDS - 10)


def tree_of_merging_hosts(case):
    """Three hosts merge the parts of four each."""
    with case.running(SRUN_OPENMPI, WRONG_TAG, ranks=len(case.rack.hosts)) as job:
        engine = f"{case.rack.programs.engine_tree} %h"
        asked(case, job, case.rack.hosts[0], "--engine", engine, "--engine-timeout", RUN_SECONDS - 10)
