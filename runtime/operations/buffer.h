/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffers of buffered sends: what is attached, and MPI_Buffer_iflush.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_BUFFER_H
#define MPILENS_RUNTIME_OPERATIONS_BUFFER_H

#include "operations/operation.h"

/* The process has this buffer from now on; NULL: none. */
void process_buffer_attached(const void *buffer, uint64_t bytes);

/* Likewise the session that `handle` names. */
void session_buffer_attached(uint64_t handle, const void *buffer, uint64_t bytes);

/* MPI_Buffer_iflush and the like; `communicator` is the record of whose buffer it is, or NULL. The call is in place
 * when this returns. Its operation, or NULL. */
struct mpilens_operation *buffer_flush_start(struct thread *thread, uint32_t function, uint64_t site,
                                             const struct mpilens_communicator *communicator);

#endif
