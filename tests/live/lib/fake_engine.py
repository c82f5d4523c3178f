#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Stands for ssh ("ssh [OPTION...] HOST COMMAND") or an engine of the user ("fake_engine.py all HOSTS COMMAND..."): runs the
command here, for the ranks that a host is said to have, and does what hosts and networks do at their worst. The variable
FAKE_HOSTS is a JSON object: {host: [what, pid, ...]}."""
import json
import os
import shlex
import subprocess
import sys
import time

GARBAGE_LINES = 2000
# A flood is as fast as it can be for so long, in which all others have answered; then it only never ends.
FLOOD_SECONDS = 1  # of the processor
PAUSE_SECONDS = 0.02


def run(host, command):
    """The exit status."""
    what, *pids = json.loads(os.environ["FAKE_HOSTS"])[host]
    if what == "dead":
        print(f"ssh: connect to host {host} port 22: No route to host", file=sys.stderr)
        return 255
    if what == "missing":
        print(f"bash: line 1: {command[0]}: No such file or directory", file=sys.stderr)
        return 127
    while what == "flood":
        sys.stdout.write(f"@mpilens {host} 2.0 AAAA 00000000\n" * GARBAGE_LINES)
        if time.process_time() > FLOOD_SECONDS:
            time.sleep(PAUSE_SECONDS)
    if what == "silent":
        print("@mpilens", end="", flush=True)
        time.sleep(100000)
    words = command[: command.index("--")] + ["--as", host, "--", *map(str, pids)]
    if what == "torn":
        part = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        for line in part.stdout:
            if f"@mpilens {host} 2.1 " not in line:
                print(line, end="", flush=True)
        return part.wait()
    status = subprocess.call(words)
    if what == "never ending":
        time.sleep(100000)
    return status


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "all":
        hosts = arguments[1].split(",")
        children = [subprocess.Popen([sys.executable, __file__, host, shlex.join(arguments[2:])]) for host in hosts]
        return max(child.wait() for child in children)
    while arguments[0].startswith("-"):
        arguments.pop(0)
    return run(arguments[0], shlex.split(arguments[1]))


if __name__ == "__main__":
    sys.exit(main())
