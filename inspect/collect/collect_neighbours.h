/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: neighborhoods.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_NEIGHBOURS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_NEIGHBOURS_H

#include "collect/collection.h"

/* Whom the process exchanges with in neighborhood collectives on the communicator, which is the DLL's current object.
 */
void collect_neighbours(const struct collection *collection, struct communicator *communicator);

#endif
