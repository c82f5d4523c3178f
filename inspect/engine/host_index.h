/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds names in a list of many hosts, whatever the list's length.
 */
#ifndef MPILENS_INSPECT_ENGINE_HOST_INDEX_H
#define MPILENS_INSPECT_ENGINE_HOST_INDEX_H

#include "engine/host_list.h"

/* Of a list that stays as it is meanwhile. */
struct host_index {
    const struct host_list *list;
    size_t *places; /* by the name without domain, then as they were said */
};

struct host_index host_index_make(const struct host_list *list);
/* As host_list_find(). */
size_t host_index_find(const struct host_index *index, const char *name);
void host_index_clear(struct host_index *index);

#endif
