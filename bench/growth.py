#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does a call cost more the more there is? (The size of the world: world_size.c.) Instructions of one iteration in the runtime's own
code, by callgrind, beside few and many threads, communicators, requests and earlier calls; and the slope: the cost of one more of them.

growth.py --program PROGRAM --runtime LIBRARY
"""
import argparse
import os
import shutil
import sys

from callgrind_run import measure, pairs_of_runs

KINDS = ("threads", "communicators", "requests", "earlier calls")


def instructions_by_size(program, runtime, kind):
    """{name: {size: instructions of one iteration}}; the program says the size in the place of the blocking operations"""
    library = os.path.basename(os.path.realpath(runtime))
    runs = measure(program, runtime, None, [kind])
    result = {}
    for few, many in pairs_of_runs(runs):
        added = many.by_object.get(library, 0) - few.by_object.get(library, 0)
        result.setdefault(few.name, {})[few.blocking] = added / (many.iterations - few.iterations)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--runtime", required=True)
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return 77
    print("Instructions of the runtime in one iteration, by how many there are")
    for kind in KINDS:
        for name, by_size in instructions_by_size(options.program, options.runtime, kind).items():
            smallest, largest = min(by_size), max(by_size)
            slope = (by_size[largest] - by_size[smallest]) / (largest - smallest)
            columns = "  ".join(f"{size}: {count:.1f}" for size, count in by_size.items())
            print(f"{name:32} {columns}  slope {slope:.5f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
