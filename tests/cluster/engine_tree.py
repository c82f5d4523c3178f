#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An engine as a user may write one: every fourth host runs the command on itself and the next three, and merges what they
say. Arguments: the hosts, "n1,n2", and the words of the command."""
import shlex
import subprocess
import sys

HOSTS_OF_GATEWAY = 4
SSH = ["ssh", "-oBatchMode=yes", "-oConnectTimeout=5"]


def main():
    hosts, command = sys.argv[1].split(","), sys.argv[2:]
    running = []
    for first in range(0, len(hosts), HOSTS_OF_GATEWAY):
        gateway, *_ = group = hosts[first : first + HOSTS_OF_GATEWAY]
        parts = [shlex.join([*SSH, "-n", host, shlex.join(command)]) + " &" for host in group]
        merge = shlex.join([command[0], "part", "--merge"])
        script = f"({' '.join(parts)} wait) | {merge}"
        running.append(subprocess.Popen([*SSH, "-n", gateway, script]))
    for process in running:
        process.wait()


if __name__ == "__main__":
    main()
