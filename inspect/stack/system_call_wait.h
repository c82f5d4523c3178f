/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread waits for in a system call: a file, a child, another end.
 */
#ifndef MPILENS_INSPECT_STACK_SYSTEM_CALL_WAIT_H
#define MPILENS_INSPECT_STACK_SYSTEM_CALL_WAIT_H

#include "stack/stack_system_call.h"

/* "waiting to open input.fifo", "waiting to read standard input (a pipe)", "waiting for a lock of /scratch/run.lock";
 * NULL: the call tells nothing of that, or the target is no living process of this host. The caller frees it. */
char *describe_system_call_wait(struct target *target, const struct system_call *system_call);

#endif
