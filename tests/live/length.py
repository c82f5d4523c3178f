# SPDX-License-Identifier: BSD-3-Clause
"""How much the live tests do: what ./check sets in MPILENS_TEST_LENGTH, "quick", "default" or "full"; without it, all."""
import os

IS_FULL = os.environ.get('MPILENS_TEST_LENGTH', 'full') == 'full'
