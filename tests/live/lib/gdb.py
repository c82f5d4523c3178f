# SPDX-License-Identifier: BSD-3-Clause
"""Sessions of gdb's command line."""
import os
import subprocess

from lib.patience import at_most

SECONDS = at_most(120)
MARK = "== "
# gdb's message when it happens.
NEWS = ("[Inferior ", "[New Thread ", "[Thread 0x", "[Detaching after fork")


class Gdb:
    """Runs batch sessions, each of a list of commands after which the output is cut into one part per command."""

    def __init__(self, options):
        self.options = options

    def line(self, arguments, commands):
        """The command that starts the session."""
        line = ["gdb", "-q", "-nx", "-batch", *self.options]
        for option in ("confirm off", "pagination off", "width 0", "height 0", "debuginfod enabled off"):
            line += ["-iex", f"set {option}"]
        line += arguments
        for command in commands:
            line += ["-ex", f"echo \\n{MARK}{command}\\n", "-ex", command]
        return line

    def run(self, arguments, commands):
        line = self.line(arguments, commands)
        environment = dict(os.environ, LC_ALL="C.UTF-8", HOME="/nonexistent")
        completed = subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
            env=environment,
            check=False,
        )
        return completed.stdout


def parts(output, commands):
    """[(command, lines)], without gdb's output before the first."""
    result = []
    for line in output.split("\n"):
        if line.startswith(MARK):
            result.append((line[len(MARK) :], []))
        elif result and line.strip() and not line.startswith(NEWS):
            result[-1][1].append(line.rstrip())
    assert [one for one, _lines in result] == list(commands), output
    return result
