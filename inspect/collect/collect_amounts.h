/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: what a process gives others in a collective call, and expects of them.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_AMOUNTS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_AMOUNTS_H

#include "collect/collect_neighbours.h"

/* Where the calls are made. */
struct exchange {
    const struct communicator *communicator;
    struct neighbours sources, destinations; /* of its topology */
    size_t amounts_left;                     /* no more are read of this process */
};

/* Of the call that the DLL has delivered last, which `call` tells of so far. In large communicators only what is
 * exchanged with the next ranks on both sides is read, which are the same pairs everywhere. */
void collect_amounts(const struct collection *collection, struct exchange *exchange, struct collective_call *call);

#endif
