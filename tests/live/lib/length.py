# SPDX-License-Identifier: BSD-3-Clause
"""How much the live tests do: ./check sets MPILENS_TEST_LENGTH to "quick", "default" or "full"; without it, all."""
import os

LENGTH = os.environ.get("MPILENS_TEST_LENGTH", "full")
IS_FULL = LENGTH == "full"
IS_QUICK = LENGTH == "quick"


def reads_all_forms(head):
    """Whether a job of the program with this head is read in all forms."""
    return IS_FULL or (head.all_forms and not IS_QUICK)


def reads_parts(head):
    """Whether it is also read in parts, which is one of the forms."""
    return IS_FULL or (head.parts and not IS_QUICK)
