# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that do not get through MPI_Init: `mpilens why` says who has not come to it, only when it lasts, live and from snapshots; and
nothing while a job merely starts."""
import os
import re
import subprocess
import sys

from lib.command import FINDING, UNREADABLE, Command, argument_parser
from lib.job import Job, run_test, wait_until
from lib.length import IS_FULL
from lib.patience import at_most
from lib.report import Report
from lib.source import Source

RANKS = 3
SECONDS = at_most(30)
PATIENCE = "1"
STARTING_RANKS = 6
MOST_QUESTIONS = 20
CONNECTION = re.compile(
    r"all have come to it, and none has come out; rank 1 has a socket in SYN_SENT with 172\.17\.0\.2:1024 over docker0, a bridge of containers"
)
DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start_up")


class StartUpTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.program = os.path.abspath(arguments.program)
        source = Source(os.path.join(DIRECTORY, "late.c"))
        slow = Source(os.path.join(DIRECTORY, "slow_module.py"))
        run = [self.command.path, "run", self.program]
        script = [os.path.join(DIRECTORY, "late.sh"), *run, "none"]
        python = [self.command.path, "run", "--mpi", arguments.flavour, sys.executable]
        python += [os.path.join(DIRECTORY, "late.py"), self.program, "none"]
        # The command of the ranks, and the required text about rank 1.
        self.cases = {
            "constructor": (
                [*run, "constructor"],
                rf"has not called MPI yet: computing in .*\(late\.c:\d+\)",
            ),
            "sleep": (
                [*run, "sleep"],
                rf"has not called MPI yet: sleeping in .*\(late\.c:{source.place('sleep')[1]}\)",
            ),
            "exit": ([*run, "exit"], r"its process (\d+ )?has exited"),
            "script": (script, r"process \d+ \(late\.sh\) has no MPI in it so far"),
            "python": (python, rf"has not called MPI yet: sleeping in .*\(slow_module\.py:{slow.place('import')[1]}\)"),
        }

    def job(self, case, ranks=RANKS):
        return Job(self.arguments.mpiexec, ranks, self.cases[case][0])

    def findings(self, *arguments, patience=PATIENCE):
        result = self.command.run("why", "--json", "--interval", "0.2", "--patience", patience, *arguments)
        return (result.document() or {}).get("findings", []), result

    def is_right(self, findings, case):
        return (
            len(findings) == 1
            and findings[0]["kind"] == "start-up"
            and findings[0]["culprits"] == [1]
            and sorted(findings[0]["ranks"]) == [0, 1, 2]
            and re.match(r"ranks \[0,2\] have been in MPI_Init at late\.c:\d+ for ", findings[0]["message"])
            and re.search(r"; rank 1 has not come to it: .*" + self.cases[case][1], findings[0]["message"])
        )

    def hang(self, case):
        last = []

        def is_told(job):
            last[:] = self.findings(job.launcher)
            return self.is_right(last[0], case) and last[1].status == FINDING

        with self.job(case) as job:
            self.check(wait_until(lambda: is_told(job), SECONDS, pause=0.2), f"{case}: {last and last[1]}")
            if case == "exit":  # who will never come is told at once
                return
            findings, result = self.findings(job.launcher, patience="600")
            remark = (result.document() or {}).get("remark") or ""
            self.check(
                not findings and result.status != FINDING and re.search(self.cases[case][1] + ".*--patience", remark),
                f"{case}, before the patience is over: {result}",
            )
            if case == "sleep":
                self.save(case, job)

    def save(self, case, job):
        whole = os.path.join(job.directory, "whole")
        taken = self.command.run("snapshot", "--interval", "0.2", "-o", whole, job.launcher)
        findings, result = self.findings(whole)
        self.check(self.is_right(findings, case), f"{case}, snapshot: {taken} {result}")
        listed = self.command.run("list", "--json", job.launcher).document() or {}
        pids = {one["rank"]: str(one["pid"]) for one in listed.get("processes", [])}
        parts = []
        for name, ranks in (("first", (0, 1)), ("last", (2,))):
            parts.append(os.path.join(job.directory, name))
            pids_of_part = [pids[rank] for rank in ranks if rank in pids]
            taken = self.command.run("snapshot", "--interval", "0.2", "-o", parts[-1], *pids_of_part)
        findings, result = self.findings(*parts)
        self.check(self.is_right(findings, case), f"{case}, parts: {taken} {result}")

    def unprepared(self):
        """The same without the runtime: since when it lasts tells only who watches for the patience."""
        line = Source(os.path.join(DIRECTORY, "late.c")).place("sleep")[1]
        scripts = os.path.join(DIRECTORY, "late.sh")
        jobs = {
            "sleep": ([self.program, "sleep"], rf"rank 1 is not in MPI: sleeping in \w+ at late\.c:{line} "),
            "script": ([scripts, self.program, "none"], r"rank 1: process \d+ \(late\.sh\) has no MPI in it so far"),
        }
        last = []

        def is_told(job, interval, missing):
            result = self.command.run("why", "--json", "--interval", interval, "--patience", PATIENCE, job.launcher)
            last[:] = [result]
            document = result.document() or {}
            findings = document.get("findings", [])
            is_finding = float(interval) >= float(PATIENCE)
            message = findings[0]["message"] if findings else document.get("remark") or ""
            return (
                [(one["kind"], one["culprits"], sorted(one["ranks"])) for one in findings]
                == ([("start-up", [1], [0, 1, 2])] if is_finding else [])
                and result.status == (FINDING if is_finding else UNREADABLE)
                and re.search(missing, message)
                and re.search(r"; ranks \[0,2\] are in MPI_Init at late\.c:\d+ ", message)
            )

        for case, (command, missing) in jobs.items():
            with Job(self.arguments.mpiexec, RANKS, command) as job:
                for interval in "0.2", PATIENCE:
                    self.check(
                        wait_until(lambda: is_told(job, interval, missing), SECONDS, pause=0.2),
                        f"{case} without the runtime, {interval} s: {last and last[0]}",
                    )

    def cannot_connect(self):
        """Rank 1 has come to MPI_Init, and connects there with who does not answer."""
        last = []
        network = os.path.join(DIRECTORY, "docker_network.sh")
        if os.geteuid() != 0 or subprocess.run([network, "true"], stdin=subprocess.DEVNULL).returncode != 0:
            print("unreachable: left out, network namespaces cannot be made here")
            return
        rank = [
            "env",
            f"LD_PRELOAD={os.path.abspath(self.arguments.unreachable)}",
            self.command.path,
            "run",
            self.program,
        ]

        def is_told(job):
            last[:] = self.findings(job.launcher)
            findings = last[0]
            return (
                len(findings) == 1
                and findings[0]["kind"] == "start-up"
                and findings[0]["culprits"] == [1]
                and CONNECTION.search(findings[0]["message"])
                and "name the network" in (findings[0]["remedy"] or "")
                and any("inside MPI: connect < reach_peer" in one["text"] for one in findings[0]["evidence"])
                and any(re.search(r"P?MIx? server", one["text"]) for one in findings[0]["evidence"])
            )

        # The launcher becomes what mpiexec is, in the other namespace.
        with Job(network, RANKS, rank, mpiexec_options=[self.arguments.mpiexec]) as job:
            self.check(
                wait_until(lambda: is_told(job), SECONDS, pause=0.2),
                f"unreachable: {last and last[1]}\n{job.printed()}",
            )

    def start(self):
        """A correct job is asked about until it runs."""
        with Job(self.arguments.mpiexec, STARTING_RANKS, [self.command.path, "run", self.program, "none"]) as job:
            for _ in range(MOST_QUESTIONS):
                findings, result = self.findings(job.launcher, patience="60")
                self.check(not findings and result.status != FINDING, f"while it starts: {result}")
                if job.has_ended():
                    break
            self.check(wait_until(job.has_ended, SECONDS), f"it does not end:\n{job.printed()}")

    def run(self):
        for case in self.arguments.case or self.cases:
            self.hang(case)
        self.unprepared()
        self.cannot_connect()
        self.start()
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True, help="name of that MPI")
    parser.add_argument("--case", action="append", help="default: all")
    parser.add_argument("--unreachable", required=True, help="the library of unreachable.c")
    parser.add_argument("program", help="late")
    arguments = parser.parse_args()
    if IS_FULL:
        arguments.case = None
    if arguments.flavour == "openmpi":  # which ends a job of which a rank ends before MPI_Init
        arguments.case = [
            case for case in arguments.case or ("constructor", "sleep", "script", "python") if case != "exit"
        ]
    return run_test(StartUpTest(arguments), needs_cores=False)


if __name__ == "__main__":
    sys.exit(main())
