# SPDX-License-Identifier: BSD-3-Clause
"""The one error of this package. gdb prints its text alone, without a trace of Python."""
import gdb


class MpiError(gdb.GdbError):
    pass
