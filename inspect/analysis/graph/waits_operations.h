/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What waits for messages and requests wait for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_OPERATIONS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_OPERATIONS_H

#include "analysis/graph/waits.h"

/* Gives the node of a thread its mode and edges. False: what the thread waits for is not known, or will come. */
bool waits_for_operations(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);
/* The node of a send or receive, connected with who must do the other half of it. */
uint32_t waits_add_message(struct waits *waits, uint32_t process, const struct operation *operation,
                           const struct communicator *communicator);
/* Connects with all members of the communicator (of the remote group of an intercommunicator): any of them. */
void waits_for_any_member(struct waits *waits, uint32_t node, uint32_t process,
                          const struct communicator *communicator);
/* Whether the send or receive at its other end is there, or may be: then it will complete. */
bool operation_has_partner(const struct operation *operation);
/* Whether a matched probe has taken the message of a send, and no receive of it was begun. */
bool operation_is_held(const struct operation *operation);

#endif
