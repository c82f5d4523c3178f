# SPDX-License-Identifier: BSD-3-Clause
"""The language matrix: one program in several languages on several MPIs. The output of `mpilens show` about it must be the same in every
cell but for addresses, and every call must be found at its line in that program's own source."""
import argparse
import copy
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from lib.command import Command
from lib.job import HANG_SECONDS, PAUSE_SECONDS, SKIP, Job
from lib.normal_form import WRONG, NormalForm, differences
from lib.python_mpi import environment_of, has_mpi4py
from lib.source import Source

RANKS = 4
AT_A_TIME = 4  # cells, which mostly wait


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument(
        "--cell",
        nargs=4,
        action="append",
        metavar=("NAME", "MPIEXEC", "SOURCE", "PROGRAM"),
        default=[],
        help="a compiled program; the first one is the reference",
    )
    parser.add_argument(
        "--cell-of-other-names",
        nargs=5,
        action="append",
        default=[],
        metavar=("SITES", "NAME", "MPIEXEC", "SOURCE", "PROGRAM"),
        help="likewise, but compiled so that its MPI knows its calls and not its MPI_BOTTOM and MPI_IN_PLACE; "
        "SITES: own, or binding if its calls may be seen where the binding makes them",
    )
    parser.add_argument(
        "--python-cell",
        nargs=6,
        action="append",
        default=[],
        metavar=("NAME", "MPIEXEC", "SCRIPT", "PYTHON", "PYTHONPATH", "LIBRARY"),
        help="mpi4py for that MPI in PYTHONPATH, or where PYTHON looks if that is empty; LIBRARY: name of "
        "the MPI in MPI_Get_library_version",
    )
    return parser.parse_args()


def calls(document):
    """Functions that the main threads are in."""
    return [
        process["threads"][0]["call"]["function"] if process["threads"] and process["threads"][0]["call"] else None
        for process in document["processes"]
    ]


def read_hung(command, mpiexec, line, environment):
    """The document of the job as soon as every rank is in its last call. A rank may have got there while it was being read, so
    that is read once more."""
    with Job(mpiexec, RANKS, [command.path, "run", *line], environment=environment) as job:
        deadline = time.monotonic() + HANG_SECONDS
        result, hung = None, False
        while time.monotonic() < deadline and job.process.poll() is None:
            result = command.show("--json", job.launcher)
            document = result.document()
            if hung and result.status == 0:
                return document
            hung = result.status == 0 and calls(document) == ["MPI_Recv"] + (RANKS - 1) * ["MPI_Wait"]
            if hung:
                job.demote()
            else:
                time.sleep(PAUSE_SECONDS)
        raise SystemExit(f"{line} did not hang as it should:\n{result}\n{job.printed()}")


def without_sites(reference):
    """The visible facts of a program that has no sites of its own."""
    result = copy.deepcopy(reference)

    def strip(value):
        if isinstance(value, dict):
            for key in value:
                if key.endswith("site") and value[key] is not None:
                    value[key] = "somewhere"
                elif key == "operations" and isinstance(value[key], list):
                    value[key] = sorted(f"{one.split()[0]} somewhere" for one in value[key])
                else:
                    strip(value[key])
        elif isinstance(value, list):
            for one in value:
                strip(one)

    strip(result)
    return result


def without_buffers(value):
    """A normal form in which buffers are only there."""
    if isinstance(value, dict):
        return {key: "somewhere" if key == "buffer" else without_buffers(one) for key, one in value.items()}
    return [without_buffers(one) for one in value] if isinstance(value, list) else value


def without(process, kinds):
    """A normal form without the objects of some kinds."""
    return dict(process, objects=[one for one in process.get("objects", []) if one["kind"] not in kinds])


class Matrix:
    def __init__(self, command):
        self.command = command
        self.reference = None
        self.wrong = []
        self.skipped = []

    def judge(self, name, found):
        print(f'{name}: {"as the reference" if not found else "WRONG"}', *found, sep="\n  ", flush=True)
        if found:
            self.wrong.append(name)

    def compiled(self, name, mpiexec, source, program):
        document = read_hung(self.command, mpiexec, [os.path.abspath(program)], {})
        cell = NormalForm(Source(source), os.path.basename(program)).document(document)
        self.reference = self.reference or cell
        wrong = ["a call at the wrong place"] if WRONG in repr(cell) else []
        self.judge(name, wrong + differences("rank", self.reference, cell))

    def compiled_with_other_names(self, sites, name, mpiexec, source, program):
        document = read_hung(self.command, mpiexec, [os.path.abspath(program)], {})
        cell = NormalForm(Source(source), os.path.basename(program)).document(document)
        strip = without_sites if sites == "binding" else copy.deepcopy
        wrong = ["a call at the wrong place"] if sites != "binding" and WRONG in repr(cell) else []
        self.judge(
            name, wrong + differences("rank", without_buffers(strip(self.reference)), without_buffers(strip(cell)))
        )

    def python(self, name, mpiexec, script, python, path, library):
        if not has_mpi4py(python, path, library):
            print(f"SKIPPED {name}: {python} has no mpi4py for {library}")
            self.skipped.append(name)
            return
        document = read_hung(self.command, mpiexec, [python, script], environment_of(path))
        cell = NormalForm(None, "MPI.", script).document(document)
        lacks = ("errhandler",)  # mpi4py makes none
        reference = [without(one, lacks) for one in without_sites(self.reference)]
        self.judge(name, differences("rank", reference, [without(one, lacks) for one in cell]))


def main():
    arguments = parse_arguments()
    matrix = Matrix(Command(arguments.mpilens))
    reference, *cells = arguments.cell
    matrix.compiled(*reference)
    tasks = [(matrix.compiled, cell) for cell in cells]
    tasks += [(matrix.compiled_with_other_names, cell) for cell in arguments.cell_of_other_names]
    tasks += [(matrix.python, cell) for cell in arguments.python_cell]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for task in [pool.submit(judge, *cell) for judge, cell in tasks]:
            task.result()
    print(f"{1 + len(tasks)} cells, {len(matrix.wrong)} wrong, {len(matrix.skipped)} skipped")
    return 1 if matrix.wrong else SKIP if matrix.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
