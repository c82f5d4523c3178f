/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments of MPI calls in words.
 */
#ifndef MPILENS_INSPECT_STACK_ARGUMENT_TEXT_H
#define MPILENS_INSPECT_STACK_ARGUMENT_TEXT_H

#include "stack/call_arguments.h"
#include "stack/mpi_call.h"

/* "count 16, datatype 0x4c00080b, peer ?, tag 8, communicator 0x44000000", those that say whom and what it is about;
 * NULL: none of them is known. The caller frees it. */
char *describe_arguments(struct target *target, const struct thread_stack *stack, const struct mpi_call *call);

#endif
