/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names that thousands of records share, each stored once.
 */
#include "text/text.h"

#include "base/base.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare_text(const void *left, const void *right)
{
    return strcmp(left, right);
}

const char *text_pool_add(struct text_pool *pool, const char *text)
{
    char *const *found = tfind(text, &pool->root, compare_text);
    if (found != NULL)
        return *found;
    char *copy = copy_text(text);
    tsearch(copy, &pool->root, compare_text);
    return copy;
}

void text_pool_clear(struct text_pool *pool)
{
    tdestroy(pool->root, free);
    pool->root = NULL;
}
