# SPDX-License-Identifier: BSD-3-Clause
"""For `source mpilens.py` in gdb, which also loads it with the runtime library where it is installed for that."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import mpilens_gdb  # noqa: E402, the path must be there first  pylint: disable=wrong-import-position

mpilens_gdb.register()
