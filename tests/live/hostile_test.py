# SPDX-License-Identifier: BSD-3-Clause
"""Processes that lie about themselves, or look like ranks and are none (hostile/*.c): every verb, and gdb, answers beside them and about
them, soon, in little memory, with a reason for what cannot be read, and with nothing of theirs that a terminal would obey."""
import argparse
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from gdb_test import install
from lib.gdb import Gdb
from lib.job import SKIP
from lib.length import IS_FULL
from lib.patience import PATIENCE, at_most

TIMED_OUT = 124  # of guard
START_SECONDS = at_most(30)
HANG_SECONDS = at_most(60)
LIST_SECONDS, LIST_MEGABYTES = 2, 50
VERB_SECONDS, VERB_MEGABYTES = 2, 80
GDB_SECONDS, GDB_MEGABYTES = 20, 700
# The limits hold on a machine that takes this long to read a file of /proc this often, which is most of what the verbs do.
READS_OF_PROC, READS_SECONDS = 10000, 0.07
NONSENSE = "makes no sense|could not be read"
# Control characters of terminals, except tabs (gdb writes them before lines of sources) and line ends, and bytes that are no text.
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]")
WITHOUT_RUNTIME = "mpilens run|is not the one that was loaded|has nothing to do with MPI"

SILENT = "memory of process [0-9]+ does not answer"
# Required text of `list` about some.
REASONS = {
    "fifo": WITHOUT_RUNTIME,
    "device": WITHOUT_RUNTIME,
    "runtime_without_mpi": WITHOUT_RUNTIME,
    "silent_state": SILENT,
}

# Required text and exit status of `show`; None: any that the verb has, within its limits.
LIARS = {
    "honest": (0, "receive"),
    "changing": None,
    "holes": (3, NONSENSE),
    "holes_that_are_counted": (3, NONSENSE),
    "shared_ranges": None,
    "world_of_billions": None,
    "world_of_nobody": None,
    "communicator_of_billions": None,
    "chunks_without_number": (3, NONSENSE),
    "directory_nowhere": (3, NONSENSE),
    "records_of_a_megabyte": (3, NONSENSE),
    "functions_without_number": None,
    "circles": None,
    "waiting_for_everything": None,
    "names": (0, "receive"),
    "names_without_end": (0, "A{20}"),
    "stopped": (0, "receive"),
    "not_to_be_read": None,
    "many_threads": (0, "receive"),
    "other_files": (0, "receive"),
    "python": (0, "receive"),
}
# The lies about the debug information of an honest rank (hostile/lying_debug.py), and the required text of `show`.
DEBUG_LIARS = {
    "claims": (0, "more densely than compilers do"),
    "unpacks": (0, "more densely than compilers do"),
    "symbols": (0, "more densely than compilers do"),
    "lines": (0, "longer than 1 MB"),
}
# Programs with small queues, so that all of them are read soon, in little memory.
SMALL = {"honest", "many_threads", "other_files", "python", *DEBUG_LIARS}
# Reading them costs a second, even on the way to others.
SILENT_ONES = ("silent_state", "silent_operations")
BILLIONS = {"PMI_RANK": "0", "PMI_SIZE": "2000000000"}
PRETENDERS = {
    "shrinking": {},
    "fifo": {},
    "device": {},
    "library_without_mpi": BILLIONS,
    "runtime_without_mpi": {},
    "mappings": {},
    "many_jobs": {"PMI_RANK": "0", "PMI_SIZE": "1", "JUNK": "x" * 100000},
    "launcher": {},
}
JOBS_OF_MANY = 101
# Not seen as ranks: their mappings cannot be read in full, or they are launchers.
NOT_LISTED = {"mappings", "launcher"}
# They may differ between two looks. A snapshot of one of the others has all that `why` and `leaks` go by, and costs less to ask.
BETWEEN_LOOKS = {"honest", "changing", "stopped", "not_to_be_read"}
# Their lies are not in what the runtime keeps.
BESIDE_THE_STATE = {"python", *DEBUG_LIARS}
# They keep a processor busy, and end once they were asked about.
BUSY = {"changing", "shrinking"}
AT_A_TIME = 4  # processes that are asked about; what is measured is of each answer alone
NOT_TO_GDB = {"other_files"}  # it looks for files where the process would
TO_GDB = ("names", "holes", "shared_ranges", "circles")


def side_by_side(tasks):
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for task in [pool.submit(task) for task in tasks]:
            task.result()


def slowness():
    """How many times longer than that this machine takes now; at least 1."""
    begin = time.thread_time()
    for _ in range(READS_OF_PROC):
        with open("/proc/self/stat", "rb", buffering=0) as file:
            file.read()
    return max(1, (time.thread_time() - begin) / READS_SECONDS)


class Measured:
    """One run of a command, killed when it hangs. `seconds` are processor time: others also use the processor."""

    def __init__(self, line):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as diagnostics:
            child = subprocess.Popen(
                line,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=diagnostics,
                env=dict(os.environ, LC_ALL="C.UTF-8", HOME="/nonexistent"),
            )
            has_ended = os.pidfd_open(child.pid)
            if not select.select([has_ended], [], [], HANG_SECONDS)[0]:
                child.kill()
            os.close(has_ended)
            _, status, usage = os.wait4(child.pid, 0)
            self.line = line
            self.seconds = usage.ru_utime + usage.ru_stime
            self.megabytes = usage.ru_maxrss / 1024
            self.status = child.returncode = os.waitstatus_to_exitcode(status)
            self.output, self.diagnostics = self.text(output), self.text(diagnostics)

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read().decode("utf-8", "surrogateescape")

    def __str__(self):
        return f'{" ".join(self.line)}\nstatus {self.status}\n{self.output[:4000]}\n{self.diagnostics[:4000]}'


def ticks_of(pid):
    """For which the process has had a processor."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


class HostileTest:
    def __init__(self, arguments, directory):
        self.arguments = arguments
        self.directory = directory
        self.command = os.path.abspath(arguments.mpilens)
        self.processes = {}
        self.failures = 0

    # --- processes ---

    def start(self, name, line, environment):
        """It ends with the test, however that ends."""
        self.processes[name] = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *line],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=dict(os.environ, **environment),
        )

    def start_liars(self, names):
        for name in names:
            program = os.path.abspath(self.arguments.liar)
            if name == "python":
                program = shutil.copy(program, os.path.join(self.directory, "python3"))
            self.start(name, [self.command, "run", program, name], {})

    def start_debug_liars(self):
        maker = os.path.join(os.path.dirname(__file__), "hostile", "lying_debug.py")
        for name in DEBUG_LIARS:
            program = os.path.join(self.directory, name)
            subprocess.run([sys.executable, maker, name, self.arguments.liar, program], check=True)
            self.start(name, [self.command, "run", program, "honest"], {})

    def start_pretenders(self):
        for name, environment in PRETENDERS.items():
            own = os.path.join(self.directory, name)
            os.mkdir(own)
            # Names that a terminal would obey, but for the one whose name says what it is.
            program = os.path.join(own, "mpiexec" if name == "launcher" else f"{name}\x1b[31m\n{name}\x07")
            shutil.copy(self.arguments.pretender, program)
            self.start(name, [program, name, own], environment)

    def await_all(self):
        for name in list(self.processes):
            if not self.is_ready(name):
                print(f"SKIPPED {name}: it cannot be made here")

    def is_ready(self, name):
        """It is waited for as long as it computes: 10,000 threads take their time."""
        process = self.processes[name]
        ran_before, ran = -1, 0
        while ran > ran_before and not select.select([process.stdout], [], [], START_SECONDS)[0]:
            ran_before, ran = ran, ticks_of(process.pid)
        if select.select([process.stdout], [], [], 0)[0] and process.stdout.readline() == b"ready\n":
            return True
        process.kill()
        if process.wait() != SKIP:
            raise SystemExit(f"{name} did not start")
        del self.processes[name]
        return False

    def end(self, names):
        ended = [self.processes.pop(name) for name in names if name in self.processes]
        for process in ended:
            process.kill()
        for process in ended:
            process.wait()
            process.stdout.close()

    # --- judging ---

    def judge(self, what, wrong, result):
        print(
            f'{what}: {"; ".join(wrong) if wrong else "right"} ({result.seconds:.2f} s, {result.megabytes:.0f} MB)',
            flush=True,
        )
        if wrong:
            self.failures += 1
            print(result)

    def measured(self, what, line, seconds, megabytes, wanted=None):
        """`wanted`: exit status and what must be said; None: one that a verb has, and a reason where it is 3."""
        factor = self.arguments.factor
        result = Measured(line)
        for _ in range(4):  # on a processor that others use, too, the same takes longer, never less
            if result.seconds > seconds * factor:
                result = min(result, Measured(line), key=lambda measured: measured.seconds)
        wrong = []
        if result.seconds > seconds * factor and result.seconds > seconds * factor * slowness():
            wrong.append(f"more than {seconds} s")
        if result.megabytes > megabytes * factor:
            wrong.append(f"more than {megabytes} MB")
        said = result.output + result.diagnostics
        if OBEYED.search(said):
            wrong.append("it writes what a terminal obeys")
        if wanted is not None and (result.status != wanted[0] or not re.search(wanted[1], said)):
            wrong.append(f"it is not {wanted}")
        has_reason = result.diagnostics or "not read" in result.output
        if result.status not in (0, 1, 3) or (result.status == 3 and not has_reason):
            wrong.append(f"status {result.status}")
        return result, wrong

    def verb(self, name, verb, *arguments, wanted=None, limits=(VERB_SECONDS, VERB_MEGABYTES)):
        what = f"{verb} {name}"
        result, wrong = self.measured(what, [self.command, verb, *map(str, arguments)], *limits, wanted)
        self.judge(what, wrong, result)
        return result

    # --- what is asked ---

    def listed(self):
        result, wrong = self.measured("list", [self.command, "list"], LIST_SECONDS, LIST_MEGABYTES)
        pids = {int(words[0]) for words in map(str.split, result.output.splitlines()) if words and words[0].isdigit()}
        for name, process in self.processes.items():
            if name not in NOT_LISTED and process.pid not in pids:
                wrong.append(f"{name} is missing")
        more = JOBS_OF_MANY - 1 if "many_jobs" in self.processes else 0
        if len(pids) < len(self.processes.keys() - NOT_LISTED) + more:
            wrong.append(f"only {len(pids)} jobs")
        for name, reason in REASONS.items():
            if name in self.processes and not re.search(
                rf"(?m)^ *{self.processes[name].pid}  .*({reason})", result.output
            ):
                wrong.append(f"no reason for {name}")
        self.judge("list", wrong, result)
        self.verb("all", "list", "--json", limits=(LIST_SECONDS, LIST_MEGABYTES))

    def asked_about(self, name, wanted):
        pid = self.processes[name].pid
        saved = os.path.join(self.directory, f"{name}.mpilens")
        limits = (LIST_SECONDS, LIST_MEGABYTES) if name in SMALL else (VERB_SECONDS, VERB_MEGABYTES)
        self.verb(name, "show", pid, wanted=wanted, limits=limits)
        if name == "python":
            self.verb(f"stack of {name}", "show", "--stack", pid, wanted=(0, "A{20}"), limits=limits)
        if IS_FULL or name not in BESIDE_THE_STATE:
            self.verb(name, "handle", pid, "MPI_COMM_WORLD", limits=limits)
        is_saved = self.verb(name, "snapshot", "-o", saved, pid, limits=limits).status == 0
        if IS_FULL or not is_saved or name in BETWEEN_LOOKS:
            self.verb(name, "why", "--interval", "0.05", pid, limits=limits)
        if IS_FULL or not is_saved:
            self.verb(name, "leaks", pid, limits=limits)
        for verb in ("show", "why", "leaks") if is_saved else ():
            self.verb(f"snapshot of {name}", verb, saved, limits=limits)

    def asked_about_liar(self, name, wanted, script):
        """Also in gdb, where there is a script for it."""
        self.asked_about(name, wanted)
        if script is not None:
            self.in_gdb(script, name)
        self.end(BUSY & {name})

    def asked_about_silent(self, name):
        pid = self.processes[name].pid
        saved = os.path.join(self.directory, f"{name}.mpilens")
        asked = [("show", pid), ("handle", pid, "MPI_COMM_WORLD")]
        if IS_FULL:
            asked += [("why", pid), ("leaks", pid), ("snapshot", "-o", saved, pid)]
        for verb, *arguments in asked:
            self.verb(name, verb, *arguments, wanted=(3, SILENT))

    def asked_beside(self, name):
        """About who does not lie."""
        honest = self.processes["honest"].pid
        self.verb(f"another beside {name}", "part", "--round=1", honest, wanted=(0, "@mpilens .*status"))
        asked = f"echo MPI_COMM_WORLD | '{self.command}' handle {honest} --questions -"
        result, wrong = self.measured(
            "", ["sh", "-c", asked], VERB_SECONDS, VERB_MEGABYTES, (0, "comm.*world|COMM_WORLD")
        )
        self.judge(f"questions beside {name}", wrong, result)
        self.verb(f"beside {name}", "watch", "--count=2", "--interval=0.1", honest, wanted=(0, "[0-9]:[0-9]"))

    def guarded_beside(self, name):
        """Hanging programs are ended all the same."""
        run = [self.command, "run", os.path.abspath(self.arguments.liar), "honest"]
        result = Measured([self.command, "guard", "--timeout=1", "--no-snapshot", "--", *run])
        is_right = result.status == TIMED_OUT and "no MPI progress" in result.diagnostics
        self.judge(f"guard beside {name}", [] if is_right else ["it does not end what hangs"], result)

    def asked_about_pretender(self, name):
        pid = self.processes[name].pid
        if name == "launcher":
            wanted = (3, r"\(mpiexec\) has started 2 processes on n01, n02, none on this host")
        elif name == "mappings":
            wanted = (3, "more files mapped than can be looked at")
        else:
            wanted = (3, WITHOUT_RUNTIME)
        for verb in ("show", "why") if IS_FULL else ("show",):
            self.verb(name, verb, pid, wanted=wanted)
        self.end(BUSY & {name})

    def without_permission(self):
        pid = self.processes["not_to_be_read"].pid
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            print("SKIPPED a process that must not be read: needs root and setpriv")
            return
        line = ["setpriv", "--inh-caps=-sys_ptrace", "--bounding-set=-sys_ptrace", self.command]
        for verb, wanted in (("list", (0, str(self.processes["honest"].pid))), ("show", (3, "must not be read"))):
            arguments = [verb] if verb == "list" else [verb, str(pid)]
            result, wrong = self.measured(verb, [*line, *arguments], VERB_SECONDS, VERB_MEGABYTES, wanted)
            self.judge(f"{verb} without permission", wrong, result)

    def in_gdb(self, script, name):
        line = Gdb([]).line(
            ["-p", str(self.processes[name].pid)],
            [f"source {script}", "info mpi queues", "info mpi comms", "info mpi types", "info mpi calls"],
        )
        result, wrong = self.measured(f"gdb {name}", line, GDB_SECONDS, GDB_MEGABYTES)
        if not re.search(
            "receive|The mpilens state in the process|Memory of the process", result.output + result.diagnostics
        ):
            wrong.append("neither queues nor a reason")
        self.judge(f"gdb {name}", wrong, result)

    def dies(self):
        """It is killed between two looks at it."""
        self.start("dying", [self.command, "run", os.path.abspath(self.arguments.liar), "honest"], {})
        if self.is_ready("dying"):
            process = self.processes["dying"]
            pid = os.fork()
            if pid == 0:
                time.sleep(0.3 * PATIENCE)
                os.kill(process.pid, signal.SIGKILL)
                os._exit(0)
            self.verb(
                "dying",
                "why",
                "--interval",
                str(round(1 * PATIENCE)),
                process.pid,
                wanted=(0, r"this job has ended"),  # then its black box is read
            )
            os.waitpid(pid, 0)

    def pretenders(self):
        """They are no ranks, or do not answer."""
        self.start_liars(["honest", "not_to_be_read", *SILENT_ONES])
        self.start_pretenders()
        self.await_all()
        self.listed()
        tasks = [lambda: self.guarded_beside(", ".join(SILENT_ONES))]
        for name in SILENT_ONES:
            if name in self.processes:
                tasks += [partial(self.asked_about_silent, name), partial(self.asked_beside, name)]
        side_by_side(tasks)
        self.end(SILENT_ONES)
        side_by_side(partial(self.asked_about_pretender, name) for name in PRETENDERS if name in self.processes)
        self.end(PRETENDERS)
        self.without_permission()

    def liars(self):
        self.start_liars(LIARS)
        self.start_debug_liars()
        self.await_all()
        self.listed()
        script = os.path.join(install(self.arguments.build, self.directory), "gdb", "mpilens.py")
        to_gdb = [] if shutil.which("gdb") is None else LIARS.keys() - NOT_TO_GDB if IS_FULL else TO_GDB
        tasks = [partial(self.asked_beside, "liars"), partial(self.guarded_beside, "liars")]
        for name, wanted in (LIARS | DEBUG_LIARS).items():
            tasks.append(partial(self.asked_about_liar, name, wanted, script if name in to_gdb else None))
        side_by_side([*tasks, self.dies])

    def run(self):
        try:
            self.liars() if self.arguments.liars else self.pretenders()
        finally:
            self.end(list(self.processes))
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--build", required=True, help="build tree")
    parser.add_argument("--liars", action="store_true", help="about each liar, and nothing else")
    parser.add_argument("--factor", type=float, default=1, help="of all limits, as of a build with sanitizers")
    parser.add_argument("liar", help="hostile/liar.c")
    parser.add_argument("pretender", help="hostile/pretender.c")
    with tempfile.TemporaryDirectory(prefix="mpilens-hostile-") as directory:
        return HostileTest(parser.parse_args(), directory).run()


if __name__ == "__main__":
    sys.exit(main())
