#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long does the command take to show a live process with 10, 1,000 and 100,000 pending operations? Its
elapsed and its processor time; with 10 of them, nearly all of it is the command itself.

process_dump.py --program PROGRAM --runtime LIBRARY --mpilens COMMAND
"""
import argparse
import json
import os
import subprocess
import sys
import time

COUNTS = (10, 1000, 100000)
ROUNDS = 5


def timed(command):
    """(seconds, user seconds, system seconds, output) of one run"""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    output = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command} ended with status {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime, usage.ru_stime, output


def best(command):
    return min((timed(command) for _ in range(ROUNDS)), key=lambda run: run[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--mpilens", required=True)
    options = parser.parse_args()
    print(f"Milliseconds of the command, best of {ROUNDS}")
    print(f'{"pending":>10} {"command":>14} {"elapsed":>10} {"user":>10} {"system":>10} {"output bytes":>14}')
    for count in COUNTS:
        with subprocess.Popen(
            [options.program, str(count), "self"],
            env=dict(os.environ, LD_PRELOAD=options.runtime),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as target:
            try:
                target.stdout.readline()  # they are pending
                for verb in ("show", "show --json"):
                    elapsed, user, system, output = best([options.mpilens, *verb.split(), str(target.pid)])
                    print(
                        f"{count:10} {verb:>14} {elapsed * 1e3:10.1f} {user * 1e3:10.1f} {system * 1e3:10.1f}"
                        f" {len(output):14}"
                    )
                shown = sum(
                    len(communicator["receives"])
                    for process in json.loads(output)["processes"]
                    for communicator in process["communicators"]
                )
                if shown != count:
                    sys.exit(f"{shown} receives are shown, not {count}")
            finally:
                target.stdin.close()


if __name__ == "__main__":
    main()
