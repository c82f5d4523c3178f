/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a thread waits for another one of its process.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_WAITING_H
#define MPILENS_INSPECT_STACK_STACK_WAITING_H

#include "stack/stack.h"

/* Whether the thread can only go on when another thread of its process acts (but for signals): it waits, without a time
 * limit, for a thread's end, a mutex, a condition variable, a semaphore or a barrier, or for the lock of Python's
 * interpreter. The system call tells where it is
 * known; else the names of the innermost frames. False where neither does. */
bool stack_is_waiting_for_threads(const struct thread_stack *stack);

#endif
