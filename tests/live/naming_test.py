# SPDX-License-Identifier: BSD-3-Clause
"""How people name a job, and what they are told where it is not clear which they mean: in a world of its own, where no other job runs."""
import os
import re
import shutil
import subprocess
import sys

from lib.command import UNREADABLE, USAGE, Command, argument_parser
from lib.job import SKIP, JobTest, far_pid, wait_until
from lib.patience import at_most
from lib.terminal import run_on_terminal

RANKS = 2
SECONDS = at_most(60)
ALONE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


def start_over_alone():
    if os.environ.get("MPILENS_TEST_ALONE"):
        with open("/proc/sys/kernel/ns_last_pid", "w", encoding="ascii") as file:
            file.write(os.environ["MPILENS_TEST_ALONE"])
        return
    if os.geteuid() != 0 or subprocess.run([*ALONE, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("only root can give a test processes of its own")
        sys.exit(SKIP)
    os.environ["MPILENS_TEST_ALONE"] = str(far_pid())
    os.execvp(ALONE[0], [*ALONE, sys.executable, "-B", *sys.argv])


class NamingTest(JobTest):
    def wait_for(self, status, *words):
        self.check(wait_until(lambda: self.command.run(*words).status == status, SECONDS), f"{words}: never {status}")

    def tells(self, status, text, *words, command=None, **options):
        result = (command or self.command).run(*words, **options)
        said = result.output + result.diagnostics
        self.check(result.status == status and text in said, f"expected status {status} and {text!r}: {result}")
        return result

    def by_name(self, job):
        name = os.path.basename(self.arguments.hang)
        for word in (name, self.arguments.hang, str(job.launcher)):
            self.tells(1, f"pid {job.launcher}, ", "why", word)
        self.tells(
            1, f"is an ancestor of this job, which is {os.path.basename(self.arguments.mpiexec)[:15]}", "why", "1"
        )
        self.tells(UNREADABLE, "'other' is neither a PID nor a file nor the program of an MPI job", "why", "other")

    def by_slurm_number(self, job):
        """Runs a squeue that has one job, on a host that is not there."""
        squeue = os.path.join(job.directory, "squeue")
        with open(squeue, "w", encoding="utf-8") as file:
            file.write(
                '#!/bin/sh\ncase "$*" in *"-j 99999"*) echo 99999 99999 elsewhere ;; *"-j 99997"*) exit 1 ;; '
                '*"-j 99996"*) printf "%s\\n" "99998 99996_1 there" "99996 99996_2 second" "99999 99996_3 here" ;; esac\n'
            )
        os.chmod(squeue, 0o755)
        environment = {"PATH": f"{job.directory}:{os.environ['PATH']}"}
        asked = ["--engine", "false %h"]
        self.tells(UNREADABLE, "elsewhere", "why", "99999", *asked, environment=environment)
        self.tells(UNREADABLE, "no such process on this host: 99998", "why", "99998", *asked, environment=environment)
        self.tells(UNREADABLE, "second", "why", "--slurm", "99996", *asked, environment=environment)
        self.tells(USAGE, "Slurm knows no job 99997, or does not", "why", "--slurm", "99997", environment=environment)

    def no_jobs(self, job):
        text = os.path.join(job.directory, "text")
        with open(text, "w", encoding="utf-8") as file:
            file.write("text\n")
        empty = os.path.join(job.directory, "empty")
        os.mkdir(empty)
        self.tells(UNREADABLE, f"'{text}' is neither a core file nor a snapshot nor", "why", text)
        self.tells(UNREADABLE, "neither a black box of 'mpilens run' nor a core file nor a snapshot", "why", empty)
        with subprocess.Popen(["sleep", "1000"]) as sleeping:
            self.tells(UNREADABLE, f"process {sleeping.pid} (sleep) has nothing to do with MPI", "why", sleeping.pid)
            sleeping.kill()

    def several_runtimes(self, job):
        """Whatever this build has: one runtime alone would be every program's."""
        for place in "inspect", "runtime":
            os.mkdir(os.path.join(job.directory, place))
        for flavour in "mpich", "openmpi":
            with open(os.path.join(job.directory, "runtime", f"libmpilens-{flavour}.so"), "wb"):
                pass
        command = Command(shutil.copy2(self.command.path, os.path.join(job.directory, "inspect")))
        for verb in "run", "guard":
            self.tells(UNREADABLE, "ls is not linked with MPI: name the MPI", verb, "--", "ls", command=command)
        launcher = os.path.join(job.directory, "mpiexec")
        os.symlink(shutil.which("true"), launcher)
        expected = f"goes first: {launcher} -n 2 mpilens run /bin/ls"
        self.tells(UNREADABLE, expected, "run", launcher, "-n", "2", "/bin/ls", command=command)

    def handles(self, job, snapshot):
        self.tells(0, f"of {RANKS}, ", "handle", "MPI_COMM_WORLD")
        self.tells(UNREADABLE, f"'mpilens show {job.launcher} --objects'", "handle", "comm", "0x1")
        self.tells(UNREADABLE, f"'mpilens show {snapshot} --objects'", "handle", snapshot, "comm", "0x1")
        self.tells(USAGE, "'mpilens handle KIND 0x1'", "handle", "0x1")

    def snapshots(self, job):
        """The path of one."""
        place = os.path.join(job.directory, "snapshots")
        os.mkdir(place)
        saved = self.tells(0, f"{RANKS} of {RANKS} ranks saved to ", "snapshot", cwd=place).output
        name = os.listdir(place)[0]
        self.check(
            re.fullmatch(r"[\w.-]+-\d{8}-\d{6}\.mpilens", name) and f"saved to {name}" in saved, f"{name}: {saved}"
        )
        path = os.path.join(place, name)
        header = self.tells(0, ", snapshot of ", "show", path).output.splitlines()[0]
        self.tells(0, header.split()[-1] + "  ", "watch", path)
        whole = self.tells(1, "rank 0", "why", path)
        for rank in range(RANKS):
            self.tells(1, whole.output, "why", path, "--rank", rank)
        self.tells(1, whole.output.splitlines()[2], "why", place)
        return path

    def progress(self, job):
        line = [self.command.path, "why", "--interval", "2.5", str(job.launcher)]
        environment = dict(os.environ, TERM="xterm", COLUMNS="")
        written = run_on_terminal(80, line, environment)
        told = re.findall(rb"\r\x1b\[K([^\r\n]*)", written)
        self.check(b"next reading in 1 s (^C: judge what there is)" in told, f"no progress: {written}")
        self.check(b"next reading" not in written.rpartition(b"\r\x1b[K")[2], f"the progress stays: {written}")
        for changed in ({"TERM": "dumb"}, None):
            result = (
                run_on_terminal(80, line, {**environment, **changed})
                if changed
                else self.command.run(*line[1:]).diagnostics.encode()
            )
            self.check(b"next reading" not in result, f"progress where no terminal can show it: {result}")

    def cut_short(self, job):
        """The first ^C in a long reading ends the reading, not the command, whose verdict says for how long it has looked."""
        line = [self.command.path, "why", "--no-pager", "--interval", "1000", str(job.launcher)]
        environment = dict(os.environ, TERM="xterm", COLUMNS="")
        said = []

        def is_judged():
            told = b" ".join(run_on_terminal(80, line, environment, interrupted_after=b"next reading in ").split())
            said[:] = [told]
            self.check(b"next reading in 1" in told, f"no progress before ^C: {told}")
            return b"deadlock: ranks [0,1] wait" in told or b"hardly had a processor" not in told

        wait_until(is_judged, SECONDS)  # where ranks wait for a processor, the answer is to ask again
        self.check(b"deadlock: ranks [0,1] wait" in said[0], f"no verdict after ^C: {said[0]}")

    def several(self, job):
        with self.job(self.arguments.computing) as other:
            self.wait_for(0, "show", other.launcher)
            self.tells(USAGE, "there are several jobs", "hosts")
            for words in (["why"], ["handle", "comm", "0x1"], ["snapshot"], ["watch"]):
                lines = self.tells(USAGE, "there are several jobs", *words).diagnostics.splitlines()
                pids = [line.split()[0] for line in lines[2:4]]
                self.check(pids == sorted([str(job.launcher), str(other.launcher)], key=int), f"the jobs: {lines}")
            with self.job(self.arguments.hang) as twin:
                self.wait_for(1, "why", twin.launcher)
                for words in (["why"], ["hosts"], ["gdb", "0"]):
                    self.tells(USAGE, "there are several jobs", *words, os.path.basename(self.arguments.hang))
            self.tells(1, f"pid {job.launcher}, ", "why", os.path.basename(self.arguments.hang))
            calm = self.tells(0, "nothing wrong found", "why", os.path.basename(self.arguments.computing))
            self.check(re.search(r"^ranks? \S+ +\S", calm.output, re.M), f"what the ranks do: {calm}")

    def unprepared(self):
        with self.job(self.arguments.hang, prepared=False) as job:
            self.wait_for(1, "why", job.launcher)
            self.tells(0, f"ranks [0,1]: call stacks only: mpilens why {job.launcher}", "list")
            self.tells(0, "rr", "watch", "--count", 1)
            path = os.path.join(job.directory, "saved")
            self.tells(0, f"the call stacks of ranks [0,1] saved to {path}", "snapshot", "-o", path)
            self.tells(1, "ranks-apart", "why", path)
            with self.job(self.arguments.computing) as other:
                self.wait_for(0, "show", other.launcher)
                beside = f"a job without the runtime is here, too: mpilens why {job.launcher}"
                for verb in "why", "show":
                    self.tells(0, beside, verb)

    def run(self):
        with self.job(self.arguments.hang) as job:
            self.wait_for(1, "why", job.launcher)
            self.by_name(job)
            self.by_slurm_number(job)
            self.no_jobs(job)
            self.several_runtimes(job)
            self.handles(job, self.snapshots(job))
            self.cut_short(job)
            self.progress(job)
            self.several(job)
        self.unprepared()
        return self.end()


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--computing", required=True, help="a program that computes")
    parser.add_argument("hang", help="a hanging program of two ranks")
    arguments = parser.parse_args()
    if shutil.which("unshare") is None:
        print("no unshare")
        return SKIP
    start_over_alone()
    return NamingTest(arguments).run()


if __name__ == "__main__":
    sys.exit(main())
