/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an operation record says, in the terms of both interfaces: ranks on both levels, bytes, wildcards.
 */
#ifndef MPILENS_DLL_FACTS_OPERATION_FACTS_H
#define MPILENS_DLL_FACTS_OPERATION_FACTS_H

#include "snapshot/reading.h"

/* -1 where not known; ranks also where any. */
struct operation_facts {
    bool is_send;
    bool tag_wild;
    int32_t peer_local;
    int32_t peer_world;
    int32_t tag;
    int32_t actual_local;
    int32_t actual_world;
    int32_t actual_tag;
    int64_t actual_bytes;
    int64_t count;
    int64_t bytes;
    const struct mpilens_datatype *datatype; /* NULL: not known */
};

struct operation_facts operation_facts_get(const struct reading *reading, const struct communicator_view *communicator,
                                           const struct mpilens_operation *operation);

/* count elements of the datatype in bytes; -1: not known or too many to count. */
int64_t bytes_of(int64_t count, const struct mpilens_datatype *datatype);

/* Rank in MPI_COMM_WORLD of a peer on this communicator, -1: not known. */
int32_t peer_world_rank(const struct communicator_view *communicator, int64_t peer);

#endif
