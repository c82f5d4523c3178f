/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What MPI_Comm_accept, MPI_Comm_connect and their like wait for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_CONNECTIONS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_CONNECTIONS_H

#include "analysis/graph/waits.h"

/* Gives the node of a thread its mode and edges. False: what the thread waits for is not known, or will come. */
bool waits_for_connection(struct waits *waits, uint32_t node, const struct communicator *communicator,
                          const struct thread *thread);

#endif
