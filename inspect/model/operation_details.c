/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores what operations have the same once.
 */
#include "model/model.h"

#include "base/base.h"

#include <search.h>
#include <stddef.h>
#include <stdlib.h>
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
    struct operation_details *const *found = tfind(details, &pool->root, compare_details);
    if (found != NULL)
        return pool->last = *found;
    struct operation_details *copy = allocate(sizeof *copy);
    *copy = *details;
    tsearch(copy, &pool->root, compare_details);
    return pool->last = copy;
}

void operation_details_pool_clear(struct operation_details_pool *pool)
{
    tdestroy(pool->root, free);
    *pool = (struct operation_details_pool){.root = NULL};
}
