# SPDX-License-Identifier: BSD-3-Clause
"""How long the live tests wait for what must come."""
import os

# Limits are for a machine that has nothing else to do; on another one there is more patience, as meson's
# --timeout-multiplier.
PATIENCE = float(os.environ.get("MPILENS_TEST_PATIENCE", 1))


def at_most(seconds):
    """Whole seconds to wait for what takes a small part of `seconds`."""
    return round(seconds * PATIENCE)
