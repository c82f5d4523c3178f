# SPDX-License-Identifier: BSD-3-Clause
"""Rank 1 waits while it imports a module; the others become the program."""
import os
import sys

if (os.environ.get("PMI_RANK") or os.environ.get("OMPI_COMM_WORLD_RANK")) == "1":
    import slow_module
os.execv(sys.argv[1], sys.argv[1:])
