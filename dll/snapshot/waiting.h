/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the operations that request handles stand for.
 */
#ifndef MPILENS_DLL_SNAPSHOT_WAITING_H
#define MPILENS_DLL_SNAPSHOT_WAITING_H

#include "snapshot/call_requests.h"

/* Live operations with a request, by handle, then oldest first. */
struct request_index {
    struct sort_entry *operations; /* `major` is the handle */
    size_t count;
    uint8_t *is_partner; /* by record number of the operation: it has no request of its own */
    size_t *taken;       /* at the first entry of each handle: how many of them this call has taken */
};

int request_index_create(const struct snapshot *snapshot, struct request_index *ret_index);
void request_index_free(struct request_index *index);

/* Adds (there is room for two per handle) what the handles stand for and is not complete. Handles
 * that are equal stand for different operations, oldest first. */
void request_index_collect(struct reading *reading, struct request_index *index, const struct thread_requests *requests,
                           struct awaited *awaited);

/* Adds the operation if it is one that a call can still wait for. `operation` may be NULL. */
void waiting_add(struct reading *reading, struct awaited *awaited, const struct mpilens_operation *operation);

#endif
