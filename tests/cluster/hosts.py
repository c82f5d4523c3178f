# SPDX-License-Identifier: BSD-3-Clause
"""The cluster of ./cluster, from a test."""
import contextlib
import os
import re
import subprocess
import tempfile

from lib.command import Result
from lib.job import SKIP, wait_until
from lib.patience import at_most

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cluster")
UP_SECONDS = at_most(300)
RUN_SECONDS = at_most(90)
GONE_SECONDS = at_most(30)
# Where files are looked for: on the file systems that each host has for itself, and on those that all have.
OWN_DIRECTORIES = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/root"]
SHARED_DIRECTORIES = ["/home", "/shared"]
IPC_FILES = [f"/proc/sysvipc/{kind}" for kind in ("shm", "sem", "msg")]
JOBS_OF_SLURM = ["squeue", "-h", "-o", "job %i of %u, %T"]
# Leftovers of killed ranks (their black boxes, too) and of the MPIs' own launchers, and files of Slurm's and OpenSSH's daemons.
OF_OTHERS = re.compile(
    r"^(file (/tmp/(ompi|pmix)[.-]\S*|/dev/shm/(mpilens-\d+|vader_segment|mpich|ucx|UCX|psm)\S*|/root/\.ssh\S*|/run/munge\S*)"
    r"|process \S+ (sshd: /usr/sbin/sshd -D|slurmctld|: slurmscriptd|slurmd -N|munged).*)"
)


# Ends with what has opened its input; a cluster in the directory needs a moment for its own end.
CLEANER = """
cat >/dev/null
for _ in $(seq 100); do [ -e "$1/state" ] || break; sleep 0.1; done
for _ in $(seq 100); do rm -rf "$1" 2>/dev/null; [ -e "$1" ] || break; sleep 0.1; done
"""


def numbers_of(pid, *names):
    """Lines of /proc/PID/status, as lists of numbers. None: it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            lines = dict(line.split(":", 1) for line in file)
        return [[int(number) for number in lines[name].split()] for name in names]
    except (OSError, KeyError):
        return None


def arguments_of(pid):
    """As ps shows them. None, or "": it has ended."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            return file.read().rstrip("\0").replace("\0", " ")
    except OSError:
        return None


def files_below(root, directories):
    """Paths as the process sees them whose /proc/PID/root is `root`; of each directory, only what is on its file system."""
    for directory in directories:
        with contextlib.suppress(OSError):
            device = os.lstat(root + directory).st_dev
            for parent, names, others in os.walk(root + directory):
                for name in names + others:
                    yield f"{parent}/{name}".removeprefix(root)
                names[:] = [name for name in names if is_on(device, f"{parent}/{name}")]


def is_on(device, path):
    try:
        return os.lstat(path).st_dev == device
    except OSError:
        return False


class NoCluster(Exception):
    """This machine cannot have one; says why."""


class PassingDirectory:
    """A temporary directory that is gone after this process, however that ends. Use it in a `with` statement."""

    def __init__(self, prefix):
        self.name = tempfile.mkdtemp(prefix=prefix)
        self.cleaner = subprocess.Popen(
            ["sh", "-c", CLEANER, "sh", self.name], stdin=subprocess.PIPE, start_new_session=True
        )

    def __enter__(self):
        return self.name

    def __exit__(self, *unused):
        self.cleanup()

    def cleanup(self):
        self.cleaner.stdin.close()
        self.cleaner.wait()


class Running:
    """A command on a host."""

    def __init__(self, line, process):
        self.line = line
        self.process = process

    def kill(self):
        self.process.kill()

    def result(self, seconds=RUN_SECONDS):
        with self.process:
            try:
                output, diagnostics = self.process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                self.process.kill()
                output, diagnostics = self.process.communicate()
                diagnostics += f"\n(killed after {seconds} s)"
        return Result(self.line, subprocess.CompletedProcess(self.line, self.process.returncode, output, diagnostics))


class Cluster:
    """Use it in a `with` statement. It ends with this process, however that ends.

    `shared`: a directory that all hosts have."""

    def __init__(self, hosts, shared, slurm=True):
        self.hosts = [f"n{number}" for number in range(1, hosts + 1)]
        self.shared = shared
        self.has_slurm = slurm
        self.arguments = [TOOL, "up", str(hosts), "--until-eof", "--share", shared, *(["--slurm"] if slurm else [])]
        self.directory = PassingDirectory("mpilens-cluster-")
        self.environment = dict(os.environ, MPILENS_CLUSTER=os.path.join(self.directory.name, "state"))
        self.starter = None
        self.firsts = {}  # the first process of each host, as this machine numbers it
        self.namespaces = {}

    def __enter__(self):
        self.starter = subprocess.Popen(
            self.arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            text=True,
        )
        status = self.starter.wait(UP_SECONDS)
        if status != 0:
            said = self.starter.stdout.read()
            self.__exit__()
            if status == SKIP:
                raise NoCluster(said.strip())
            raise SystemExit(f"the cluster has not started: status {status}\n{said}")
        self.firsts = self.find_firsts()
        self.namespaces = {os.readlink(f"/proc/{first}/ns/pid"): host for host, first in self.firsts.items()}
        return self

    def find_firsts(self):
        """Each host was started by a process that the keeper has started."""
        with open(os.path.join(self.environment["MPILENS_CLUSTER"], "keeper"), encoding="utf-8") as file:
            keeper = int(file.read().split()[0])
        parents = {
            pid: numbers[0][0]
            for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
            if (numbers := numbers_of(pid, "PPid"))
        }
        found = {}
        for pid, parent in parents.items():
            if parents.get(parent) == keeper:
                with contextlib.suppress(OSError), open(f"/proc/{pid}/root/etc/hostname", encoding="utf-8") as file:
                    found[file.read().strip()] = pid
        if sorted(found) != sorted(self.hosts):
            raise SystemExit(f"the hosts are {found}")
        return found

    def __exit__(self, *unused):
        self.tool("down")
        self.starter.stdin.close()
        self.starter.stdout.close()
        self.starter.wait()
        self.directory.cleanup()

    def tool(self, *arguments):
        subprocess.run(
            [TOOL, *arguments], env=self.environment, stdin=subprocess.DEVNULL, check=True, timeout=RUN_SECONDS
        )

    def cut(self, host):
        self.tool("cut", host)

    def mend(self, host):
        self.tool("mend", host)

    def line(self, where, *command):
        """The command line that runs `command` at [USER@]HOST, and ends it when that line is killed. `cluster run` needs five
        processes more for that."""
        user, _, host = where.rpartition("@")
        user = user or "root"
        home = f"/home/{user}" if user != "root" else "/root"
        return [
            *("nsenter", "-t", str(self.firsts[host]), "-a", "--"),
            *("env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", f"HOME={home}", f"USER={user}"),
            *(f"LOGNAME={user}", "LANG=C.UTF-8", f"TERM={os.environ.get('TERM', 'dumb')}"),
            *("setpriv", "--reuid", user, "--regid", user, "--init-groups", "--pdeathsig", "KILL", "--"),
            *map(str, command),
        ]

    def start(self, where, *command, **options):
        """In a session of its own: Linux gives every session the same share of the processors."""
        return subprocess.Popen(
            self.line(where, *command),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            start_new_session=True,
            **options,
        )

    def begin(self, where, *command):
        return Running(
            self.line(where, *command), self.start(where, *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        )

    def run(self, where, *command, seconds=RUN_SECONDS):
        return self.begin(where, *command).result(seconds)

    def output(self, where, *command):
        result = self.run(where, *command)
        if result.status != 0:
            raise SystemExit(str(result))
        return result.output

    def place(self, pid):
        """(host, pid there) of a process that the machine calls `pid`."""
        (numbers,) = numbers_of(pid, "NSpid")
        return self.namespaces[os.readlink(f"/proc/{pid}/ns/pid")], numbers[-1]

    def processes(self):
        """(host, pid of the machine) of what runs on all hosts."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                host = self.namespaces.get(os.readlink(f"/proc/{pid}/ns/pid"))
                if host is not None:
                    yield host, int(pid)

    def arguments_on(self, host):
        """The command lines of its processes, as ps shows them."""
        return [found for where, pid in self.processes() if where == host and (found := arguments_of(pid))]

    def traces(self, hosts):
        """Processes with their users, files, System V IPC and mounts of each of the hosts, without foreign ones: a set of
        lines. They are looked at from here: a command on a host leaves some itself."""
        found = set()
        for host, pid in self.processes():
            numbers, arguments = numbers_of(pid, "Uid"), arguments_of(pid)
            if host in hosts and numbers and arguments:
                found.add(f"{host}: process {numbers[0][1]} {arguments}")
        for host in hosts:
            root = f"/proc/{self.firsts[host]}/root"
            found |= {f"{host}: file {path}" for path in files_below(root, OWN_DIRECTORIES)}
            with open(f"/proc/{self.firsts[host]}/mounts", encoding="utf-8") as file:
                found |= {f"{host}: mount {line.strip()}" for line in file}
            found |= {f"{host}: IPC {line}" for line in self.ipc(host)}
        found |= {
            f"all: file {path}" for path in files_below(f"/proc/{self.firsts[hosts[0]]}/root", SHARED_DIRECTORIES)
        }
        return {line for line in found if not OF_OTHERS.match(line.partition(": ")[2])}

    def ipc(self, host):
        """The lines of its tables."""
        line = ["nsenter", "-t", str(self.firsts[host]), "-i", "--", "cat", *IPC_FILES]
        listed = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout
        return [one for one in listed.splitlines() if one.split()[0] != "key"]

    def jobs(self, hosts):
        """Those that Slurm runs there."""
        if not self.has_slurm:
            return set()
        return set(self.output(hosts[0], *JOBS_OF_SLURM, "-w", ",".join(hosts)).splitlines())

    def left_over(self, hosts, before):
        """Leftovers: things that were not there `before`, after ending processes have had their time."""
        left = set()

        def is_gone():
            nonlocal left
            left = self.traces(hosts) - before or self.jobs(hosts)
            return not left

        wait_until(is_gone, GONE_SECONDS, pause=0.2)
        return sorted(left)
