# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens top` at a terminal: keys, sizes, the end of the job, and that the terminal is as before, whatever ends it."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from lib.command import argument_parser
from lib.job import JobTest, wait_until
from lib.patience import at_most

SECONDS = at_most(60)
VERDICT = b"deadlock: ranks [0,1] wait for each other"
LEAVES_SCREEN = b"\x1b[?1049l"


class Screen:
    """The command at a terminal of its own."""

    def __init__(self, command, arguments, rows=24, columns=80, terminal="xterm", verb="top", pager="more"):
        self.file, self.theirs = pty.openpty()
        self.resize(rows, columns)
        self.modes = termios.tcgetattr(self.theirs)
        environment = dict(os.environ, LC_ALL="C.UTF-8", TERM=terminal, MPILENS_PAGER=pager)
        self.process = subprocess.Popen(
            [command, verb, *map(str, arguments)],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=environment,
            start_new_session=True,
        )
        self.written = b""

    def resize(self, rows, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resized(self, rows, columns):
        """All that is on the screen then is drawn anew."""
        self.written = b""
        self.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def type(self, keys):
        self.written = b""
        os.write(self.file, keys)

    def read(self, seconds):
        if select.select([self.file], [], [], seconds)[0]:
            self.written += os.read(self.file, 65536)

    def text(self):
        """Without the movements of the cursor, and blanks where it has jumped over some."""
        return re.sub(rb"[ \r\n]+", b" ", re.sub(rb"\x1b(\[[?0-9;]*[A-Za-z]|\(.|[=>])", b" ", self.written))

    def shows(self, text):
        """Only what has changed is written, so the whole screen is asked for."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            self.written = b""
            os.write(self.file, b"\x0c")
            for _ in range(10):
                self.read(0.1)
                if text in self.text():
                    return True
        return False

    def reader(self):
        """The process that reads the job."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE, check=False
        )
        return [int(pid) for pid in listed.stdout.split()]

    def end(self):
        """The status, and whether the terminal is as before."""
        wait_until(lambda: self.process.poll() is not None or self.read(0.1), SECONDS)
        if self.process.poll() is None:
            self.process.kill()
        status = self.process.wait()
        for _ in range(5):
            self.read(0.1)
        is_same = termios.tcgetattr(self.theirs) == self.modes
        os.close(self.file)
        os.close(self.theirs)
        return status, is_same


class TopTest(JobTest):
    def expect(self, screen, *texts):
        for text in texts:
            self.check(screen.shows(text), f"not {text}:\n{screen.text().decode(errors='replace')}")

    def expect_end(self, what, screen, status, *texts):
        ended, is_same = screen.end()
        self.check(ended == status, f"{what}: status {ended}, not {status}")
        self.check(is_same, f"{what}: the terminal has other modes")
        self.check(LEAVES_SCREEN in screen.written, f"{what}: the screen is still full")
        for text in texts:
            self.check(text in screen.text(), f"{what}: not {text}:\n{screen.text().decode(errors='replace')}")

    def keys(self, job):
        screen = Screen(self.command.path, [job.launcher, "--interval", 2])
        self.expect(screen, VERDICT, b" rr ", b"2 r waits for a receive or message", b"WAITED FOR", b"q quit")
        screen.type(b"r1\r")
        self.expect(screen, b"mpilens show --rank 1", b"receive peer 0, tag 2")
        screen.type(b"qs\r")
        self.expect(screen, b"mpilens show --stack", b"main (recv_recv.c:")
        screen.type(b"qv")
        self.expect(screen, b"mpilens why", b"remedy: ")
        screen.type(b"q")
        self.expect(screen, VERDICT)
        screen.type(b"fnowhere\r")
        self.expect(screen, b"0 of 2 ranks: on hosts with 'nowhere'")
        for pid in screen.reader():
            os.kill(pid, signal.SIGSTOP)
        screen.type(b"felsewhere\rf\r")
        self.expect(screen, b"q quit")  # both have been typed before it can read the first one
        for pid in screen.reader():
            os.kill(pid, signal.SIGCONT)
        self.expect(screen, b"2 r waits")
        for rows, columns in ((1, 1), (2, 7), (5, 20)):
            screen.resized(rows, columns)
            time.sleep(0.2)
        self.check(screen.process.poll() is None, "a tiny terminal ends it")
        screen.resized(60, 200)
        self.expect(screen, b"v verdict o order", b"at recv_recv.c:15; rank 1 is in MPI_Recv")
        screen.type(b"q")
        self.expect_end("q", screen, 0)

    def ends(self, job):
        screen = Screen(self.command.path, [job.launcher])
        self.expect(screen, b"q quit")
        screen.process.send_signal(signal.SIGINT)  # as the terminal does on ^C
        self.expect_end("^C", screen, 0)
        screen = Screen(self.command.path, [job.launcher])
        self.expect(screen, b"q quit")
        screen.process.terminate()
        self.expect_end("SIGTERM", screen, -signal.SIGTERM)
        screen = Screen(self.command.path, [job.launcher])
        self.expect(screen, b"q quit")
        for pid in screen.reader():
            os.kill(pid, signal.SIGSEGV)
        self.expect_end("a reader that crashes", screen, 3, b"the process that reads the job was ended by signal 11")

    def refused(self, job):
        for terminal, text in (
            ("dumb", b"has no cursor to move"),
            ("", b"TERM is not set"),
            ("nosuch", b"is not known"),
        ):
            screen = Screen(self.command.path, [job.launcher], terminal=terminal)
            status, is_same = screen.end()
            self.check(status == 3 and is_same and text in screen.text(), f"TERM={terminal}: {status} {screen.text()}")
        piped = self.command.run("top", job.launcher)
        self.check(piped.status == 3 and "mpilens watch" in piped.diagnostics, f"{piped}")

    def paged(self, path):
        """The same output on terminals of other sizes, through a pager that marks it, or ends before it has read all."""
        for rows, pager, options, is_paged in (
            (4, "sed s/^/paged:/", [], True),
            (60, "sed s/^/paged:/", [], False),
            (4, "sed s/^/paged:/", ["--no-pager"], False),
            (4, "", [], False),
            (4, "/no/such/pager", [], False),
        ):
            screen = Screen(self.command.path, [path, *options], rows=rows, verb="why", pager=pager)
            status, is_same = screen.end()
            text = screen.text()
            self.check(status == 1 and is_same and VERDICT in text, f"why, {rows} rows, {pager}: {status} {text}")
            self.check((b"paged:" in text) == is_paged, f"why, {rows} rows, {pager}, {options}: {text}")
        screen = Screen(self.command.path, [path], rows=4, verb="why", pager="true")
        status, _ = screen.end()
        self.check(status == 1, f"a pager that ends at once: status {status}")

    def snapshot(self, job, path):
        self.command.run("snapshot", "-o", path, job.launcher)
        screen = Screen(self.command.path, [path])
        self.expect(screen, VERDICT, time.strftime(" %Y-").encode())  # not only the time of day
        screen.type(b"q")
        self.expect_end("of a snapshot", screen, 0)
        self.paged(path)

    def to_the_end(self):
        with self.job(self.arguments.computing) as job:
            self.come_to(job, "uu")
            screen = Screen(self.command.path, [job.launcher, "--interval", 0.2])
            self.expect(screen, b" uu ", b"nothing wrong found")
            job.tell("end")
            self.expect_end("the end of the job", screen, 0, b"mpilens: the job has ended", b"nothing wrong found")

    def unprepared(self):
        with self.job(self.arguments.hang, prepared=False) as job:
            self.come_to(job, "rr")
            screen = Screen(self.command.path, [job.launcher, "--interval", 0.2])
            self.expect(screen, b" rr ", b"2 r waits for a receive or message", b"MPI_Recv(")
            screen.type(b"q")
            self.expect_end("without the runtime", screen, 0)

    def run(self):
        with self.job(self.arguments.hang) as job:
            self.come_to(job, "rr")
            self.keys(job)
            self.ends(job)
            self.refused(job)
            with tempfile.TemporaryDirectory(prefix="mpilens-top-") as directory:
                self.snapshot(job, os.path.join(directory, "hang.mpilens"))
        self.to_the_end()
        self.unprepared()
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--hang", required=True, help="both ranks wait for messages")
    parser.add_argument("--computing", required=True, help="computes until it is told to end, with messages under way")
    return TopTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
