# SPDX-License-Identifier: BSD-3-Clause
"""A real MPI job under test: started, waited for until all ranks are about to hang, and killed for certain."""
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from lib.command import Command, argument_parser
from lib.patience import at_most
from lib.report import Report

# Between questions about a job that starts: each takes time from its ranks.
PAUSE_SECONDS = 0.3
READY_SECONDS = at_most(60)
HANG_SECONDS = at_most(45)
# Ranks that wait spin. While the job starts they only give way to the tests; then they get what nobody else wants.
NICENESS = 4
NICENESS_OF_HUNG = 15
# In the environment of ranks that .ci/demote-ranks lets be: a test is about how they compute.
KEEPS_NICENESS = "MPILENS_TEST_KEEPS_NICENESS=1"
# Where Open MPI keeps files that stay behind when a job is killed.
DIRECTORIES_OF_MPI = (
    "OMPI_MCA_orte_tmpdir_base",
    "PRTE_MCA_prte_tmpdir_base",
    *(f"OMPI_MCA_{part}_backing_directory" for part in ("btl_vader", "btl_sm", "osc_sm", "osc_rdma")),
)
MOST_TRIES_OF_SESSION = 20
SKIP = 77


# Makes core files without reading symbols.
GDB = ("gdb", "--nx", "--batch", "--readnever", "-iex", "set debuginfod enabled off")


class JobFailed(Exception):
    pass


def wait_until(is_so, seconds, pause=0.02):
    """Asks again and again, and returns whether it became true in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def environment_of_job(directory, **more):
    """Its processes are found by the name of the directory, and what MPI writes goes with it."""
    return {**os.environ, "MPILENS_LIVE_DIRECTORY": directory, **dict.fromkeys(DIRECTORIES_OF_MPI, directory), **more}


def demote(pid, with_session=True):
    """Leaves to the process only the time that nobody else wants. Linux may count processor time by session: then niceness holds only within it,
    and the session has one of its own."""
    try:
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS_OF_HUNG)
    except OSError:  # it has ended
        return
    if with_session:
        demote_session(pid, NICENESS_OF_HUNG)


def demote_session(pid, niceness):
    """The kernel takes one such change of a user each tenth of a second, from all processes together."""
    for _ in range(MOST_TRIES_OF_SESSION):
        try:
            with open(f"/proc/{pid}/autogroup", "w") as file:
                file.write(str(niceness))
        except BlockingIOError:
            time.sleep(0.1)
        except OSError:  # it has ended, or the kernel counts otherwise
            return
        else:
            return


def read_bytes(path):
    """As often as this is asked of all processes, opening files as Python does takes too long."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = b""
        while part := os.read(file, 1 << 16):
            found += part
        return found
    finally:
        os.close(file)


def processes_with(variable):
    """Pids of live processes that have `variable` (NAME=value) in their environment."""
    found = []
    wanted = variable.encode()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = read_bytes(f"/proc/{name}/environ")
            if wanted not in environment or wanted not in environment.split(b"\0"):
                continue
            state = read_bytes(f"/proc/{name}/stat").rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if state not in (b"Z", b"X"):
            found.append(int(name))
    return found


def far_pid():
    """Where PIDs of a namespace shall begin. Launchers name files of the host by their PIDs: no other's is near."""
    most = 32768
    return (os.getpid() + most // 2) % (most - 1000) + 500


class Job:
    """Use it in a `with` statement: nothing of the job survives it.

    `ranks` of them in all; `ranks_of_first`: as many as the first of several programs in `command` gets.
    """

    def __init__(self, mpiexec, ranks, command, mpiexec_options=(), ranks_of_first=None, environment=None):
        self.directory = tempfile.mkdtemp(prefix="mpilens-live-")
        self.ranks = ranks
        self.arguments = [mpiexec, *mpiexec_options, "-n", str(ranks_of_first or ranks), *command]
        self.variable = f"MPILENS_LIVE_DIRECTORY={self.directory}"
        self.environment = environment_of_job(self.directory, **(environment or {}))
        self.started = None
        self.process = None
        self.pipe = None

    def __enter__(self):
        ready = os.path.join(self.directory, "ready")
        os.mkfifo(ready)
        # Opened for reading and writing, so that neither side ever waits for the other to open it.
        self.pipe = os.open(ready, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self.output = open(os.path.join(self.directory, "output"), "w+b")
        self.started = time.monotonic()
        # A session of its own, so that it can be demoted; it ends with the test all the same.
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "nice", "-n", str(NICENESS), *self.arguments],
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=subprocess.STDOUT,
            env=self.environment,
            start_new_session=True,
        )
        demote_session(self.process.pid, NICENESS)
        return self

    def __exit__(self, *unused):
        deadline = time.monotonic() + at_most(20)
        # The launcher last seen alive may have children of its own session; all carry the directory's name.
        while True:
            pids = processes_with(self.variable)
            if not pids or time.monotonic() > deadline:
                break
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
        self.process.wait()
        self.output.close()
        os.close(self.pipe)
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def launcher(self):
        return self.process.pid

    def has_ended(self):
        return self.process.poll() is not None

    def tell(self, name):
        """The events that programs wait for: "end", ..."""
        with open(os.path.join(self.directory, name), "w"):
            pass

    def dump_cores(self, pids):
        """The core files of these processes."""
        cores = [os.path.join(self.directory, f"core.{pid}") for pid in pids]
        commands = [word for pid, core in zip(pids, cores) for word in self.dump_core(pid, core)]
        # As the script gcore does, which starts a debugger for each.
        subprocess.run(
            [*GDB, *commands],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=at_most(120),
        )
        failed = [core for core in cores if not os.path.exists(core)]
        if failed:
            raise JobFailed(f"gdb has not made {failed}")
        return cores

    @staticmethod
    def dump_core(pid, core):
        return "-ex", f"attach {pid}", "-ex", f"gcore {core}", "-ex", "detach"

    def printed(self):
        self.output.flush()
        with open(self.output.name, errors="replace") as file:
            return file.read()

    def wait_ready(self, seconds=READY_SECONDS):
        """Returns when every rank has said that it is ready."""
        told = set()
        deadline = time.monotonic() + seconds
        pending = ""
        while len(told) < self.ranks:
            if self.process.poll() is not None:
                raise JobFailed(f"{self.arguments} ended with status {self.process.returncode}:\n{self.printed()}")
            if time.monotonic() > deadline:
                raise JobFailed(
                    f"only ranks {sorted(told)} of {self.ranks} were ready after {seconds} s:\n" f"{self.printed()}"
                )
            if select.select([self.pipe], [], [], 0.5)[0]:
                pending += os.read(self.pipe, 65536).decode()
                *lines, pending = pending.split("\n")
                told.update(int(line) for line in lines)
        self.demote()

    def demote(self):
        """Its ranks wait, and spin."""
        for pid in processes_with(self.variable):
            demote(pid)

    def expectations(self):
        """Notes of the ranks about themselves, by rank."""
        result = []
        for rank in range(self.ranks):
            with open(os.path.join(self.directory, f"rank-{rank}.json")) as file:
                result.append(json.load(file))
        return result

    def seconds(self):
        return time.monotonic() - self.started


class JobTest(Report):
    """A test of jobs of two ranks that run one of the programs that it is given."""

    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.command = Command(arguments.mpilens)

    def job(self, program, prepared=True):
        runtime = [self.command.path, "run"] if prepared else []
        return Job(self.arguments.mpiexec, 2, [*runtime, os.path.abspath(program)])

    def come_to(self, job, expected):
        """Waits until the ranks have these characters of `mpilens watch`."""
        result = None

        def is_there():
            nonlocal result
            result = self.command.run("watch", "--json", "--count", 1, job.launcher)
            document = result.document()
            return document is not None and "".join(rank["character"] for rank in document["ranks"]) == expected

        self.check(wait_until(is_there, HANG_SECONDS), f"expected {expected}:\n{result}")


class TextTest(Report):
    """A test of a program whose text is in the test."""

    def __init__(self, arguments, directory, program):
        super().__init__()
        self.arguments = arguments
        self.directory = directory
        self.program = program
        self.command = Command(arguments.mpilens)


def compile_text(mpicc, directory, text, *flags, name="program"):
    """The program, whose text is in NAME.c."""
    with open(os.path.join(directory, f"{name}.c"), "w") as file:
        file.write(text)
    subprocess.run([mpicc, "-g", *flags, "-o", name, f"{name}.c"], check=True, cwd=directory)
    return os.path.join(directory, name)


def run_text_test(test, description, text, *flags, parent=None, below="."):
    """The exit status of a TextTest. Its directory is in `parent`, or `below` a new directory there."""
    parser = argument_parser(description)
    parser.add_argument("--mpicc", required=True, help="compiler of that MPI")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mpilens-", dir=parent) as directory:
        directory = os.path.normpath(os.path.join(directory, below))
        os.makedirs(directory, exist_ok=True)
        return run_test(test(arguments, directory, compile_text(arguments.mpicc, directory, text, *flags)))


def run_test(test, needs_cores=False):
    """The exit status of a test, whose run() tells whether all was right."""
    if needs_cores and shutil.which("gcore") is None:
        print("SKIPPED: gcore (package gdb) is not installed")
        return SKIP
    try:
        return 0 if test.run() else 1
    except JobFailed as failure:
        print(failure)
        return 1
