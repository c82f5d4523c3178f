#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job script: does this and that, then starts the MPI program with its arguments.
set -e
directory=$(mktemp -d)
echo input >"$directory/input"
grep -q input "$directory/input"
cat "$directory/input" | sort >/dev/null
rm -r "$directory"
"$@"
echo "the program is over"
