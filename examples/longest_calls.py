#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The verdict and a bar for each rank, as long as it has been in its call, by the module mpilens.

    longest_calls.py                # the only job; or a PID, a snapshot, core files
    PYTHONPATH=PREFIX/share/mpilens/python, unless the module file of mpilens is loaded
"""
import sys

import mpilens

WIDTH = 40


def printable(text):
    """Names are the program's: unprintable characters must not get to a terminal."""
    return "".join(one if one.isprintable() else "?" for one in text)


def main():
    job = mpilens.read(*sys.argv[1:])
    longest = max((row["age_s"] or 0 for row in job.ranks), default=0)
    print(printable(job.verdict))
    for row in sorted(job.ranks, key=lambda row: -(row["age_s"] or 0)):
        bar = "#" * round(WIDTH * (row["age_s"] or 0) / longest) if longest else ""
        waits = [one for one in job.queues if one["rank"] == row["rank"] and one["queue"] == "receives"]
        awaited = ", ".join(f'rank {one["peer"]}, tag {one["tag"]}' for one in waits)
        where = f'{row["path"]}:{row["line"]}' if row["path"] else ""
        print(printable(f'{row["rank"]:>6} {bar:<{WIDTH}} {row["function"] or "-"} {where} {awaited}').rstrip())


if __name__ == "__main__":
    try:
        main()
    except mpilens.Error as error:
        sys.exit(str(error))
