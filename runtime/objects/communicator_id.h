/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of communicators, windows and files that all members derive without asking each other.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_ID_H
#define MPILENS_RUNTIME_OBJECTS_COMMUNICATOR_ID_H

#include "objects/communicator.h"

enum { COMMUNICATOR_ID_WORLD = 1, COMMUNICATOR_ID_SELF = 2 };

/* Of a new communicator whose groups stand in `record`: in (COMMUNICATOR_ID_SELF, 2^63). Counts the call. */
uint64_t communicator_id(const struct communicator_derivation *derivation, const struct mpilens_communicator *record);

/* The unique_id of the window or file that a call on a communicator has made: from the communicator's and the ordinal
 * of the call on it, which are the same at all members. 0: the communicator is not known. */
uint64_t object_unique_id(enum mpilens_table_kind kind, const struct communicator_derivation *derivation);

/* A key of text. */
uint64_t communicator_text_key(const char *text);

/* A key of a connected socket, the same at both ends. 0: it has no addresses. */
uint64_t communicator_socket_key(int socket_descriptor);

/* Every process has its own MPI_COMM_SELF: numbers that nobody shares. */
uint64_t communicator_id_of_self(int world_rank);

#endif
