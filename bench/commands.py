#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What does a whole command cost that is given a snapshot of a very large job? Processor time, peak memory and size of
the output, of `mpilens show` and of all forms of `mpilens why`.

commands.py --mpilens COMMAND --write PROGRAM [--ranks RANKS] [--operations OPERATIONS] [--pattern NUMBER]

PROGRAM is synthetic_snapshot.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile

PATTERNS = ("ring of receives", "barrier but one", "master, any source", "alltoall, Waitall")
CASES = (
    ("why", []),
    ("why", ["--html", "-"]),
    ("why", ["--dot"]),
    ("why", ["--svg"]),
    ("why", ["--json"]),
    ("show", []),
    ("show", ["--json"]),
)
MOST_SECONDS = 300
PIECE_BYTES = 1 << 20


def measure(command):
    """(exit status, seconds of processor time, peak KiB, bytes of output)"""
    process = subprocess.Popen(
        ["prlimit", f"--cpu={MOST_SECONDS}", *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    output_bytes = 0
    while piece := os.read(process.stdout.fileno(), PIECE_BYTES):
        output_bytes += len(piece)
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, output_bytes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--write", required=True)
    parser.add_argument("--ranks", type=int, default=100000)
    parser.add_argument("--operations", type=int, default=10, help="of each rank")
    parser.add_argument("--pattern", type=int, choices=range(len(PATTERNS)), help="only this one")
    options = parser.parse_args()
    result = 0
    print(f"{options.ranks} ranks, {options.operations} operations each")
    for number, pattern in enumerate(PATTERNS):
        if options.pattern not in (None, number):
            continue
        with tempfile.TemporaryDirectory() as directory:
            snapshot = os.path.join(directory, "snapshot")
            subprocess.run(
                [options.write, str(number), str(options.ranks), str(options.operations), snapshot], check=True
            )
            print(f"{pattern}, {os.path.getsize(snapshot) / 1e6:.1f} MB")
            for verb, arguments in CASES:
                status, seconds, peak, output_bytes = measure([options.mpilens, verb, *arguments, snapshot])
                print(
                    f'  {" ".join([verb, *arguments]):16} {seconds:8.2f} s {peak / 1024:8.0f} MiB at most '
                    f"{output_bytes / 1e6:10.2f} MB written",
                    flush=True,
                )
                if status not in (0, 1):
                    print(f"  ended by {signal.Signals(-status).name if status < 0 else status}")
                    result = 1
    return result


if __name__ == "__main__":
    sys.exit(main())
