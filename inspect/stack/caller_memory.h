/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the callers of an MPI function have on the stack and in registers: while the call does not return, it stays as
 * it is. A loop that is seen twice in the same call has its counter there, or a result.
 */
#ifndef MPILENS_INSPECT_STACK_CALLER_MEMORY_H
#define MPILENS_INSPECT_STACK_CALLER_MEMORY_H

#include "model/model.h"
#include "stack/mpi_call.h"

/* Reads it from the process, which may run, and sets caller_stack and caller_registers of the thread. They stay 0 where
 * frames have no stack pointers. */
void caller_memory_read(struct target *target, const struct thread_stack *stack, const struct mpi_call *call,
                        struct seen_thread *thread);
/* Whether the call has returned in between. What is not known is the same. */
bool caller_memory_differs(const struct seen_thread *before, const struct seen_thread *later);

#endif
