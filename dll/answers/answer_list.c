/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Grows and copies arrays.
 */
#include "answers/answers.h"

#include "mpilens/extension.h"
#include "target/target.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

int answer_list_add(struct answer_list *list, const void *item)
{
    if (list->count == INT_MAX)
        return mqs_ok;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 4;
        uint8_t *items = allocate_array(capacity, list->item_bytes);
        if (items == NULL)
            return MPILENS_ERROR_NO_MEMORY;
        if (list->count > 0)
            memcpy(items, list->items, list->count * list->item_bytes);
        release(list->items);
        list->items = items;
        list->capacity = capacity;
    }
    memcpy((uint8_t *)list->items + list->count * list->item_bytes, item, list->item_bytes);
    list->count++;
    return mqs_ok;
}

void answer_list_free(struct answer_list *list)
{
    release(list->items);
    *list = (struct answer_list){.item_bytes = list->item_bytes};
}

int answer_copy(const void *items, size_t count, size_t item_bytes, void **ret_copy)
{
    *ret_copy = NULL;
    if (count == 0 || items == NULL)
        return mqs_ok;
    void *copy = allocate_array(count, item_bytes);
    if (copy == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    memcpy(copy, items, count * item_bytes);
    *ret_copy = copy;
    return mqs_ok;
}
