#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does the cost of a verdict grow with the job, and no faster? Processor time and peak memory of `mpilens why` on
snapshots of jobs of 1,000 to 1,000,000 ranks, also for each rank.

scale.py --mpilens COMMAND --write PROGRAM [--most RANKS] [--operations OPERATIONS] [--plot FILE]

PROGRAM is synthetic_snapshot. --plot draws both (needs python3-matplotlib).
"""
import argparse
import os
import subprocess
import sys
import tempfile

from commands import PATTERNS, measure

LEAST_RANKS = 1000
VERDICT = 1


def sizes(most):
    ranks = LEAST_RANKS
    while ranks <= most:
        yield ranks
        ranks *= 10


def cost(options, pattern, ranks):
    """(seconds, MiB)"""
    with tempfile.TemporaryDirectory() as directory:
        snapshot = os.path.join(directory, "snapshot")
        subprocess.run([options.write, str(pattern), str(ranks), str(options.operations), snapshot], check=True)
        status, seconds, peak, _ = measure([options.mpilens, "why", snapshot])
    if status != VERDICT:
        sys.exit(f"mpilens why of {ranks} ranks in '{PATTERNS[pattern]}': status {status} instead of a finding")
    return seconds, peak / 1024


def series(options):
    """{pattern: [(ranks, seconds, MiB)]}"""
    lines = {}
    for number, pattern in enumerate(PATTERNS):
        print(f"{pattern}, {options.operations} operations of each rank")
        lines[pattern] = []
        for ranks in sizes(options.most):
            seconds, mib = cost(options, number, ranks)
            lines[pattern].append((ranks, seconds, mib))
            print(
                f"  {ranks:8} ranks {seconds:8.2f} s {mib:8.0f} MiB at most {seconds / ranks * 1e6:8.1f} us and "
                f"{mib / ranks * 1024:6.1f} KiB for each rank",
                flush=True,
            )
    return lines


def plot(lines, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "mpilens"
    from matplotlib import pyplot

    figure, (of_time, of_memory) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for pattern, points in lines.items():
        ranks, seconds, mib = zip(*points)
        of_time.loglog(ranks, seconds, marker="o", label=pattern)
        of_memory.loglog(ranks, mib, marker="o", label=pattern)
    for axes, unit in ((of_time, "processor time, s"), (of_memory, "peak memory, MiB")):
        axes.set(xlabel="ranks", ylabel=unit)
        axes.grid(True, which="major", alpha=0.4)
    of_time.legend(fontsize="small")
    figure.suptitle("mpilens why, from a snapshot")
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--write", required=True)
    parser.add_argument("--most", type=int, default=100000, help="ranks of the largest job")
    parser.add_argument("--operations", type=int, default=10, help="of each rank")
    parser.add_argument("--plot", help="a file for the drawing")
    options = parser.parse_args()
    lines = series(options)
    if options.plot is not None:
        plot(lines, options.plot)


if __name__ == "__main__":
    main()
