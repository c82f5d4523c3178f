/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls that give a request.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_COLLECTIVE_REQUEST_H
#define MPILENS_RUNTIME_OPERATIONS_COLLECTIVE_REQUEST_H

#include "operations/collective.h"

/* A nonblocking call. The call is in place when this returns. Its operation, or NULL. */
struct mpilens_operation *collective_start(struct thread *thread, const struct collective_arguments *arguments);

/* MPI_*_init has given `request`. */
void collective_bind(struct thread *thread, const struct collective_arguments *arguments, uint64_t request);

#endif
