#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
exec ./app
