#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Types command lines into bash, zsh and fish, and compares what they offer to complete. Arguments: the command, and the directory of the
completions."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

SKIP = 77

# A line that is completed, what must be among the offers, and what must not be.
CASES = [
    ("mpilens wa", {"watch"}, {"why"}),
    ("mpilens why --sa", {"--samples"}, {"--stop"}),
    ("mpilens show --color=n", {"never"}, {"always"}),
    ("mpilens run --mpi mp", {"mpich"}, {"openmpi"}),
    ("mpilens run --unexpected=exact --sync", {"--synchronous"}, set()),
    ("mpilens explain tag", {"tag-mismatch"}, {"deadlock"}),
    ("mpilens handle 1 dat", {"datatype"}, {"comm"}),
    ("mpilens why hang", {"hang.mpilens"}, set()),
    ("mpilens why --html page", {"page.html"}, {"hang.mpilens"}),
    ("mpilens run -- myprog", {"myprogram"}, set()),
]

BASH = r"""
source "$1/mpilens.bash"
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
compopt() { :; }
complete_line() {
    local line=$1
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line == *" " || $line == *= ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
    _mpilens
    printf '%s\n' "${COMPREPLY[@]}"
}
complete_line "$2"
"""


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, command, environment):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)

    def read_until(self, pattern, seconds=20):
        text = ""
        end = time.monotonic() + seconds * float(os.environ.get("MPILENS_TEST_PATIENCE", "1"))
        while not re.search(pattern, text) and time.monotonic() < end:
            if select.select([self.file], [], [], 0.2)[0]:
                try:
                    text += os.read(self.file, 65536).decode(errors="replace")
                except OSError:
                    break
        return text

    def write(self, text):
        os.write(self.file, text.encode())

    def close(self):
        os.close(self.file)
        os.waitpid(self.pid, 0)


def complete_in_bash(completions, lines, environment):
    for line in lines:
        command = ["bash", "--norc", "-c", BASH, "bash", completions, line]
        yield subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=60
        ).stdout.split()


def complete_in_fish(completions, lines, environment):
    for line in lines:
        command = ["fish", "--no-config", "-c", f"source {completions}/mpilens.fish; complete -C '{line}'"]
        said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
        yield [offer.split("\t")[0].rpartition("=")[2] for offer in said.splitlines()]


def complete_in_zsh(completions, lines, environment):
    """Types the lines, and the key that lists what fits: zsh has no command for it."""
    with open(os.path.join(environment["HOME"], ".zshrc"), "w", encoding="utf-8") as file:
        file.write(f"fpath=({completions} $fpath); autoload -Uz compinit; compinit -u -D\n")
        file.write("unsetopt beep list_types; LISTMAX=1000; zstyle ':completion:*' list-separator '#'\n")
        file.write("bindkey '^I' list-choices; PS1='READ''Y> '\n")
    terminal = Terminal(["zsh", "-i"], {**environment, "TERM": "dumb", "COLUMNS": "200"})
    terminal.read_until("READY> ")
    for line in lines:
        terminal.write(line + "\t")
        said = terminal.read_until(r"\n(.|\n)*READY> ")
        terminal.write("\x15\n")
        terminal.read_until("READY> ")
        yield re.findall(r"[^\s#=]+", said.partition("\n")[2].partition("READY> ")[0])
    terminal.write("exit\n")
    terminal.close()


SHELLS = {"bash": complete_in_bash, "zsh": complete_in_zsh, "fish": complete_in_fish}


def main(mpilens, completions):
    shells = [shell for shell in SHELLS if shutil.which(shell)]
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        os.symlink(os.path.abspath(mpilens), os.path.join(directory, "mpilens"))
        for name in "hang.mpilens", "page.html", "myprogram":
            with open(os.path.join(directory, name), "w", encoding="utf-8"):
                os.chmod(os.path.join(directory, name), 0o755)
        environment = {**os.environ, "PATH": directory + ":" + os.environ["PATH"], "HOME": directory}
        completions = os.path.abspath(completions)
        os.chdir(directory)
        for shell in shells:
            completed = SHELLS[shell](completions, [case[0] for case in CASES], environment)
            for (line, expected, unexpected), offers in zip(CASES, map(set, completed)):
                if not expected <= offers or offers & unexpected:
                    wrong.append(f"{shell}: {line}<TAB> gives {' '.join(sorted(offers)) or 'nothing'}")
        os.chdir("/")
    print(f"{len(CASES)} lines completed in {', '.join(shells)}", *wrong, sep="\n")
    return 1 if wrong else 0 if len(shells) == len(SHELLS) else SKIP


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
