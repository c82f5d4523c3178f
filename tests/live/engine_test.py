# SPDX-License-Identifier: BSD-3-Clause
"""A real job is read through engines, as if its ranks ran on two hosts; engines do what they do at their worst. The command
always answers in time, says what is wrong with which host, and nothing of the engines is left running."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from lib import fake_engine
from lib.command import FINDING, UNREADABLE, Command, argument_parser
from lib.job import Job, processes_with, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

ENGINE_SECONDS = at_most(30)
# The timeout for silent hosts: some times what the others took, at most this.
SILENT_SECONDS = at_most(6)
END_SECONDS = at_most(20)
# The behaviour of the second host, and the reason reported.
WORST = {
    "dead": "ssh: No route to host",
    "missing": "mpilens is not there: ",
    "torn": "1 of ",
}
# Cases that wait until the engine's time is over, on two hosts at the same time.
ENDLESS = ("silent", "flood")
NOTHING_CAME = "nothing has come from it in"


def parse_arguments():
    parser = argument_parser(__doc__)
    parser.add_argument("program", help="hung, with 4 or more ranks: of worker_wrong_tag.c")
    return parser.parse_args()


class EngineTest:
    def __init__(self, arguments, directory):
        self.arguments = arguments
        self.command = Command(arguments.mpilens)
        self.report = Report()
        self.mark = f"MPILENS_FAKE_ENGINE={directory}"
        self.path = f"{directory}:{os.environ['PATH']}"
        self.script = os.path.abspath(fake_engine.__file__)
        self.seconds = 0  # of the last answer
        os.symlink(self.script, os.path.join(directory, "ssh"))

    def environment(self, pids, *what):
        """The first three ranks are on the host n1, which is good; the others on n2, ..., each of which does what it is told."""
        hosts = {"n1": ["good", *pids[:3]]}
        for number, one in enumerate(what, 2):
            hosts[f"n{number}"] = [one, *pids[1 + number :: len(what)]]
        # Not MPILENS_*: engines do not get that.
        return {"PATH": self.path, "FAKE_HOSTS": json.dumps(hosts), "FAKE_ENGINE": self.mark}

    def why(self, launcher, environment, *options, seconds_for_engine=ENGINE_SECONDS):
        hosts = ",".join(json.loads(environment["FAKE_HOSTS"]))
        words = ["--hosts", hosts, "--engine-timeout", str(seconds_for_engine), "--interval", "0.1", *options]
        begin = time.monotonic()
        result = self.command.run("why", "--json", *words, launcher, environment=environment)
        seconds = time.monotonic() - begin
        self.report.check(seconds < seconds_for_engine + END_SECONDS, f"{options}: {seconds:.1f} s")
        self.seconds = seconds
        self.nothing_is_left(str(options))
        return result

    def nothing_is_left(self, what):
        gone = wait_until(lambda: not processes_with(f"FAKE_ENGINE={self.mark}"), END_SECONDS)
        self.report.check(gone, f"{what}: left are {processes_with(f'FAKE_ENGINE={self.mark}')}")

    def expect_whole(self, what, result):
        document = result.document() or {"findings": [], "job": {"parts": [], "notes": [result.diagnostics]}}
        kinds = [one["kind"] for one in document["findings"]]
        parts = sorted(part["name"] for part in document["job"]["parts"])
        self.report.check((kinds, parts) == (["tag-mismatch"], ["n1", "n2"]), f"{what}: {kinds} of {parts}")
        self.report.check(document["job"]["notes"] == [], f"{what}: {document['job']['notes']}")
        self.report.check(all(one["confirmed"] for one in document["findings"]), f"{what}: not confirmed")

    def expect_lost(self, hosts, what, reason, result):
        document = result.document() or {"findings": [{"kind": "no document"}], "job": {"notes": [result.diagnostics]}}
        notes = " ".join(document["job"]["notes"])
        kinds = [one["kind"] for one in document["findings"]]
        self.report.check(f"{hosts} did not answer: {reason}" in notes, f"{what}: {notes}")
        self.report.check("n1 did not" not in notes, f"{what}: {notes}")
        self.report.check(("install mpilens" in notes) == (what == "missing"), f"{what}: {notes}")
        self.report.check("tag-mismatch" not in kinds, f"{what}: a cause is named that depends on what is not known")

    def ended(self, launcher, environment, number):
        """Ends it by a signal, with all that it has started. The first SIGINT ends the reading, and what there is is judged."""
        words = ["why", "--hosts", "n1,n2", "--engine-timeout", "1000", str(launcher)]
        process = subprocess.Popen(
            [self.command.path, *words],
            env=dict(os.environ, **environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        begun = wait_until(lambda: len(processes_with(f"FAKE_ENGINE={self.mark}")) > 2, END_SECONDS)
        self.report.check(begun, "no engine runs")
        process.send_signal(number)
        expected = [FINDING, UNREADABLE] if number == signal.SIGINT else [-number]  # UNREADABLE: before n1 had answered
        self.report.check(process.wait(END_SECONDS) in expected, f"{number}: status {process.returncode}")
        self.nothing_is_left(f"signal {number}")

    def readings(self, job):
        document = self.command.show("--json", job.launcher).document()
        pids = [one["pid"] for one in document["processes"]]
        own = f"{sys.executable} {self.script} all %h"
        self.expect_whole("ssh", self.why(job.launcher, self.environment(pids, "good")))
        silent_seconds = min(at_most(2) + round(4 * self.seconds), SILENT_SECONDS)
        self.expect_whole("engine of the user", self.why(job.launcher, self.environment(pids, "good"), "--engine", own))
        by_variable = dict(self.environment(pids, "good"), MPILENS_ENGINE=own)
        self.expect_whole("MPILENS_ENGINE", self.why(job.launcher, by_variable))
        self.expect_whole("never ending", self.why(job.launcher, self.environment(pids, "never ending")))
        for what, reason in WORST.items():
            self.expect_lost("host n2", what, reason, self.why(job.launcher, self.environment(pids, what)))
        result = self.why(job.launcher, self.environment(pids, *ENDLESS), seconds_for_engine=silent_seconds)
        self.expect_lost("hosts n[2-3]", " and ".join(ENDLESS), NOTHING_CAME, result)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            self.ended(job.launcher, self.environment(pids, "silent"), number)
        for wrong in (("--engine", "telnet"), ("--hosts", "n1;id"), ("--hosts", "-oProxyCommand=id"), ("--slurm", "x")):
            result = self.command.run("why", *wrong, job.launcher)
            self.report.check(result.status == 2 and wrong[1] in result.diagnostics, str(result))

    def is_hung(self, job):
        document = self.command.run("why", "--json", job.launcher).document()
        return document is not None and [one["kind"] for one in document["findings"]] == ["tag-mismatch"]

    def run(self):
        program = os.path.abspath(self.arguments.program)
        with Job(self.arguments.mpiexec, 5, [self.command.path, "run", program]) as job:
            self.report.check(wait_until(lambda: self.is_hung(job), at_most(60), 0.2), "the job does not hang")
            job.demote()
            self.readings(job)
        return self.report.end() == 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="mpilens-engine-") as place:
        sys.exit(run_test(EngineTest(parse_arguments(), place)))
