# SPDX-License-Identifier: BSD-3-Clause
"""Takes long to import."""
import time

time.sleep(600)  # LINE(import)
