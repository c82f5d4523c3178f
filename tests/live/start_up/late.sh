#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Rank 1 waits before it becomes the program.
if [ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 1 ]; then
    sleep 600
fi
exec "$@"
