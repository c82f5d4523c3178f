/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the objects of a snapshot by their kinds, each in the order of their serials, or of time where there are none.
 */
#include "snapshot/snapshot.h"

#include "mpilens/extension.h"

static void add(struct snapshot *snapshot, int kind, const void *record, uint64_t number)
{
    const uint32_t *state = record;
    uint64_t order = number;
    if (*state != MPILENS_OBJECT_LIVE && *state != MPILENS_OBJECT_FREED)
        return;
    if (kind == MPILENS_OBJECT_MESSAGE) {
        order = ((const struct mpilens_message *)record)->matched_time;
    } else if (kind != MPILENS_OBJECT_ATTRIBUTE) {
        const struct mpilens_object *object = record;
        const bool is_side = object->handle == 0 || (*state == MPILENS_OBJECT_FREED && object->users > 0);
        if (kind == MPILENS_OBJECT_GROUP && is_side)
            return; /* the application has none of it: only a side of communicators */
        order = object->serial;
    }
    buckets_add(&snapshot->objects, (size_t)kind, order, number, record);
}

int snapshot_sort_objects(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    size_t limit = 0;
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_KIND_COUNT; kind++)
        limit += snapshot->tables[object_table(kind)].record_count;
    int code = buckets_create(&snapshot->objects, limit, MPILENS_OBJECT_KIND_COUNT);
    if (code != mqs_ok)
        return code;
    for (int kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_KIND_COUNT; kind++) {
        const struct table_copy *copy = &snapshot->tables[object_table(kind)];
        struct table_position position = {0};
        for (const void *record; (record = table_copy_next(copy, &position)) != NULL;)
            add(snapshot, kind, record, position.number);
    }
    return buckets_finish(&snapshot->objects);
}
