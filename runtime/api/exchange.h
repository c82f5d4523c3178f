/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that send and receive at once, made of a synchronous send and a receive.
 */
#ifndef MPILENS_RUNTIME_API_EXCHANGE_H
#define MPILENS_RUNTIME_API_EXCHANGE_H

#include "mpi/functions.h"

#include <stddef.h>

/* Waits for both; a receive that is MPI_REQUEST_NULL is over. `error`: of starting the send; then nothing is received
 * either. Returns the error of the receive, else that of the send. */
int exchange_end(int error, MPI_Request *send, MPI_Request *receive, MPI_Status *status);

/* What is sent out of a buffer in which something else is being received. */
struct packed_copy {
    MPI_Count bytes; /* -1: too many to be packed by this MPI, or there is no memory; nothing to clear then */
    void *memory;
    size_t memory_bytes;
};

/* Returns an error of MPI. */
int packed_copy_make(struct packed_copy *ret_copy, const void *buffer, MPI_Count count, MPI_Datatype datatype,
                     MPI_Comm communicator);
/* Starts a synchronous send of it. */
int packed_copy_send(const struct packed_copy *copy, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_send);
/* The same as a standard send of the library's own. */
int packed_copy_start(const struct packed_copy *copy, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_send);
void packed_copy_clear(struct packed_copy *copy);

#endif
