# SPDX-License-Identifier: BSD-3-Clause
"""Takes its time."""
import time

time.sleep(600)  # LINE(import)
