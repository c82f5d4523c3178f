# SPDX-License-Identifier: BSD-3-Clause
"""The cluster itself: hosts see each other and are cut off, two clusters do not meet, and nothing is left of one however
it ends."""
import contextlib
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from hosts import TOOL, UP_SECONDS, Cluster, NoCluster, PassingDirectory
from lib.job import SKIP, wait_until
from lib.patience import at_most
from lib.report import Report

GONE_SECONDS = at_most(20)
STARTING_SECONDS = at_most(60)


class ToolCluster(Cluster):
    """Its commands are run as people run them."""

    def line(self, where, *command):
        return [TOOL, "run", where, *map(str, command)]


def processes_of(state):
    """Pids of the keeper and all that it has started: their environment names the directory of the cluster."""
    variable = f"MPILENS_CLUSTER={state}".encode()
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if variable in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass
    return [pid for pid in found if pid != os.getpid()]


class ToolTest(Report):
    def __init__(self, directory):
        super().__init__()
        self.directory = directory
        self.state = os.path.join(directory, "state")
        self.environment = dict(os.environ, MPILENS_CLUSTER=self.state)

    def nothing_is_left(self, what):
        def is_gone():
            return not os.path.exists(self.state) and not processes_of(self.state)

        with open("/proc/mounts", encoding="utf-8") as file:
            mounts = [line for line in file if self.directory in line]
        wait_until(is_gone, GONE_SECONDS)
        left = [path for path in (self.state,) if os.path.exists(path)] + processes_of(self.state) + mounts
        self.check(not left, f"{what}: left are {left}")

    def start(self, *options, **more):
        return subprocess.Popen(
            [TOOL, "up", "1", *options],
            env=self.environment,
            start_new_session=True,
            stderr=subprocess.DEVNULL,
            **more,
        )

    def hosts(self):
        with ToolCluster(2, self.directory, slurm=False) as one, ToolCluster(1, self.directory, slurm=False) as other:
            names = [one.output("user@n1", "ssh", host, "hostname").strip() for host in one.hosts]
            self.check(names == one.hosts, f"hosts {names}")
            pids = {one.output(host, "sh", "-c", "echo $$").strip() for host in one.hosts}
            self.check(all(int(pid) < 1000 for pid in pids), f"processes are not numbered by the host: {pids}")
            one.output("n1", "touch", "/tmp/mine", "/shared/ours")
            found = [one.run(host, "ls", "/tmp/mine", "/shared/ours").output.split() for host in one.hosts]
            self.check(found == [["/shared/ours", "/tmp/mine"], ["/shared/ours"]], f"files {found}")
            found = other.run("n1", "ls", "/tmp/mine", "/shared/ours").output
            self.check(not found, f"the other cluster has {found}")
            self.check(other.run("n1", "ssh", "n2", "true").status != 0, "the other cluster has n2")
            self.cut_off(one)

    def cut_off(self, cluster):
        reach = ["ssh", "-o", "ConnectTimeout=5", "n2", "true"]
        cluster.cut("n2")
        self.check(cluster.run("n1", *reach).status != 0, "n2 is reached though it is cut off")
        self.check(cluster.run("n2", "true").status == 0, "n2 is not there while it is cut off")
        cluster.mend("n2")
        reached = wait_until(lambda: cluster.run("n1", *reach).status == 0, GONE_SECONDS)
        self.check(reached, "n2 is not reached after it was put back")

    def is_starting(self):
        wait_until(lambda: os.path.exists(os.path.join(self.state, "keeper")), STARTING_SECONDS)

    def ended_while_starting(self, number):
        """As by ^C."""
        with self.start() as starter:
            self.is_starting()
            os.killpg(starter.pid, number)
        self.nothing_is_left(f"{number.name} while it started")

    def killed_while_starting(self):
        with self.start("--until-eof", stdin=subprocess.PIPE) as starter:
            self.is_starting()
            os.killpg(starter.pid, signal.SIGKILL)
        wait_until(lambda: not processes_of(self.state), UP_SECONDS)
        subprocess.run([TOOL, "down"], env=self.environment, check=True)
        self.nothing_is_left("killed while it started")

    def ends_with_input(self):
        """That is, with who has started it."""
        with self.start("--until-eof", stdin=subprocess.PIPE) as starter:
            starter.wait(UP_SECONDS)
            self.check(processes_of(self.state), "it does not stay up")
            starter.stdin.close()
            self.nothing_is_left("the end of its input")

    def killed(self):
        """The keeper, or the process that waits for it."""
        with open(os.path.join(self.state, "keeper"), encoding="utf-8") as file:
            keeper = int(file.read().split()[0])
        os.kill(keeper, signal.SIGKILL)
        self.nothing_is_left("keeper killed")

    def crashed(self):
        for pid in processes_of(self.state):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        subprocess.run([TOOL, "down"], env=self.environment, check=True)
        self.nothing_is_left("everything killed, then down")


def scenario(what):
    """Does it in a directory of its own; whether all was right."""
    with PassingDirectory("mpilens-cluster-") as directory:
        test = ToolTest(directory)
        what(test)
        return test.end()


def up(test, end):
    with test.start(stdin=subprocess.DEVNULL) as starter:
        starter.wait(UP_SECONDS)
        again = subprocess.run([TOOL, "up", "1"], env=test.environment, capture_output=True, text=True)
        test.check(again.returncode == 1 and "there is a cluster" in again.stderr, f"twice: {again}")
    end()


# Side by side: they mostly wait.
SCENARIOS = [
    lambda test: test.hosts(),
    lambda test: test.ended_while_starting(signal.SIGINT),
    lambda test: test.ended_while_starting(signal.SIGTERM),
    lambda test: test.killed_while_starting(),
    lambda test: test.ends_with_input(),
    lambda test: up(test, test.killed),
    lambda test: up(test, test.crashed),
]


def main():
    try:
        with ThreadPoolExecutor(len(SCENARIOS)) as pool:
            return max(pool.map(scenario, SCENARIOS))
    except NoCluster as reason:
        print(reason)
        return SKIP


if __name__ == "__main__":
    sys.exit(main())
