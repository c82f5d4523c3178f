#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What does the runtime cost a real application? User time of all its ranks, bare and with the runtime, in turns: medians, and
the quartiles of what the runs of one turn are over each other. Then the instructions of rank 0, by callgrind.

application.py --runtime LIBRARY --mpiexec LAUNCHER [--ranks NUMBER] [--pairs NUMBER] [--peer LIBRARY]... COMMAND...

--peer: a library that is preloaded instead of the runtime, in every turn too, such as a profiler. Ranks that wait spin: on a
machine with fewer free processors than ranks, user time says little. For example, with Debian's packages hpcc and
netpipe-mpich2:

    cd /tmp && sed 's/^2 .*Ps$/1 Ps/' < /usr/share/doc/hpcc/examples/_hpccinf.txt > hpccinf.txt
    application.py --runtime build/runtime/libmpilens-openmpi.so --mpiexec mpiexec.openmpi hpcc
    application.py --runtime build/runtime/libmpilens-mpich.so --mpiexec mpiexec.mpich NPmpich2 -u 65536
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from callgrind_run import read_counts

LAUNCHED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
RANK_VARIABLES = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID")
COUNT_RANK_0 = f"""
for rank in {" ".join(f"${{{name}:-}}" for name in RANK_VARIABLES)}; do [ "$rank" = 0 ] && is_counted=1; done
[ -z "${{is_counted:-}}" ] || exec valgrind --tool=callgrind --callgrind-out-file="$0" "$@"
exec "$@"
"""


def command_of(options, preload, wrapper=()):
    environment = ["env", f"LD_PRELOAD={os.path.abspath(preload)}"] if preload else []
    return [options.mpiexec, "-n", str(options.ranks), *environment, *wrapper, *options.command]


def run(options, command):
    """Seconds of user time of all processes that it started"""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            env=dict(os.environ, **LAUNCHED),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            printed = output.read().decode(errors="replace")[-2000:]
            sys.exit(f"{' '.join(command)} ended with status {process.returncode}:\n{printed}")
    return usage.ru_utime


def measure_times(options, ways):
    """{way: [seconds of each turn]}"""
    times = {name: [] for name in ways}
    order = list(ways)
    for turn in range(options.pairs):
        first = turn % len(order)
        for name in order[first:] + order[:first]:
            times[name].append(run(options, command_of(options, ways[name])))
    return times


def print_times(options, times):
    print(f"User time of {options.ranks} ranks, {options.pairs} turns, seconds")
    print(f'{"":24} {"median":>9} {"quartile":>9} {"over bare":>9} {"quartile":>9}')
    for name, seconds in times.items():
        ratios = sorted(here / bare for here, bare in zip(seconds, times["bare"]))
        quartiles = ratios[len(ratios) // 4], ratios[len(ratios) - 1 - len(ratios) // 4]
        print(
            f"{name:24} {statistics.median(seconds):9.3f} {quartiles[0]:9.3f} {statistics.median(ratios):9.3f}"
            f" {quartiles[1]:9.3f}",
            flush=True,
        )


def count_instructions(options, preload):
    """(all, {object: instructions in its own code}) of rank 0"""
    with tempfile.TemporaryDirectory(prefix="mpilens-bench-") as directory:
        path = os.path.join(directory, "callgrind")
        run(options, command_of(options, preload, ["sh", "-c", COUNT_RANK_0, path]))
        with open(path) as file:
            return read_counts(file)


def print_instructions(options, ways):
    """Instructions of the whole rank depend on how long it waits for others; those in the library's own code do not."""
    print(f'Instructions of rank 0 of {options.ranks}\n{"":24} {"all":>16} {"its own code":>16} {"share":>9}')
    for name, preload in ways.items():
        total, by_object = count_instructions(options, preload)
        own = by_object.get(os.path.basename(os.path.realpath(preload)), 0) if preload else 0
        print(f"{name:24} {total:16,} {own:16,} {own / total:9.5f}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", 1)[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--runtime", required=True, help="the library to measure")
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=10, help="runs of each kind")
    parser.add_argument("--peer", action="append", default=[], help="another library to compare with")
    parser.add_argument("--only", choices=("times", "instructions"), help="only this table")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the application and its arguments")
    options = parser.parse_args()
    if not options.command:
        parser.error("no application")
    ways = {"bare": None, "runtime": options.runtime}
    ways.update((os.path.basename(peer), peer) for peer in options.peer)
    print(f'{" ".join(options.command)}; load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors', flush=True)
    if options.only != "instructions":
        run(options, command_of(options, None))
        print_times(options, measure_times(options, ways))
        print(f"load {os.getloadavg()[0]:.1f}")
    if options.only != "times" and shutil.which("valgrind"):
        print_instructions(options, ways)


if __name__ == "__main__":
    main()
