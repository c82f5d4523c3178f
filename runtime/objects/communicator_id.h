/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of communicators that all members derive without asking each other.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_ID_H
#define MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_ID_H

#include "objects/communicator.h"

enum { COMMUNICATOR_ID_WORLD = 1, COMMUNICATOR_ID_SELF = 2 };

/* Of a new communicator whose groups stand in `record`: in (COMMUNICATOR_ID_SELF, 2^63). Counts the call. */
uint64_t communicator_id(const struct communicator_derivation *derivation, const struct mpilens_communicator *record);

/* Every process has its own MPI_COMM_SELF: numbers that nobody shares. */
uint64_t communicator_id_of_self(int world_rank);

#endif
