# SPDX-License-Identifier: BSD-3-Clause
"""Ranks whose network does not carry anything any more: why names the connections, from a network namespace of its own;
when it carries again, nothing is said."""
import os
import shutil
import subprocess
import sys
import time

from lib.command import Command, argument_parser
from lib.job import SKIP, Job, run_test, wait_until
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(60)
RANKS = 2
# Runs all in a network namespace that has only the loopback device.
INSIDE = ("--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
TCP_OF = {
    "mpich": {
        "UCX_TLS": "tcp,self",
        "UCX_NET_DEVICES": "lo",
        "FI_PROVIDER": "tcp",
        "FI_TCP_IFACE": "lo",
        "MPIR_CVAR_NOLOCAL": "1",
    },
    "openmpi": {
        "OMPI_MCA_pml": "ob1",
        "OMPI_MCA_btl": "tcp,self",
        "OMPI_MCA_btl_tcp_if_include": "lo",
        "OMPI_MCA_oob_tcp_if_include": "lo",
    },
}


def can_cut():
    """Whether namespaces of networks can be made."""
    if shutil.which("unshare") is None or shutil.which("nsenter") is None or shutil.which("ip") is None:
        return False
    return subprocess.run(["unshare", *INSIDE, "true"], stderr=subprocess.DEVNULL).returncode == 0


class NetworkTest(Report):
    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def why(self, job):
        """Returns the finding (None: the ranks were not all read) and the answer."""
        result = self.command.run("why", "--json", "--interval", "0.2", "--patience", "0.5", job.launcher)
        document = result.document()
        if document is None or any(one["state"] != "running" for one in document["processes"]):
            return None, result
        return document["findings"], result

    def set_network(self, job, state):
        line = ["nsenter", "--net", "--target", str(job.launcher), "ip", "link", "set", "lo", state]
        subprocess.run(line, check=True)

    def await_answer(self, job, is_right, text):
        last = [None, None]

        def is_there():
            last[:] = self.why(job)
            return last[0] is not None and is_right(last[0])

        self.check(wait_until(is_there, SECONDS, 0.2), f"{text}: {last[1]}")
        return last

    def cut_off(self, job):
        findings, result = self.await_answer(
            job, lambda findings: [one["kind"] for one in findings] == ["library-stall"], "cut off"
        )
        if not findings:
            return
        texts = [one["text"] for one in findings[0]["evidence"]]
        self.check(
            any(text.startswith("tcp 127.0.0.1:") and "not acknowledged" in text for text in texts),
            f"connections: {result}",
        )
        self.check("that are not acknowledged" in findings[0]["message"], f"message: {result}")

    def run(self):
        options = [*INSIDE, self.arguments.mpiexec]
        program = [self.command.path, "run", os.path.abspath(self.arguments.program)]
        environment = TCP_OF[self.arguments.flavour]
        with Job("unshare", RANKS, program, options, environment=environment) as job:
            self.await_answer(job, lambda findings: not findings, "at work")
            self.set_network(job, "down")
            down = time.monotonic()
            self.cut_off(job)
            self.set_network(job, "up")
            job.tell("end")
            tries_again = time.monotonic() - down  # TCP waits twice as long each time
            self.check(
                wait_until(job.has_ended, SECONDS + 2 * tries_again), "the job does not end when its network is back"
            )
        return not self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()
    if arguments.flavour not in TCP_OF:
        print(f"SKIPPED: it is not known how {arguments.flavour} is told to use TCP")
        return SKIP
    if not can_cut():
        print("SKIPPED: network namespaces cannot be made here (that takes root, unshare, nsenter and ip)")
        return SKIP
    return run_test(NetworkTest(arguments))


if __name__ == "__main__":
    sys.exit(main())
