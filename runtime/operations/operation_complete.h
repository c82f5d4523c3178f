/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How operations end in the general case. operation.h has the usual one.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_OPERATION_COMPLETE_H
#define MPILENS_RUNTIME_OPERATIONS_OPERATION_COMPLETE_H

#include "thread/thread.h"

/* One of the operations of `request`, which names many at a time and may do so in other threads, is over. */
void operation_complete_any(struct thread *thread, uint64_t request, const MPI_Status *status, int error);

/* `operation` itself is over, and in no table. */
void operation_complete_alone(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                              int error);

/* `operation`, collected through `request`, which is not persistent, is over. */
void operation_complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                        const MPI_Status *status, int error);

#endif
