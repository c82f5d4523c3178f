/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topologies of communicators: struct mpilens_topology of layout.def. The struct is zeroed at first; the values behind
 * it are its own.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_TOPOLOGY_H
#define MPILENS_RUNTIME_OBJECTS_TOPOLOGY_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

/* Asks MPI for the topology of a valid intracommunicator. `reordered`: as its constructor was asked. */
void topology_ask(struct mpilens_topology *topology, MPI_Comm handle, bool reordered);

/* That of a duplicate. */
void topology_copy(struct mpilens_topology *topology, const struct mpilens_topology *original);

/* There is none any more. */
void topology_give_back(struct mpilens_topology *topology);

#endif
