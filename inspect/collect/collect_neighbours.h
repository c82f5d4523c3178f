/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: neighborhoods.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_NEIGHBOURS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_NEIGHBOURS_H

#include "collect/collection.h"

/* In the order in which neighborhood collectives have them. The caller frees `ranks`. */
struct neighbours {
    int *ranks; /* those of MPI_COMM_WORLD, -1: not known, NO_NEIGHBOUR: a place beyond the end of a dimension */
    size_t count;
};

enum { NO_NEIGHBOUR = -2 };

/* Whom the process exchanges with in neighborhood collectives on the communicator, which is the DLL's current object.
 * The outputs come in zero-initialised; they stay so where there is no topology. */
void collect_neighbours(const struct collection *collection, struct communicator *communicator,
                        struct neighbours *ret_sources, struct neighbours *ret_destinations);

#endif
