#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes doc/page.png, the picture of README: the page of a real job. Needs MPICH, Graphviz and Chromium. Argument: the command.
set -euo pipefail
mpilens=$(realpath "$1")
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
launcher=
trap 'if [ -n "$launcher" ]; then kill "$launcher"; fi; wait; rm -rf "$work"' EXIT
cp "$source/tests/live/programs/demo_ring.c" "$work/ring.c"
cd "$work"
mpicc.mpich -g ring.c -o ring
mpiexec.mpich -n 4 "$mpilens" run ./ring </dev/null >/dev/null 2>&1 &
launcher=$!
status=0
for _ in {1..100}; do # until the ranks are there, and hang
    "$mpilens" why --html page.html "$launcher" >/dev/null 2>&1 || status=$?
    [ "$status" -ne 1 ] || break
done
[ "$status" -eq 1 ] || { echo "the job did not hang" >&2 && exit 1; }
sed -i '/^<body>/,/^<main>/{/^<body>/!{/^<main>/!d}}' page.html # without its head, which is about this machine
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1100,485 --user-data-dir="$work/browser" \
    --screenshot="$source/doc/page.png" "file://$work/page.html" >/dev/null 2>&1
