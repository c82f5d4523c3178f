# SPDX-License-Identifier: BSD-3-Clause
"""What the live tests share."""
