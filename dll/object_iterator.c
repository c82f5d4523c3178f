/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts the published records of a table by their serials, or by the time where they have none.
 */
#include "object_iterator.h"

#include "callbacks.h"
#include "mpilens/extension.h"
#include "object_fields.h"

#include <string.h>

enum mpilens_table_kind object_table(int kind)
{
    static const enum mpilens_table_kind tables[] = {
        [MPILENS_OBJECT_NONE] = MPILENS_TABLE_COUNT,
        [MPILENS_OBJECT_COMMUNICATOR] = MPILENS_TABLE_COMMUNICATORS,
        [MPILENS_OBJECT_GROUP] = MPILENS_TABLE_GROUPS,
        [MPILENS_OBJECT_DATATYPE] = MPILENS_TABLE_DATATYPES,
        [MPILENS_OBJECT_OP] = MPILENS_TABLE_OPS,
        [MPILENS_OBJECT_ERRHANDLER] = MPILENS_TABLE_ERRHANDLERS,
        [MPILENS_OBJECT_INFO] = MPILENS_TABLE_INFOS,
        [MPILENS_OBJECT_KEYVAL] = MPILENS_TABLE_KEYVALS,
        [MPILENS_OBJECT_SESSION] = MPILENS_TABLE_SESSIONS,
        [MPILENS_OBJECT_WINDOW] = MPILENS_TABLE_WINDOWS,
        [MPILENS_OBJECT_FILE] = MPILENS_TABLE_FILES,
        [MPILENS_OBJECT_MESSAGE] = MPILENS_TABLE_MESSAGES,
        [MPILENS_OBJECT_ATTRIBUTE] = MPILENS_TABLE_ATTRIBUTES,
    };
    return kind > MPILENS_OBJECT_NONE && kind < MPILENS_OBJECT_KIND_COUNT ? tables[kind] : MPILENS_TABLE_COUNT;
}

/* Place of the record in the order; false: it is no object of the application. */
static bool order_of(int kind, const void *record, uint64_t number, struct sort_entry *ret_entry)
{
    const uint32_t *state = record;
    if (*state != MPILENS_OBJECT_LIVE && *state != MPILENS_OBJECT_FREED)
        return false;
    if (kind == MPILENS_OBJECT_ATTRIBUTE) {
        *ret_entry = (struct sort_entry){number, 0, 0, record};
    } else if (kind == MPILENS_OBJECT_MESSAGE) {
        const struct mpilens_message *message = record;
        *ret_entry = (struct sort_entry){message->matched_time, number, 0, record};
    } else {
        const struct object_fields *object = record;
        *ret_entry = (struct sort_entry){object->serial, number, 0, record};
        return kind != MPILENS_OBJECT_GROUP || object->handle != 0; /* others are only sides of communicators */
    }
    return true;
}

int object_iterator_begin(const struct snapshot *snapshot, int kind, struct object_iterator *iterator)
{
    const struct table_copy *copy = &snapshot->tables[object_table(kind)];
    object_iterator_end(iterator);
    struct sort_entry *order = allocate_array(copy->record_count, sizeof(*order));
    if (!order)
        return MPILENS_ERROR_NO_MEMORY;
    size_t count = 0;
    for (size_t b = 0; b < copy->block_count; b++)
        for (size_t i = 0; i < copy->blocks[b].count; i++)
            if (order_of(kind, copy->blocks[b].records + i * copy->record_size, copy->blocks[b].first + i,
                         &order[count]))
                count++;
    int code = sort_entries(order, count);
    if (code != mqs_ok) {
        release(order);
        return code;
    }
    *iterator = (struct object_iterator){.kind = kind, .order = order, .count = count};
    return mqs_ok;
}

const void *object_iterator_next(struct object_iterator *iterator)
{
    iterator->current = iterator->next < iterator->count ? iterator->order[iterator->next++].item : NULL;
    return iterator->current;
}

void object_iterator_end(struct object_iterator *iterator)
{
    release(iterator->order);
    memset(iterator, 0, sizeof(*iterator));
}
