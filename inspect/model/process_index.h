/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds records of a process by number.
 */
#ifndef MPILENS_INSPECT_MODEL_PROCESS_INDEX_H
#define MPILENS_INSPECT_MODEL_PROCESS_INDEX_H

#include "model/model.h"

/* Looks up in O(log n) from now on; until then, and after process_clear_index(), what is there is searched from end to
 * end. Communicators, their queues, requests and objects may no longer be added, removed or moved. Does not change what
 * the pointers in the index point to. */
void process_make_index(struct process *process);
void process_clear_index(struct process *process);

/* NULL: the process is not a member, or it has no such operation among those that are not over. */
const struct communicator *find_communicator(const struct process *process, uint64_t id);
const struct operation *find_operation(const struct process *process, uint64_t serial,
                                       const struct communicator **ret_communicator);
const struct request *find_request(const struct process *process, uint64_t serial);
/* What is left of one that the process has freed; NULL: it has not, or does not remember. */
const struct freed_object *find_freed_object(const struct process *process, uint32_t kind, uint64_t id);
const struct object *find_object(const struct process *process, uint32_t kind, uint32_t serial);

#endif
