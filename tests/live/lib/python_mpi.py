# SPDX-License-Identifier: BSD-3-Clause
"""Which MPI the mpi4py of a Python is for."""
import os
import subprocess

PRINT_LIBRARY = "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.Get_library_version())"


def environment_of(path):
    """The environment of a Python that finds mpi4py in `path`; empty: where it looks by itself."""
    return {"PYTHONPATH": path} if path else {}


def has_mpi4py(python, path, library):
    """`library`: name of the MPI in MPI_Get_library_version."""
    version = subprocess.run(
        [python, "-c", PRINT_LIBRARY],
        capture_output=True,
        text=True,
        env=dict(os.environ, **environment_of(path)),
        stdin=subprocess.DEVNULL,
    ).stdout
    return library in version
