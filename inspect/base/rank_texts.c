/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups ranks by a text: texts in a balanced tree, each with its ranks.
 */
#include "base/base.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const struct rank_text *)left)->text, ((const struct rank_text *)right)->text);
}

size_t rank_texts_find(const struct rank_texts *texts, const char *text)
{
    const struct rank_text wanted = {.text = text};
    const struct rank_text *found = arena_find(&wanted, texts->tree, compare_texts);
    return found != NULL ? found->number : texts->count;
}

size_t rank_texts_add(struct rank_texts *texts, const char *text)
{
    const size_t number = rank_texts_find(texts, text);
    if (number < texts->count)
        return number;
    struct rank_text *added = arena_allocate(sizeof *added);
    added->text = arena_copy(text);
    added->number = number;
    if (!texts->apart)
        arena_search(added, &texts->tree, compare_texts);
    texts->items = arena_append(texts->items, &texts->count, sizeof(struct rank_text *));
    texts->items[number] = added;
    return number;
}

/* Each part behind its length, so that no two lists of parts give one text. */
static char *join(const char *const *parts, size_t count)
{
    enum { MOST_DIGITS = 24 };
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += MOST_DIGITS + (parts[i] != NULL ? strlen(parts[i]) : 0);
    char *text = allocate(bytes);
    char *end = text;
    for (size_t i = 0; i < count; i++) {
        if (parts[i] == NULL)
            *end++ = '-';
        else
            end += snprintf(end, bytes - (size_t)(end - text), "%zu:%s", strlen(parts[i]), parts[i]);
    }
    return text;
}

size_t rank_texts_add_parts(struct rank_texts *texts, const char *const *parts, size_t count)
{
    char *text = join(parts, count);
    const size_t number = rank_texts_add(texts, text);
    free(text);
    return number;
}

size_t rank_texts_add_rank(struct rank_texts *texts, const char *text, int rank)
{
    const size_t number = rank_texts_add(texts, text);
    ranks_add(&texts->items[number]->ranks, rank);
    return number;
}
