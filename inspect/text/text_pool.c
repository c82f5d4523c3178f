/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names that thousands of records share, each stored once.
 */
#include "text/text.h"

#include "base/base.h"

#include <string.h>

static int compare_text(const void *left, const void *right)
{
    return strcmp(left, right);
}

const char *text_pool_add(struct text_pool *pool, const char *text)
{
    const char *found = arena_find(text, pool->root, compare_text);
    if (found != NULL)
        return found;
    struct arena *outer = arena_use(&pool->arena);
    const char *copy = arena_copy(text);
    arena_search((char *)copy, &pool->root, compare_text);
    arena_use(outer);
    return copy;
}
