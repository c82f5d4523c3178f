# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the live tests."""
