# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Mpilens(MesonPackage):
    """Finds out why an MPI job hangs: the calls, messages and objects of each rank, and which rank is to blame."""

    # The project has no public address yet: put the directory or URL of your clone here.
    git = "https://mpilens.invalid/mpilens.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("mpi")
    depends_on("elfutils@0.188:")
    depends_on("ncurses")
    depends_on("sqlite@3:")
    depends_on("util-linux")
    depends_on("xz")
    depends_on("zlib-api")
    depends_on("zstd")

    def meson_args(self):
        return ["-Dtests=false", "-Dfortran=disabled", f"-Dmpi={self.spec['mpi'].mpicc}"]
