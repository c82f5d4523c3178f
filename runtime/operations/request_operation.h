/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that have a request and are not messages: nonblocking and persistent collectives, one-sided and file
 * operations with a request, MPI_Comm_idup, generalized requests, MPI_Buffer_iflush. Behind the hot path.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_REQUEST_OPERATION_H
#define MPILENS_RUNTIME_OPERATIONS_REQUEST_OPERATION_H

#include "operations/operation.h"

/* What begins; meanings by class as in layout.def. */
struct request_operation {
    uint64_t site;
    uint64_t buffer;
    uint64_t count;
    uint64_t communicator; /* addresses of records, 0: none or not known */
    uint64_t datatype;
    uint64_t object;  /* the record that it works on: of its class's kind */
    uint64_t detail;  /* goes to actual_bytes */
    uint64_t request; /* where it is known already */
    int32_t peer;
    int32_t tag;
    uint32_t function;
    uint32_t flags; /* class, mode */
    uint32_t state; /* MPILENS_OPERATION_PENDING or _PERSISTENT */
};

/* Before the real call: publishes it. NULL: there is no record; counted. */
struct mpilens_operation *request_operation_begin(struct thread *thread, const struct request_operation *begun);

/* After it; `request` is what it gave. NULL is fine. */
void request_operation_started(struct thread *thread, struct mpilens_operation *operation, int error, uint64_t request);

/* MPI_Comm_idup on `parent` has given the communicator of record `created` and `request`. After communicator_created:
 *   communicator_pending_started(thread, site, @function@, derivation.parent, record, call, HANDLE_VALUE(*@request@));
 * When the request is over, or at once where it is complete by nature, communicator_used(created) is called, and
 * `call`, its place in the order of the parent, is left. NULL records are fine. */
void communicator_pending_started(struct thread *thread, uint64_t site, uint32_t function,
                                  const struct mpilens_communicator *parent, const struct mpilens_communicator *created,
                                  struct mpilens_collective *call, uint64_t request);

#endif
