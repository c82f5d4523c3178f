# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens guard` in a terminal and in the background of a shell: ^C, ^Z, typed input, and how the terminal changes hands."""
import os
import pty
import select
import signal
import subprocess
import sys
import time

from lib.command import argument_parser
from lib.guard import FAILED, SECONDS, GuardScenario
from lib.job import environment_of_job, wait_until
from lib.report import Report

INTERRUPT, SUSPEND = b"\x03", b"\x1a"
VERDICT = b"deadlock: ranks [0,1] wait for each other"


class Terminal(GuardScenario):
    """The command line is the leader of a session with a terminal of its own."""

    def open(self, *line):
        environment = environment_of_job(self.directory, LC_ALL="C.UTF-8", PS1="")
        self.written = b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(self.directory)
            os.execvpe(line[0], list(line), environment)

    def guard(self, *job, options=()):
        return [
            self.command.path,
            "guard",
            "--timeout",
            str(SECONDS),
            "--mpi",
            self.arguments.flavour,
            *options,
            "--",
            *job,
        ]

    def type(self, text):
        os.write(self.file, text)

    def read_until(self, text=None):
        """None: the end."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and (text is None or text not in self.written):
            if not select.select([self.file], [], [], 0.1)[0]:
                continue
            try:
                part = os.read(self.file, 65536)
            except OSError:
                part = b""
            if not part:
                break
            self.written += part
        good = text is None or text in self.written
        self.check(good, f"not {text}:\n{self.written.decode(errors='replace')}")
        return good

    def end_status(self):
        self.read_until()
        ended = wait_until(lambda: os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT), SECONDS)
        if not ended:
            os.kill(self.pid, signal.SIGKILL)
        self.check(ended, f"no end:\n{self.written.decode(errors='replace')}")
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.file)
        self.check(not self.wait_until_gone(), f"left over: {self.left()}")
        return status

    def wait_until_hung(self):
        wait_until(lambda: any(self.command.run("why", pid).status == 1 for pid in self.left()), SECONDS)

    def snapshots(self):
        return [name for name in os.listdir(self.directory) if name.endswith(".mpilens")]

    def before(self, *texts):
        """In this order."""
        places = [self.written.find(text) for text in texts]
        self.check(-1 not in places and places == sorted(places), f"{texts} at {places}:\n{self.written.decode()}")

    def interrupted(self):
        """The verdict comes first, though launchers kill the ranks on ^C at once."""
        self.open(*self.guard(*self.job()))
        self.wait_until_hung()
        self.type(INTERRUPT)
        status = self.end_status()
        self.check(status not in (0, 124), f"^C: status {status}")
        self.before(b"SIGINT (Interrupt) has come for ", VERDICT, b"saved; inspect with: ", b"SIGINT goes to ")
        self.expect_headline("^C", self.written.decode())
        self.check(len(self.snapshots()) == 1, f"^C: snapshots {self.snapshots()}")

    def interrupted_twice(self):
        """Nothing of the job heeds it, and it would have all the time to end."""
        script = f'trap "" INT TERM; {" ".join(self.job())}; sleep {10 * SECONDS} & wait'
        self.open(*self.guard("sh", "-c", script, options=["--no-snapshot", "--kill-after", str(10 * SECONDS)]))
        self.wait_until_hung()
        self.type(INTERRUPT)
        self.read_until(b"SIGINT goes to sh now")
        self.type(INTERRUPT)
        status = self.end_status()
        self.check(status == 128 + signal.SIGINT, f"twice ^C: status {status}")
        self.before(VERDICT, b"SIGINT goes to sh now", b"SIGKILL for all that is left: ")

    def typed(self):
        """Typed input goes to the job; a job that opens the terminal itself gets it, and gives it back."""
        job = ["sh", "-c", f"read a; echo got $a; read b < /dev/tty; echo lent $b; exit {FAILED}"]
        self.open("sh", "-c", '"$@"; echo status $?; read c < /dev/tty; echo back $c', "sh", *self.guard(*job))
        self.type(b"one\n")
        if self.read_until(b"got one"):
            self.check(wait_until(lambda: os.tcgetpgrp(self.file) != self.pid, SECONDS), "the terminal is not lent")
            self.type(b"two\n")
            self.read_until(f"lent two\r\nstatus {FAILED}".encode())
            self.type(b"three\n")
            self.read_until(b"back three")
        self.end_status()

    def suspended(self):
        """Guard and job stop and go on together."""
        job = self.guard("sh", "-c", "echo ready; read a; echo got $a")
        self.open("bash", "-m", "-c", '"$@"; ps -ww -o stat,args; echo stopped; fg; echo status $?', "bash", *job)
        self.read_until(b"ready")
        self.type(SUSPEND)
        if self.read_until(b"\nstopped"):
            states = [
                line.split()[0] for line in self.written.splitlines() if b"echo ready" in line and line[:1] == b"T"
            ]
            self.check(len(states) == 2, f"not stopped:\n{self.written.decode()}")
            self.type(b"four\n")
            self.read_until(b"got four\r\nstatus 0")
        self.end_status()

    def in_background(self):
        """Typed input is for others; guard is not stopped for reading."""
        job = self.guard("sh", "-c", "echo ready; sleep 1; echo good")
        self.open("bash", "-m", "-c", '"$@" & read a; echo shell has $a; wait; echo status $?', "bash", *job)
        self.read_until(b"ready")
        self.type(b"five\n")
        self.read_until(b"shell has five")
        self.read_until(b"good")
        self.read_until(b"status 0")
        self.end_status()

    def in_pipeline(self):
        """Without a terminal; timeout sends the signal to its group, where the job is not."""
        line = ["timeout", "--kill-after", str(SECONDS), "-s", "INT", str(SECONDS), *self.guard(*self.job())]
        first = subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.directory,
            env=environment_of_job(self.directory, LC_ALL="C.UTF-8"),
            start_new_session=True,
        )
        self.wait_until_hung()
        first.send_signal(signal.SIGINT)
        self.written = first.communicate(timeout=SECONDS)[0]
        self.check(first.returncode not in (0, 124), f"in a pipeline: status {first.returncode}")
        self.before(b"SIGINT (Interrupt) has come for ", VERDICT, b"saved; inspect with: ")


OF_ONE_MPI = [Terminal.typed, Terminal.suspended, Terminal.in_background]
OF_EACH_MPI = [Terminal.interrupted, Terminal.interrupted_twice, Terminal.in_pipeline]


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--flavour", required=True, help="the same as --mpi names it")
    parser.add_argument("--hang", required=True, help="program whose two ranks wait for each other")
    parser.add_argument("--same", action="store_true", help="also what is the same with every MPI")
    arguments = parser.parse_args()
    arguments.computing = arguments.hang
    report = Report()
    for what in OF_EACH_MPI + (OF_ONE_MPI if arguments.same else []):
        report.problems += Terminal(arguments).run(what).problems
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
