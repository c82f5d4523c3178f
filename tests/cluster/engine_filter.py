#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An engine whose output meets with an accident. It runs on a host of the cluster, as --engine of mpilens:

    engine_filter.py reorder COMMAND...         lines that come within a moment come in reverse order
    engine_filter.py tear HOST COMMAND...       of this host, every eleventh line breaks into two, and the halves change places
    engine_filter.py hold ROUND.WORD COUNT HELD GO-ON COMMAND...
        stops where a line of mpilens has the word for the COUNTth time, makes the file HELD, and goes on when there is GO-ON

Standard input is the command's."""
import os
import re
import select
import subprocess
import sys
import time

MOMENT_SECONDS = 0.2
MOST_HELD_SECONDS = 60
EVERY = 11


def bursts(pipe):
    """Lists of the whole lines that come together."""
    rest, lines = b"", []
    while True:
        if not select.select([pipe], [], [], MOMENT_SECONDS)[0]:
            yield lines
            lines = []
            select.select([pipe], [], [])
        data = os.read(pipe, 65536)
        if not data:
            break
        *whole, rest = (rest + data).split(b"\n")
        lines += whole
    yield lines + ([rest] if rest else [])


def write(lines):
    data = b"".join(line + b"\n" for line in lines)
    while data:
        data = data[os.write(1, data) :]


def reorder(pipe):
    for lines in bursts(pipe):
        write(reversed(lines))


def tear(pipe, host):
    count = 0
    for lines in bursts(pipe):
        for line in lines:
            if f"@mpilens {host} ".encode() in line:
                count += 1
                if count % EVERY == 0:
                    middle = len(line) // 2
                    write([line[middle:], line[:middle]])
                    continue
            write([line])


def hold(pipe, word, count, held, go_on):
    pattern = re.compile(rf"@mpilens \S+ {re.escape(word)}\b".encode())
    seen = 0
    for lines in bursts(pipe):
        for line in lines:
            if pattern.search(line):
                seen += 1
                if seen == int(count):
                    open(held, "w").close()
                    end = time.monotonic() + MOST_HELD_SECONDS
                    while not os.path.exists(go_on) and time.monotonic() < end:
                        time.sleep(0.02)
            write([line])


ACCIDENTS = {"reorder": (reorder, 0), "tear": (tear, 1), "hold": (hold, 4)}


def main():
    accident, count = ACCIDENTS[sys.argv[1]]
    arguments, command = sys.argv[2 : 2 + count], sys.argv[2 + count :]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ, PYTHONUNBUFFERED="1")) as engine:
        accident(engine.stdout.fileno(), *arguments)
    return engine.returncode


if __name__ == "__main__":
    sys.exit(main())
