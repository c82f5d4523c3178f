# SPDX-License-Identifier: BSD-3-Clause
"""`mpilens run --keep` where black boxes cannot be made, or not whole: the job is unharmed, and clear words say why. A job
that ends well leaves none behind."""
import os
import subprocess
import sys
import tempfile

from lib.command import argument_parser
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


class KeepTest(Report):
    def __init__(self, arguments, directory, program):
        super().__init__()
        self.arguments = arguments
        self.directory = directory
        self.program = program

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self, place, by_environment):
        """(status, output) of two ranks that end well."""
        options = [] if by_environment else ["--keep", place]
        line = [self.arguments.mpiexec, "-n", "2", self.arguments.mpilens, "run", *options]
        result = subprocess.run(
            [*line, self.program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            env={**os.environ, **({"MPILENS_KEEP": place} if by_environment else {})},
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
            self.small(size)
        return self.end() == 0

    def small(self, kilobytes):
        """A file system with so much room; other users cannot make one."""
        place = self.path(f"small{kilobytes}")
        os.mkdir(place)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=700", "mpilens", place]
        if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            return
        try:
            self.case(f"{kilobytes} KiB", place, "")
        finally:
            subprocess.run(["umount", place], check=False)


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--mpicc", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mpilens-keep-") as directory:
        with open(os.path.join(directory, "program.c"), "w") as file:
            file.write(PROGRAM)
        program = os.path.join(directory, "program")
        subprocess.run([arguments.mpicc, "-o", program, file.name], check=True)
        test = KeepTest(arguments, directory, program)
        return 0 if test.run() else 1


if __name__ == "__main__":
    sys.exit(main())
