#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a program under ThreadSanitizer: without address space randomization, which some kernels have more of than it can bear.
# Exit status 77 where it cannot run at all.
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 second_deadlock_stack=1"
output=$(setarch "$(uname -m)" -R "$@" 2>&1)
status=$?
printf '%s\n' "$output"
case $output in
*"unexpected memory mapping"* | *"failed to set personality"*)
    echo "SKIP: ThreadSanitizer cannot run here"
    exit 77
    ;;
esac
exit $status
