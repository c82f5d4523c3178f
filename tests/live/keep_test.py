# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens run --keep` where black boxes cannot be made, or not whole: the job is unharmed, and clear words say why. A job
that ends well leaves none behind. Programs that fork, become another program, or leave their user or
the file system, run on unharmed."""
import os
import re
import subprocess
import sys
import tempfile

from lib.command import Command, argument_parser
from lib.job import compile_text
from lib.patience import at_most
from lib.report import Report

SECONDS = at_most(30)
PROGRAM = """
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

# Does something that black boxes have to stand, then makes them grow.
ODD_PROGRAM = """
#define _GNU_SOURCE
#include <mpi.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
enum { MANY = 20000 };
static MPI_Request requests[MANY];
static MPI_Status statuses[MANY];
static char places[MANY];
static int has_open_box(void)
{
    DIR *files = opendir("/proc/self/fd");
    char path[4096];
    int found = 0;
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        const ssize_t count = readlinkat(dirfd(files), file->d_name, path, sizeof path - 1);
        path[count > 0 ? count : 0] = 0;
        found += strstr(path, ".box") != NULL;
    }
    closedir(files);
    return found;
}
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "chroot") == 0 && (chroot(argv[2]) != 0 || chdir("/") != 0))
        return 9;
    if (strcmp(argv[1], "user") == 0 && setresuid(65534, 65534, 65534) != 0)
        return 9;
    if (strcmp(argv[1], "fork") == 0) {
        const pid_t child = fork();
        if (child == 0)
            exit(0);
        waitpid(child, NULL, 0);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&places[i], 1, MPI_CHAR, rank, i, MPI_COMM_WORLD, &requests[i]);
    if (strcmp(argv[1], "descriptors") == 0 && has_open_box() != 0)
        return 9;
    if (strcmp(argv[1], "fork") == 0 && rank == 1)
        raise(SIGKILL);
    if (strcmp(argv[1], "exec") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        execl("/bin/true", "true", (char *)NULL);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Send("", 1, MPI_CHAR, rank, i, MPI_COMM_WORLD);
    MPI_Waitall(MANY, requests, statuses);
    MPI_Finalize();
    return 0;
}
"""


class KeepTest(Report):
    def __init__(self, arguments, directory, program, odd_program):
        super().__init__()
        self.odd_program = odd_program
        self.arguments = arguments
        self.directory = directory
        self.program = program

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self, place, by_environment, *words):
        """(status, output) of two ranks that end well."""
        options = [] if by_environment else ["--keep", place]
        line = [self.arguments.mpiexec, "-n", "2", self.arguments.mpilens, "run", *options]
        # A rank that has left its user cannot remove Open MPI's file of shared memory, and mpiexec may crash by saying so.
        variables = {"OMPI_MCA_btl": "self,tcp", **({"MPILENS_KEEP": place} if by_environment else {})}
        result = subprocess.run(
            [*line, *(words or [self.program])],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            env={**os.environ, **variables},
        )
        return result.returncode, result.stdout

    def case(self, name, place, words, left=0, by_environment=False):
        """`words`: the required text; "": none."""
        status, output = self.start(place, by_environment)
        said = [line for line in output.splitlines() if line.startswith("mpilens run: ")]
        self.check(status == 0, f"{name}: status {status}: {output}")
        self.check(len(said) == bool(words) and all(words in line for line in said), f"{name}: {output}")
        if os.path.isdir(place):
            found = [one for one in os.listdir(place) if one.endswith(".box")]
            self.check(len(found) == left, f"{name}: {found} is left")

    def run(self):
        self.case("a new directory", self.path("new"), "")
        self.check(os.stat(self.path("new")).st_mode & 0o777 == 0o700, "a new directory is for its user only")
        self.case("a new directory, by the environment", self.path("named"), "", by_environment=True)
        self.check(os.path.isdir(self.path("named")), "the directory of MPILENS_KEEP is made")
        self.case("a file, by the environment", __file__, "Not a directory", by_environment=True)
        os.symlink(self.path("new"), self.path("link"))
        self.case("a link", self.path("link"), "it is a symbolic link")
        os.mkdir(self.path("open"))
        os.chmod(self.path("open"), 0o777)
        self.case("a directory for all", self.path("open"), "others may write into the directory")
        with open(self.path("file"), "w"):
            pass
        self.case("a file", self.path("file"), "Not a directory")
        self.case("nowhere", self.path("no/where"), "No such file or directory")
        if os.geteuid() == 0:
            os.mkdir(self.path("foreign"))
            os.chown(self.path("foreign"), 65534, 65534)
            self.case("a foreign directory", self.path("foreign"), "belongs to another user (uid 65534)")
        for size in (4, 64, 256, 640):
            self.small(f"size={size}k", "")
        self.small("nr_inodes=1", "")  # only the directory
        self.printed()
        self.odd("descriptors", "there is neither a black box")
        self.odd("fork", r"(?m)^ *1 +receive +1 +0 ", is_killed=True)
        self.odd("exec", "there is neither a black box")
        if os.geteuid() == 0:
            self.odd("chroot", "there is neither a black box")
            self.odd("user", "there is neither a black box")
        return self.end() == 0

    def odd(self, name, shown, is_killed=False):
        """`shown`: words of `mpilens show` about the boxes that are left."""
        place = self.path(name)
        status, output = self.start(place, False, self.odd_program, name, self.directory)
        self.check((status != 0) == is_killed and "mpilens" not in output, f"{name}: status {status}: {output}")
        show = Command(self.arguments.mpilens).show(place)
        self.check(re.search(shown, f"{show.output}{show.diagnostics}"), f"{name}: {show}")

    def printed(self):
        """The variables that a launcher sets by itself: with them alone, the program has its black boxes there."""
        place = self.path("printed")
        printed = Command(self.arguments.mpilens).run("run", "--print", "--keep", place, self.program)
        variables = dict(line.split("=", 1) for line in printed.output.splitlines())
        self.check(variables.get("MPILENS_KEEP") == os.path.realpath(place), str(printed))
        self.check("libmpilens-" in variables.get("LD_PRELOAD", ""), str(printed))

    def small(self, limit, words):
        """A file system with so little room; other users cannot make one."""
        place = self.path(limit)
        os.mkdir(place)
        mount = ["mount", "-t", "tmpfs", "-o", f"{limit},mode=700", "mpilens", place]
        if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            return
        try:
            self.case(limit, place, words)
        finally:
            subprocess.run(["umount", place], check=False)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mpilens-keep-") as directory:
        programs = [
            compile_text(arguments.mpicc, directory, text, name=name)
            for name, text in (("program", PROGRAM), ("odd", ODD_PROGRAM))
        ]
        test = KeepTest(arguments, directory, *programs)
        return 0 if test.run() else 1


if __name__ == "__main__":
    sys.exit(main())
