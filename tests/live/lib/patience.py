# SPDX-License-Identifier: BSD-3-Clause
"""How long the live tests wait for what must come."""
import os

# Limits are for a machine that has nothing else to do; on another one there is more patience, as meson's
# --timeout-multiplier.
PATIENCE = float(os.environ.get("MPILENS_TEST_PATIENCE", 1))

# Processes that want each processor while only the tests run. Where more do, everything takes as much longer.
USUAL_LOAD, MOST_LOADED = 8, 6


def load_factor():
    """How many times as long as usual things take on this machine just now."""
    loaded = os.getloadavg()[0] / (USUAL_LOAD * os.cpu_count())
    return min(max(loaded, 1), MOST_LOADED)


def at_most(seconds):
    """Whole seconds to wait for what takes a small part of `seconds`."""
    return round(seconds * PATIENCE * load_factor())
