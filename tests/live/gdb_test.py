# SPDX-License-Identifier: BSD-3-Clause
"""gdb with the mpilens scripts: scripted sessions on a hung rank of a real job, and on its core file. Their output is compared, line by
line, with gdb/handles.<language>.expected, where $LINE(mark) stands for a line of the program and 0x* for an address.

The scripts, runtime and DLL lie as an installation would put them, and gdb loads the scripts by itself.
"""
import argparse
import difflib
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from lib import dap
from lib.command import Command
from lib.gdb import Gdb, parts
from lib.job import PAUSE_SECONDS, SKIP, Job
from lib.length import IS_FULL
from lib.patience import at_most
from lib.source import Source

RANKS = 2
HANG_SECONDS = at_most(60)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--flavour", required=True, help="name of the runtime")
    parser.add_argument("--library", required=True, help="name of the MPI in MPI_Get_library_version")
    parser.add_argument("--case", nargs=4, action="append", metavar=("NAME", "SOURCE", "EXPECTED", "PROGRAM"))
    parser.add_argument(
        "--no-mpi", help="gdb/vendor_program.c, a program without MPI; none: what needs no MPI is left out"
    )
    parser.add_argument("--vendor-dll", help="gdb/vendor_dll.c")
    parser.add_argument("--print", action="store_true", help="print what is expected instead of comparing it")
    return parser.parse_args()


def install(build, directory):
    """The parts of an installation that gdb and a job need, below `directory`. Returns the directory of the libraries."""
    listed = json.loads(
        subprocess.run(["meson", "introspect", build, "--installed"], check=True, capture_output=True, text=True).stdout
    )
    libraries = None
    for source, installed in listed.items():
        if not installed.endswith((".so", ".so.1", ".py")) or not os.path.exists(source):
            continue
        path = os.path.join(directory, installed.lstrip("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(source, path)
        if installed.endswith("libmpilens_dll.so.1"):
            libraries = os.path.dirname(path)
            os.symlink(os.path.basename(path), path[: -len(".1")])
    return libraries


def normal(line):
    """Without addresses, handles and ids, and numbered values."""
    line = re.sub(r"/[\w/.-]*/", "/*/", line)  # first: the name of a directory may have what looks like an address
    line = re.sub(r"\b0x[0-9a-f]+", "0x*", line)
    line = re.sub(r"^ *\d+ +MPI_", "*  MPI_", line)  # a thread
    line = re.sub(r"\bpid = \d+", "pid = *", line)
    line = re.sub(r"\b\d{4,}\b", "*", line)
    line = re.sub(r"(MPICH Version:|Open MPI v).*?(?=, runtime_version|$)", r"\1 *", line)
    line = re.sub(r"job_identity = .*?(?=, tables)", "job_identity = *", line)
    line = re.sub(r"\b\d+\.\d+\.\d+\b", "*", line)
    line = re.sub(r"\d+ (datatype|op|errhandler|info|keyval) records?", r"* \1 records", line)  # predefined ones
    line = re.sub(r"(MPI_ERROR: +)-?[\d*]+", r"\1*", line)
    line = re.sub(r"^\$\d+ = ", "", line)
    line = re.sub(r"(Fortran handle: +|fortran_handle = )-?[\d*]+", r"\1*", line)
    line = re.sub(r"\(-?[\d*]+\): the null", "(*): the null", line)
    line = re.sub(r'type="volatile uint8_t[^"]*"', 'type="text"', line)  # its length is part of it
    line = re.sub(
        r'value="[^"]*",type="MPI_Comm"', 'value="*",type="MPI_Comm"', line
    )  # its sentence only from gdb 16 on
    line = re.sub(r'(exp="Fortran handle",numchild="0",value=")-?[\d*]+', r"\1*", line)
    return re.sub(r"  +", "  ", line)


def lined(wanted, printed):
    """The line that is wanted; without its place if that is how it is printed, as of Fortran (lib/source.py)."""
    without = re.sub(r"\b(\w+)\.F90:\d+( \1)?", r"\1", wanted)
    return without if without in printed else wanted


def read_expected(path, library, source):
    """[(command, lines)] of a file whose lines begin with `(gdb) `, or say what a command prints. Lines that only one MPI prints begin
    with its name and a bar. `...`: not compared."""
    result = []
    with open(path) as file:
        for line in file.read().split("\n"):
            name, bar, rest = line.partition("| ")
            if bar and name in ("MPICH", "Open MPI"):
                if name != library:
                    continue
                line = rest
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith("(gdb) "):
                result.append((line[len("(gdb) ") :], []))
            else:
                line = re.sub(r"\$LINE\((\w+)\)", lambda match: str(source.place(match[1])[1]), line)
                result[-1][1].append(line)
    return result


def wait_until_hung(command, job, pids_of_ranks):
    """Fills {rank: pid} as soon as every rank is in its last call."""
    deadline = time.monotonic() + HANG_SECONDS
    result = None
    while time.monotonic() < deadline and job.process.poll() is None:
        result = command.show("--json", job.launcher)
        document = result.document()
        processes = document["processes"] if result.status == 0 else []
        calls = [one["threads"][0]["call"] for one in processes if one["threads"]]
        if [one and one["function"] for one in calls] == RANKS * ["MPI_Recv"]:
            pids_of_ranks.update((one["rank"], one["pid"]) for one in processes)
            job.demote()
            return
        time.sleep(PAUSE_SECONDS)
    raise SystemExit(f"the job did not hang as it should:\n{result}\n{job.printed()}")


def flat(commands, answers):
    return [line for command, lines in zip(commands, answers) for line in (f"(gdb) {command}", *lines)]


class Test:
    def __init__(self, arguments, libraries):
        self.arguments = arguments
        self.libraries = libraries
        self.runtime = os.path.join(libraries, f"libmpilens-{arguments.flavour}.so")
        self.script = os.path.join(libraries, "gdb", "mpilens.py")
        self.auto_loading = Gdb(["-iex", f"add-auto-load-safe-path {libraries}"])
        self.plain = Gdb([])
        self.wrong = []

    def judge(self, name, expected, got):
        """Both: lists of lines."""
        print(f'{name}: {"right" if expected == got else "WRONG"}', flush=True)
        if expected != got:
            self.wrong.append(name)
            print(*difflib.unified_diff(expected, got, "expected", "printed", lineterm="", n=2), sep="\n")

    def compare(self, name, expected, output):
        commands = [command for command, _lines in expected]
        got = parts(output, commands)
        if self.arguments.print:
            for command, lines in got:
                print(f"(gdb) {command}", *(normal(one) for one in lines), sep="\n")
            return
        printed = [
            lines if wanted == ["..."] else [normal(one) for one in lines]
            for (_command, wanted), (_same, lines) in zip(expected, got)
        ]
        wanted = [
            printed[place] if lines == ["..."] else [lined(one, printed[place]) for one in lines]
            for place, (_command, lines) in enumerate(expected)
        ]
        self.judge(name, flat(commands, wanted), flat(commands, printed))

    def strip(self):
        """Libraries as many sites install them: without debug information."""
        for library in glob.glob(os.path.join(self.libraries, "*.so")):
            subprocess.run(["strip", "--strip-all", library], check=True, stdin=subprocess.DEVNULL)

    def case(self, name, source, expected_path, program):
        expected = read_expected(expected_path, self.arguments.library, Source(source))
        commands = [command for command, _lines in expected]
        command = Command(self.arguments.mpilens)
        pids = {}
        with Job(
            self.arguments.mpiexec, RANKS, [os.path.abspath(program)], environment={"LD_PRELOAD": self.runtime}
        ) as job:
            wait_until_hung(command, job, pids)
            output = self.auto_loading.run(["-p", str(pids[1])], commands)
            self.compare(f"{name}, attached", expected, output)
            self.backtrace(name, source, pids)
            if name == "c":
                self.dap(name, pids[1], output)
            if name == "c" or IS_FULL:  # a core file has the same of all languages
                (core,) = job.dump_cores([pids[1]])
                output = self.auto_loading.run([os.path.abspath(program), core], commands)
                if not self.arguments.print:
                    self.compare(f"{name}, core file", expected, output)

    def says(self, arguments, steps, environment=()):
        """One session: `steps` are (name, command, lines that it prints, as patterns; None: not compared)."""
        preset = [word for one in environment for word in ("-iex", f"set environment {one}")]
        commands = [command for _name, command, _expected in steps]
        output = self.plain.run([*preset, *arguments], commands)
        for (name, _command, expected), (_same, got) in zip(steps, parts(output, commands)):
            if expected is not None:
                right = len(got) == len(expected) and all(re.fullmatch(one, line) for one, line in zip(expected, got))
                self.judge(name, [] if right else expected, [] if right else got)

    def load(self):
        return ["-ex", f"source {self.script}"]

    def backtrace(self, name, source, pids):
        """Shows the program of a rank in MPI, not the runtime. Then which rank each inferior and thread of two ranks is."""
        count = 'python print([text in gdb.execute("backtrace{}", to_string=True) for text in ("libmpilens-", "{}", "MPI_Recv")])'
        file = os.path.basename(source)
        every = 'gdb.execute("thread apply all -q print 10 * $_inferior + $_mpi_world_rank()", to_string=True)'
        listed = 'gdb.execute("info mpi queues", to_string=True).splitlines()'
        unexpected = (
            f'python print([one.split()[1:3] + one.split()[-2:-1] for one in {listed} if one[:10] == "unexpected"])'
        )
        ranks = f'python print(sorted({{one.split(" = ")[1] for one in {every}.splitlines() if one}}))'
        has_sent = name == "c"  # the program in Fortran sends nothing
        self.says(
            [*self.load(), "-p", str(pids[1])],
            [
                (f"{name}, backtrace", count.format("", file), [r"\[False, True, True\]"]),
                (f"{name}, backtrace with all frames", count.format(" -no-filters", file), [r"\[True, True, True\]"]),
                ("", "add-inferior", None),
                ("", "inferior 2", None),
                ("", f"attach {pids[0]}", None),
                (f"{name}, the second inferior", "output $_mpi_rank", ["0"]),
                ("", "inferior 1", None),
                (f"{name}, the first inferior", "output $_mpi_rank", ["1"]),
                (
                    f"{name}, what the second one has sent to the first",
                    unexpected,
                    [r"\[\['0', '6', 'handles.c:\d+'\], \['0', '7', 'handles.c:\d+'\]\]" if has_sent else r"\[\]"],
                ),
                (f"{name}, still the first inferior", "output $_mpi_rank", ["1"]),
                (f"{name}, every thread", ranks, [r"\['11', '20'\]"]),
            ],
        )

    def dap(self, name, pid, output):
        """A handle unfolds to the same fields as a variable object of gdb/MI, which is in the output of the session."""
        if not dap.is_served():
            print(f"{name}, unfolded by an adapter: SKIPPED, this gdb is older than {dap.FIRST_GDB}", flush=True)
            return
        fields = dict(re.findall(r'exp="([^"]*)",numchild="0",value="([^"]*)"', output))
        with dap.Adapter(self.load(), pid) as adapter:
            for function, variable in (("main", "row"), ("receive", "comm")):
                shown = adapter.variables(function)[variable]
                self.judge(
                    f"{name}, {variable} unfolded by an adapter",
                    [fields["summary"], *map(str, fields.items())],
                    [shown["value"], *map(str, adapter.unfold(shown).items())],
                )

    def stepped(self):
        """A step on a call of MPI goes to the next line of the program."""
        _name, source, _expected, program = self.arguments.case[0]
        call = Source(source).place("rank")[1] - 2
        self.says(
            [*self.load(), os.path.abspath(program)],
            [
                ("", f"break {os.path.basename(source)}:{call}", None),
                ("", "run", None),
                ("the call", "frame", [r"#0 +main .*", rf"{call}\s+MPI_Init\(.*"]),
                ("a step on a call of MPI", "step", [rf"{call + 1}\s+world = MPI_COMM_WORLD;"]),
            ],
            [f"LD_PRELOAD {self.runtime}"],
        )

    def vendor_of_open_mpi(self):
        """The library that Open MPI brings, which needs the debug information that this one has not got."""
        open_mpi = subprocess.run(
            [self.arguments.mpiexec, "--version"], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        ).stdout
        paths = glob.glob("/usr/lib/*/openmpi/lib/openmpi3/libompi_dbg_msgq.so") if "Open" in open_mpi else []
        for path in paths:
            self.says(
                [*self.load(), os.path.abspath(self.arguments.case[0][3])],
                [
                    ("", "break main", None),
                    ("", "run", None),
                    ("", f"mpi load-dll {path}", None),
                    (
                        "Open MPI's library",
                        "info mpi queues",
                        [
                            r'.*unable to find debugging information about the "opal_list_item_t" type.*',
                            r".*",
                            r"It asked for names that were not found: .*opal_list_item_t.*",
                        ],
                    ),
                ],
            )

    def started(self):
        """A process that gdb has started itself, twice."""
        _name, source, _expected, program = self.arguments.case[0]
        line = Source(source).place("rank")[1]
        stop = f"break {os.path.basename(source)}:{{}} if $_mpi_world_rank() == {{}}"
        world = r"\$\d+ = communicator MPI_COMM_WORLD \(0x[0-9a-f]+\): rank 0 of 1, intracommunicator, predefined"
        self.says(
            [*self.load(), os.path.abspath(program)],
            [
                ("", stop.format(line - 1, 1), None),
                ("", stop.format(line, 0), None),
                ("", "run", None),
                ("conditions before the first stop", "python print(gdb.selected_frame().find_sal().line)", [str(line)]),
                ("started by gdb", "print world", [world]),
                ("a condition", "output $_mpi_rank + 100 * $_mpi_size", ["100"]),
                ("", "run", None),
                ("started again", "print world", [world]),
                ("requests of it", "info mpi requests", ["rank 0 of 1", r"There is no request\."]),
                ("", "kill", None),
                ("killed", "output $_mpi_rank", ["void"]),
            ],
            [f"LD_PRELOAD {self.runtime}"],
        )

    def missing(self):
        """Messages when a part of it is missing."""
        program = os.path.abspath(self.arguments.case[0][3])
        preload = f"LD_PRELOAD {self.runtime}"
        vendor = [
            r"The MPI library names a debugger library of its own; to try that: mpi load-dll .*libompi_dbg_msgq\.so"
        ]
        self.says(
            [*self.load(), program],
            [
                ("", "break main", None),
                ("", "run", None),
                ("a handle without runtime", "print world", [r"\$\d+ = (\(MPI_Comm\) )?(0x)?-?[0-9a-f]+( <.*>)?"]),
                (
                    "no runtime",
                    "info mpi comms",
                    [
                        r"The mpilens runtime is not loaded in this process: start the job with: mpiexec -n 4 mpilens run \./app",
                        *(vendor if self.arguments.flavour == "openmpi" else []),
                    ],
                ),
            ],
        )
        self.says(
            [*self.load(), program],
            [
                ("", "break main", None),
                ("", "run", None),
                (
                    "not initialised",
                    "info mpi calls",
                    [r"This process has the mpilens runtime and has not called MPI yet: continue to behind MPI_Init\."],
                ),
            ],
            [preload],
        )
        with tempfile.TemporaryDirectory(prefix="mpilens-gdb-") as alone:
            shutil.copytree(os.path.join(self.libraries, "gdb"), os.path.join(alone, "a", "b", "gdb"))
            shutil.copy(self.runtime, alone)
            self.says(
                ["-ex", f"source {alone}/a/b/gdb/mpilens.py", program],
                [
                    ("", "break main", None),
                    ("", "run", None),
                    (
                        "DLL not found",
                        "info mpi",
                        [
                            r"libmpilens_dll\.so is not found\. Say where it is: mpi load-dll FILE\. These were tried:",
                            *3 * [r"  /.*libmpilens_dll\.so"],
                            r"The process names /.*libmpilens_dll\.so\. If you trust whoever started it, load that\.",
                        ],
                    ),
                ],
                [f"LD_PRELOAD {alone}/{os.path.basename(self.runtime)}"],
            )
        self.vendor_of_open_mpi()

    def without_mpi(self):
        """Messages without an MPI process; and another vendor's library, which is not for MPI."""
        other = os.path.abspath(self.arguments.no_mpi)
        self.says(
            self.load(),
            [
                (
                    "no process",
                    "info mpi queues",
                    [r"There is no process: run or attach to a rank \(gdb -p PID\), or load a core file of one\."],
                ),
                ("no process, rank", "print $_mpi_rank", [r"\$\d+ = void"]),
                (
                    "not a DLL",
                    f"mpi load-dll {self.runtime}",
                    [r".* has no mqs_setup_basic_callbacks: it is not a message-queue library for debuggers\."],
                ),
                (
                    "no such DLL",
                    "mpi load-dll /nowhere/lib.so",
                    [r"Cannot load the debugger library /nowhere/lib\.so: .*"],
                ),
                ("no such sub-command", "info mpi x", [r"`info mpi` has no sub-command x\. See: help info mpi"]),
                ("an argument too many", "info mpi comms x", [r"`info mpi comms` takes no argument\."]),
            ],
        )
        choose = f"mpi load-dll {self.arguments.vendor_dll}"
        self.says(
            [*self.load(), other],
            [
                ("", "break main", None),
                ("", "run", None),
                (
                    "not an MPI program",
                    "info mpi",
                    [
                        r"The mpilens runtime is not loaded in this process: start the job with: mpiexec -n 4 mpilens run \./app"
                    ],
                ),
                ("", choose, None),
                (
                    "a vendor's queues",
                    "info mpi queues",
                    [
                        r"QUEUE +PEER +TAG +BYTES +COMMUNICATOR +STATUS +TEXT",
                        r"receive +any +11 +16 +world of 2,4,8,8,8 with 24 +pending +first line second line",
                        r"receive +3 +12 +1099511627776 +world of 2,4,8,8,8 with 24 +pending +first line second line",
                    ],
                ),
            ],
        )
        self.says(
            [*self.load(), os.path.abspath(self.arguments.case[0][3])],
            [
                ("", "break main", None),
                ("", "run", None),
                ("", choose, None),
                (
                    "a vendor's library without its types",
                    "info mpi queues",
                    [
                        r"No vendor_message in .*\.",
                        r"It asked for names that were not found: vendor_ignore_queues, vendor_message\.",
                    ],
                ),
            ],
        )


def main():
    arguments = parse_arguments()
    for tool in ("gdb", "meson", "strip"):
        if shutil.which(tool) is None:
            print(f"SKIPPED: {tool} is not installed")
            return SKIP
    has_python = subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", "python print(6 * 7)"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    ).stdout
    if "42" not in has_python:
        print("SKIPPED: this gdb has no Python")
        return SKIP
    with tempfile.TemporaryDirectory(prefix="mpilens-gdb-") as directory:
        test = Test(arguments, install(arguments.build, directory))
        test.case(*arguments.case[0])
        test.stepped()
        test.strip()  # of the records, only the first case prints any
        for case in arguments.case[1:]:
            test.case(*case)
        test.started()
        test.missing()
        if arguments.no_mpi is not None:
            test.without_mpi()
    print(f"{len(test.wrong)} wrong")
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
