#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
mpiexec -n 4 ./app
