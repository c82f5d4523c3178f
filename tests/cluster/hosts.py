# SPDX-License-Identifier: BSD-3-Clause
"""The cluster of ./cluster, from a test."""
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
# Processes with their users, files that are not on the file systems of all hosts (those are looked at on one), IPC, mounts.
TRACES = """
ps -eo user:20=,args= | sed 's/^/process /' | grep -v -e ' ps -eo user' -e ' sed s/' -e ' grep -v' -e ' sh -c'
find /tmp /var/tmp /dev/shm /run /root -xdev -mindepth 1 2>/dev/null | sed 's/^/file /'
for kind in shm sem msg; do sed "1d;s/^/$kind /" /proc/sysvipc/$kind; done
sed 's/^/mount /' /proc/mounts
"""
JOBS_OF_SLURM = "squeue -h -w {} -o 'job %i of %u, %T'"
SHARED_FILES = "find /home /shared -mindepth 1 | sed 's/^/file /'"
# Leftovers of killed ranks (their black boxes, too) and of the MPIs' own launchers, and files of Slurm's and OpenSSH's daemons.
OF_OTHERS = re.compile(
    r"^(file (/tmp/(ompi|pmix)[.-]\S*|/dev/shm/(mpilens-\d+|vader_segment|mpich|ucx|UCX|psm)\S*|/root/\.ssh\S*|/run/munge\S*)"
    r"|process \S+ +(sshd: /usr/sbin/sshd -D|slurmctld|: slurmscriptd|slurmd -N|munged).*)"
)


# Ends with what has opened its input; a cluster in the directory needs a moment for its own end.
CLEANER = """
cat >/dev/null
for _ in $(seq 100); do [ -e "$1/state" ] || break; sleep 0.1; done
for _ in $(seq 100); do rm -rf "$1" 2>/dev/null; [ -e "$1" ] || break; sleep 0.1; done
"""


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
        return Result(
            self.line[1:], subprocess.CompletedProcess(self.line, self.process.returncode, output, diagnostics)
        )


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
        for host in self.hosts:
            self.namespaces[self.output(host, "readlink", "/proc/self/ns/pid").strip()] = host
        return self

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
        """The command line that runs `command` at [USER@]HOST."""
        return [TOOL, "run", where, *map(str, command)]

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
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            numbers = next(line for line in file if line.startswith("NSpid:")).split()
        return self.namespaces[os.readlink(f"/proc/{pid}/ns/pid")], int(numbers[-1])

    def traces(self, hosts):
        """Processes and files on each of the hosts, without foreign ones: a set of lines."""
        found = {f"{host}: {line}" for host in hosts for line in self.output(host, "sh", "-c", TRACES).splitlines()}
        for once in [SHARED_FILES, *([JOBS_OF_SLURM.format(",".join(hosts))] if self.has_slurm else [])]:
            found |= {f"all: {line}" for line in self.output(hosts[0], "sh", "-c", once).splitlines()}
        return {line for line in found if not OF_OTHERS.match(line.partition(": ")[2])}

    def left_over(self, hosts, before):
        """Leftovers: things that were not there `before`, after ending processes have had their time."""
        left = set()

        def is_gone():
            nonlocal left
            left = self.traces(hosts) - before
            return not left

        wait_until(is_gone, GONE_SECONDS, pause=0.2)
        return sorted(left)
