# SPDX-License-Identifier: BSD-3-Clause
"""Root saves a job in a directory whose owner swaps every new name for a link to a file of root's: that file is neither
changed nor read, and what is saved is what mpilens has written, or nothing."""
import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

from lib.command import Command
from lib.job import Job, JobFailed
from lib.length import IS_FULL
from lib.patience import at_most
from lib.report import Report

# The earlier owner of the result's name.
BEFORE = {
    "nothing": lambda path, victim: None,
    "a link": lambda path, victim: os.symlink(victim, path),
    "a file": lambda path, victim: shutil.copyfile("/etc/hostname", path),
}
ROUNDS = 20 if IS_FULL else 2
NOBODY = 65534
# As the owner: swaps what has come for a link, whatever it is called, and puts a file where the result shall be.
SWAPPER = """
import os, sys
directory, victim, uid = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.setgid(uid)
os.setuid(uid)
os.chdir(directory)
os.symlink(victim, "link")
print("ready", flush=True)
swapped = 0
while True:
    for name in os.listdir():
        try:
            if name != "link" and not os.path.islink(name) and os.stat(name).st_uid != uid:
                os.rename("link", name)
                swapped += 1
                print(name, flush=True)
                os.symlink(victim, "link")
        except OSError:
            pass
"""


# In a file system of its own, which has little room and an old file where the result shall be.
FULL = """
mount -t tmpfs -o size=8k none "$1" || exit 77
echo old > "$1/x"
shift
"$@"
status=$?
cd "$DIRECTORY" && echo $(ls -A) $(cat x)
exit $status
"""


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Attack(Report):
    def __init__(self, command, pid, directory):
        super().__init__()
        self.command = command
        self.pid = pid
        self.place = os.path.join(directory, "place")
        os.mkdir(self.place)
        os.chown(self.place, NOBODY, NOBODY)
        self.victim = os.path.join(directory, "victim")
        with open(self.victim, "wb") as file:
            file.write(b"only for root" * 1000)
        os.chmod(self.victim, 0o600)

    def save(self, verb, options, name):
        before = digest(self.victim)
        result = self.command.run(verb, *options, self.pid)
        self.check(digest(self.victim) == before, f"{name}: the file of root's was changed:\n{result}")
        self.check(result.status in (0, 1, 3), f"{name}: exit status {result.status}:\n{result}")
        for entry in os.listdir(self.place):
            path = os.path.join(self.place, entry)
            self.check(
                os.path.islink(path) or digest(path) != before,
                f"{name}: {entry} has what only root may read:\n{result}",
            )

    def run(self):
        with subprocess.Popen(
            [sys.executable, "-c", SWAPPER, self.place, self.victim, str(NOBODY)], stdout=subprocess.PIPE, text=True
        ) as swapper:
            try:
                swapper.stdout.readline()
                snapshot, page = os.path.join(self.place, "x.mpilens"), os.path.join(self.place, "x.html")
                for kind, prepare in ROUNDS * list(BEFORE.items()):
                    for path in snapshot, page:
                        if os.path.lexists(path):
                            os.unlink(path)
                        prepare(path, self.victim)
                    self.save("snapshot", ["-o", snapshot], f"snapshot, {kind}")
                    self.save("why", ["--interval", "0.01", "--html", page], f"page, {kind}")
            finally:
                swapper.kill()


def check_full(command, pid, directory):
    """The old file stays, and nothing else."""
    report = Report()
    place = os.path.join(directory, "full")
    os.mkdir(place)
    for options in ["snapshot", "-o", f"{place}/x"], ["why", "--html", f"{place}/x"], ["report", "-o", f"{place}/x"]:
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", FULL, "sh", place, command.path, *options, pid],
            env=dict(os.environ, DIRECTORY=place),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=at_most(60),
            check=False,
        )
        if done.returncode == 77:
            print("no file system of its own can be mounted here")
            return 0
        report.check(done.stdout.endswith("x old\n") and done.returncode not in (0, 1), f"full: {done}")
        report.check("No space left" in done.stderr or "full" in done.stderr, f"full: {done}")
    return report.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpilens", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("program")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        print("SKIPPED: only root reads in the directory of somebody else")
        return 77
    command = Command(arguments.mpilens)
    with tempfile.TemporaryDirectory(prefix="mpilens-planted-") as directory:
        os.chmod(directory, 0o755)
        with Job(arguments.mpiexec, 2, [command.path, "run", os.path.abspath(arguments.program)]) as job:
            try:
                job.wait_ready()
            except JobFailed as failure:
                print(failure)
                return 1
            attack = Attack(command, str(job.expectations()[0]["pid"]), directory)
            attack.run()
            full = check_full(command, attack.pid, directory)
    return attack.end() or full


if __name__ == "__main__":
    sys.exit(main())
