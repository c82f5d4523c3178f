# SPDX-License-Identifier: BSD-3-Clause
"""The output of a command on a terminal of some width."""
import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import unicodedata

from lib.patience import at_most

SECONDS = at_most(60)


def run_on_terminal(columns, arguments, environment, interrupted_after=None):
    """All that it writes to standard output and standard error, as bytes, with the line ends of a file. SIGINT comes once, when it has written
    `interrupted_after`."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    written = b""
    with subprocess.Popen(
        ["timeout", str(SECONDS), *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # nobody has it open any more
                break
            if not part:
                break
            written += part
            if interrupted_after is not None and interrupted_after in written:
                with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
                    os.kill(int(file.read()), signal.SIGINT)  # timeout would send it twice
                interrupted_after = None
        process.wait()
    os.close(ours)
    return written.replace(b"\r\n", b"\n")


def columns_of(text):
    """Cells of a terminal that a line takes."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )
