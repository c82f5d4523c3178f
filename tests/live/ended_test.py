# SPDX-License-Identifier: BSD-3-Clause
"""Black boxes where nobody has asked for them: `mpilens why PID`, `why` without a target and `list --ended` tell of a job that
has ended; one that ends well leaves nothing behind; a place that is not good is told of, and the job is unharmed."""
import getpass
import json
import os
import shutil
import socket
import subprocess
import sys

from lib.job import Job, TextTest, far_pid, processes_with, run_text_test, wait_until
from lib.patience import at_most

SECONDS = at_most(60)
MEMORY = "/dev/shm"
PROGRAM = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, buffer[10] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && atoi(argv[1]) > 0) {
        MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 1)
            exit(atoi(argv[1]));
    } else if (argc > 1 && rank == 0)
        MPI_Send(buffer, 10, MPI_INT, 1, 3, MPI_COMM_WORLD);
    else if (argc > 1)
        MPI_Recv(buffer, 9, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
LEFT = "rank 1 has called exit(7) before MPI_Finalize, after MPI_Bcast at program.c:10"
# mpilens/black_box.h
NOTE_NAME, OFFSET_OF_START, OFFSET_OF_IDENTITY = b"mpilens\0", 24, 144
SENTENCE = "rank 1's MPI_Recv(9 x MPI_INT (36 bytes) <- 0, tag 3, MPI_COMM_WORLD) at program.c:16 failed with MPI_ERR_TRUNCATE: "


class EndedTest(TextTest):
    def __init__(self, arguments, directory, program):
        super().__init__(arguments, directory, program)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": directory}
        self.environment.pop("MPILENS_KEEP", None)
        self.boxes = os.path.join(directory, "mpilens")

    def line(self, *words, options=()):
        return [self.arguments.mpiexec, "-n", "2", self.command.path, "run", *options, self.program, *words]

    def start(self, *words, options=(), **environment):
        """(status, what mpilens has said) of a job of two ranks; with a word, MPI ends it."""
        result = subprocess.run(
            self.line(*words, options=options),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            env={**self.environment, **environment},
        )
        return result.returncode, [one for one in result.stdout.splitlines() if one.startswith("mpilens run: ")]

    def start_failing(self, *words, **environment):
        """Hydra's mpiexec ends before its proxy has killed the ranks."""
        result = self.start(*words, **environment)
        place = f"XDG_RUNTIME_DIR={self.directory}"
        self.check(wait_until(lambda: not processes_with(place), SECONDS), f"still there: {processes_with(place)}")
        return result

    def left(self):
        return sorted(os.listdir(self.boxes)) if os.path.isdir(self.boxes) else []

    def run_command(self, *words):
        return self.command.run(*words, environment=self.environment)

    def ended_jobs(self):
        """The PIDs of the jobs of the program under test, the last one first."""
        found = []
        for line in self.run_command("list", "--ended").output.splitlines():
            if line.endswith(self.program):
                found.append(line.split()[0])
        return found

    def good_job(self):
        status, said = self.start()
        self.check(status == 0 and not said and not self.left(), f"a good job: {status}, {said}, {self.left()}")

    def failed_job(self):
        status, said = self.start_failing("fail")
        self.check(status != 0 and not said and len(self.left()) == 2, f"failed: {status}, {said}, {self.left()}")
        self.check(os.stat(self.boxes).st_mode & 0o777 == 0o700, "the directory is for its user only")
        jobs = self.ended_jobs()
        self.check(len(jobs) == 1, f"list --ended: {jobs}")
        if not jobs:
            return
        listed = json.loads(self.run_command("list", "--ended", "--json").output)["jobs"]
        users = [job["user"] for job in listed if job["id"] == jobs[0]]
        self.check(users == [getpass.getuser()], f"list --ended: {users}")
        why = self.run_command("why", "--json", jobs[0])
        findings = (why.document() or {}).get("findings", [])
        self.check(findings and findings[0]["kind"] == "mpi-error", f"{why}")
        self.check(findings and findings[0]["message"].startswith(SENTENCE), f"{why}")
        show = self.run_command("show", jobs[0])
        self.check(show.output.startswith("job: ended, 2 ranks, "), f"{show}")
        named = self.run_command("why", self.program)
        self.check("'mpilens list --ended' has those that have ended" in named.diagnostics, f"{named}")
        self.start_failing("fail")
        both = self.ended_jobs()
        self.check(len(both) == 2 and both[1] == jobs[0], f"{both} after {jobs}")

    def same_port(self):
        """Jobs one after the other, of which Hydra has told the ranks the same."""
        with socket.socket() as one:
            one.bind(("", 0))
            port = one.getsockname()[1]
        before = self.ended_jobs()
        for _ in range(2):
            self.start_failing("fail", MPIEXEC_PORT_RANGE=f"{port}:{port}")
        after = self.ended_jobs()
        self.check(len(after) == len(before) + 2 and after[2:] == before, f"the same port: {after} after {before}")

    def early_exit(self):
        status, said = self.start_failing("7")
        jobs = self.ended_jobs()
        why = self.run_command("why", "--json", jobs[0])
        document = why.document() or {"findings": [], "processes": []}
        messages = [(one["kind"], one["message"]) for one in document["findings"]]
        wanted = ("rank-died", LEFT)
        self.check(status != 0 and not said and messages == [wanted], f"exit(7): {why}")
        statuses = [(one["rank"], one["exit_status"], one.get("ended")) for one in document["processes"]]
        self.check((1, 7, True) in statuses, f"exit(7): {statuses}")

    def told(self, job):
        """(kind, sentence) of what `why` finds in a job that runs, and the state and exit status of rank 1."""
        why = self.run_command("why", "--json", job.launcher)
        document = why.document() or {"findings": [], "processes": []}
        ends = [(one["state"], one.get("exit_status")) for one in document["processes"] if one["rank"] == 1]
        return [(one["kind"], one["message"]) for one in document["findings"]], ends

    def beside_others(self):
        """A rank that has left while the others go on; its black box counts only where it is of that job."""
        stays = ["--enable-recovery"] if "openmpi" in self.arguments.mpiexec else ["-disable-auto-cleanup"]
        before = set(self.left())
        with Job(self.arguments.mpiexec, 2, self.line("7")[3:], stays, environment=self.environment) as job:
            wanted = ("rank-died", LEFT)
            self.check(wait_until(lambda: wanted in self.told(job)[0], SECONDS, 0.5), f"beside: {self.told(job)}")
            self.check(self.told(job)[1] == [("exited", 7)], f"beside: {self.told(job)}")
            of_job = [os.path.join(self.boxes, name) for name in set(self.left()) - before]
            left = [path for path in of_job if not os.path.exists(f"/proc/{path.split('-')[-2]}/exe")]
            self.check(len(left) == 1, f"{of_job}: {left}")
            os.chmod(self.boxes, 0o777)
            _, ends = self.told(job)
            self.check(ends == [("exited", None)], f"boxes that anybody may have put there: {ends}")
            os.chmod(self.boxes, 0o700)
            for path in left:
                with open(path, "rb") as file:
                    content = file.read()
                process = content.index(NOTE_NAME) + len(NOTE_NAME)
                self.of_another_job(job, path, content, process + OFFSET_OF_IDENTITY, b"another")
                self.of_another_job(job, path, content, process + OFFSET_OF_START, bytes(8))

    def of_another_job(self, job, path, content, offset, change):
        with open(path, "wb") as file:
            file.write(content[:offset] + change + content[offset + len(change) :])
        findings, ends = self.told(job)
        self.check(findings and LEFT not in findings[0] and ends == [("exited", None)], f"{change}: {findings}, {ends}")

    def without_target(self):
        """In a world of its own, where no other job runs."""
        alone = ["unshare", "--pid", "--fork", "--mount-proc"]
        if os.geteuid() != 0 or subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            return
        place = 'XDG_RUNTIME_DIR="$PLACE"'
        script = (
            f'echo {far_pid()} > /proc/sys/kernel/ns_last_pid; {place} "$@" > /dev/null 2>&1; while env -i grep -qs {place} /proc/[0-9]*/environ; do :; done; '
            f'export {place}; "$MPILENS" why; "$MPILENS" watch --count 1'
        )
        environment = {**self.environment, "MPILENS": self.command.path, "PLACE": self.directory}
        del environment["XDG_RUNTIME_DIR"]
        result = subprocess.run(
            [*alone, "sh", "-c", script, "sh", *self.line("fail")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            env=environment,
        )
        self.check(SENTENCE in result.stdout, f"why without a target: {result.stdout}")
        self.check("this is the last one that has ended, started at " in result.stdout, f"why: {result.stdout}")
        self.check("mpilens: there is no MPI job of this user on this host" in result.stdout, f"watch: {result.stdout}")

    def none_kept(self):
        before = self.left()
        for options, environment in ((["--no-keep"], {}), ([], {"MPILENS_KEEP": "none"})):
            status, said = self.start("fail", options=options, **environment)
            self.check(status != 0 and not said and self.left() == before, f"{options}: {said}, {self.left()}")

    def bad_places(self):
        shutil.rmtree(self.boxes)
        os.symlink(self.directory, self.boxes)
        status, said = self.start()
        self.check(
            status == 0 and said == [f"mpilens run: {self.boxes}: no black boxes: it is a symbolic link"], f"{said}"
        )
        os.unlink(self.boxes)
        with open(self.boxes, "w"):
            status, said = self.start()
        self.check(status == 0 and len(said) == 1 and said[0].endswith("no black boxes: Not a directory"), f"{said}")

    def run(self):
        self.good_job()
        self.failed_job()
        self.same_port()
        self.early_exit()
        self.beside_others()
        self.without_target()
        self.none_kept()
        self.bad_places()
        return self.end() == 0


if __name__ == "__main__":
    sys.exit(run_text_test(EndedTest, __doc__, PROGRAM, parent=MEMORY))
