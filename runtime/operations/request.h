/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that are cancelled, freed or asked about, and generalized ones.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_REQUEST_H
#define MPILENS_RUNTIME_OPERATIONS_REQUEST_H

#include "operations/operation.h"

/* MPI_Cancel has succeeded. */
void request_cancelled(struct thread *thread, uint64_t request);

/* MPI_Request_free has succeeded on what was `operation` under `request`. */
void request_freed(struct thread *thread, struct mpilens_operation *operation, uint64_t request);

/* MPI_Request_get_status says that the request is complete. */
void request_seen_complete(struct thread *thread, uint64_t request, const MPI_Status *status);

/* The same of the requests [count] named by `indices`, statuses in the same order; `indices` NULL: of the first
 * `outcount`. */
void requests_seen_complete(struct thread *thread, int outcount, const int *indices, const MPI_Request *requests,
                            int count, const MPI_Status *statuses);

/* MPI_Grequest_start. The call is in place when this returns. Its operation, or NULL. */
struct mpilens_operation *generalized_start(struct thread *thread, uint32_t function, uint64_t site);

/* MPI_Grequest_complete, which any thread may call, is about to be called: from then on the request may be collected
 * and its record serve another operation. Returns the operation where the call must be undone if it fails, or NULL. */
struct mpilens_operation *generalized_completing(struct thread *thread, uint64_t request);

/* It has failed. NULL is fine. */
void generalized_not_complete(struct mpilens_operation *operation);

#endif
