/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How operations end in the general case. operation.h has the usual one.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_OPERATION_COMPLETE_H
#define MPILENS_RUNTIME_OPERATIONS_OPERATION_COMPLETE_H

#include "thread/thread.h"

/* Whether the message of a receive was too long for it (MPI_ERR_TRUNCATE). */
bool error_is_truncation(int error) COLD;

/* A receive that failed, or was cancelled. True: it received a message all the same, from its `actual_source`. */
bool operation_received_despite(struct mpilens_operation *operation, int error, const MPI_Status *status) COLD;

/* The channel on which a receive counts, where the thread's cache does not have it. Never NULL. */
struct mpilens_channel *operation_channel_slowly(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source);

/* One of the operations of `request`, which names many at a time and may do so in other threads, is over. */
void operation_complete_any(struct thread *thread, uint64_t request, const MPI_Status *status, int error);

/* `operation` itself is over, and in no table. */
void operation_complete_alone(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                              int error);

/* `operation`, collected through `request`, is over. */
void operation_complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                        const MPI_Status *status, int error);

#endif
