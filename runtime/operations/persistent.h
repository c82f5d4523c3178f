/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests: the arguments of operations, and what MPI_Start makes of them. The record of the request is in
 * state MPILENS_OPERATION_PERSISTENT; its `partner` is the operation that it started last and that is active.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_PERSISTENT_H
#define MPILENS_RUNTIME_OPERATIONS_PERSISTENT_H

#include "operations/operation.h"

/* MPI_*_init has given `request`. NULL is fine. */
void persistent_bind(struct thread *thread, struct mpilens_operation *persistent, uint64_t request);

/* MPI_Start, MPI_Startall: what the requests start. The call is in place when this returns. Before the real call ... */
void persistent_start(struct thread *thread, uint32_t function, uint64_t site, int count, const MPI_Request *requests);

/* ... after it. */
void persistent_started(struct thread *thread, int error);

/* The thread's current call, if it starts requests, will never end normally. */
void persistent_abandon(struct thread *thread);

/* What `persistent` has started is over. */
void persistent_complete(struct thread *thread, struct mpilens_operation *persistent, const MPI_Status *status,
                         int error);

#endif
