/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores what operations have the same once.
 */
#include "model/model.h"

#include "base/base.h"

#include <stddef.h>
#include <string.h>

/* In any order that is one. */
static int compare_details(const void *left_details, const void *right_details)
{
    const struct operation_details *left = left_details;
    const struct operation_details *right = right_details;
    const int order = memcmp(left, right, offsetof(struct operation_details, purpose)); /* there are no gaps */
    return order != 0 ? order : (left->purpose > right->purpose) - (left->purpose < right->purpose);
}

const struct operation_details *operation_details_share(struct operation_details_pool *pool,
                                                        const struct operation_details *details)
{
    if (pool->last != NULL && compare_details(pool->last, details) == 0)
        return pool->last;
    const struct operation_details *found = arena_find(details, pool->root, compare_details);
    if (found != NULL)
        return pool->last = found;
    struct arena *outer = arena_use(&pool->arena);
    struct operation_details *copy = arena_allocate(sizeof *copy);
    *copy = *details;
    arena_search(copy, &pool->root, compare_details);
    arena_use(outer);
    return pool->last = copy;
}
