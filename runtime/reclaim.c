/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Freed records wait in the order in which they were freed. When enough have gathered, one walk over all operations
 * marks those that are in use; the older ones of the rest are given back, and completed operations forget them.
 */
#include "reclaim.h"

#include "group.h"
#include "memory.h"
#include "object.h"
#include "process.h"
#include "table.h"

#include <pthread.h>
#include <string.h>

enum {
    KEPT = 32,      /* freed records that stay in any case */
    GATHERED = 128, /* at least so many wait before the operations are walked */
};

/* Bits of `flags` that only this file uses. */
#define IN_USE  0x80000000u
#define LEAVING 0x40000000u

struct waiting_list {
    void **records; /* oldest first */
    size_t bytes;   /* mapped */
    size_t count;
    size_t threshold;
};

static pthread_mutex_t reclaim_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct waiting_list waiting[MPILENS_TABLE_COUNT];

/* The walks read records while other threads write them: what they see of a record that is being written does no harm.
 */
#define WALKS __attribute__((no_sanitize("thread")))

struct walk {
    enum mpilens_table_kind kind;
    size_t operations;
};

WALKS static uint64_t *reference_of(struct mpilens_operation *operation, enum mpilens_table_kind kind)
{
    return kind == MPILENS_TABLE_COMMUNICATORS ? &operation->communicator : &operation->datatype;
}

WALKS static bool mark_used(void *record, void *context)
{
    struct walk *walk = context;
    struct mpilens_operation *operation = record;
    struct object *object = (struct object *)(uintptr_t)*reference_of(operation, walk->kind);
    uint32_t state = __atomic_load_n(&operation->state, __ATOMIC_RELAXED);
    walk->operations++;
    if (object && object->state == MPILENS_OBJECT_FREED && state != MPILENS_OPERATION_RETIRED &&
        state != MPILENS_OPERATION_ABANDONED)
        object->flags |= IN_USE;
    return true;
}

/* A message that was probed on a communicator which has been freed since. */
WALKS static bool mark_used_by_message(void *record, void *context)
{
    const struct mpilens_message *message = record;
    struct object *object = (struct object *)(uintptr_t)message->communicator;
    (void)context;
    if (message->state == MPILENS_OBJECT_LIVE && object && object->state == MPILENS_OBJECT_FREED)
        object->flags |= IN_USE;
    return true;
}

WALKS static void forget(uint64_t *reference) /* NOLINT(readability-non-const-parameter): it is stored to */
{
    uint64_t address = __atomic_load_n(reference, __ATOMIC_RELAXED);
    const struct object *object = (const struct object *)(uintptr_t)address;
    if (object && (object->flags & LEAVING)) /* unless the record has got a new user meanwhile */
        __atomic_compare_exchange_n(reference, &address, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

WALKS static bool forget_in_operation(void *record, void *context)
{
    forget(reference_of(record, ((struct walk *)context)->kind));
    return true;
}

WALKS static bool forget_in_collectives(void *record, void *context)
{
    struct mpilens_communicator *communicator = record;
    (void)context;
    if (communicator->state != 0)
        for (size_t i = 0; i < sizeof communicator->recent_collectives / sizeof communicator->recent_collectives[0];
             i++)
            forget(&communicator->recent_collectives[i].datatype);
    return true;
}

static void give_back(enum mpilens_table_kind kind, void *record)
{
    if (kind == MPILENS_TABLE_COMMUNICATORS) {
        const struct mpilens_communicator *communicator = record;
        group_release((struct mpilens_group *)(uintptr_t)communicator->group);
        group_release((struct mpilens_group *)(uintptr_t)communicator->remote_group);
    }
    table_give_back(kind, &record, 1);
}

WALKS static void walk_and_give_back(enum mpilens_table_kind kind)
{
    struct waiting_list *list = &waiting[kind];
    struct walk walk = {.kind = kind};
    table_visit(MPILENS_TABLE_OPERATIONS, mark_used, &walk);
    if (kind == MPILENS_TABLE_COMMUNICATORS)
        table_visit(MPILENS_TABLE_MESSAGES, mark_used_by_message, NULL);
    for (size_t i = 0; i < list->count; i++) {
        struct object *object = list->records[i];
        if (!(object->flags & IN_USE) && i + KEPT < list->count)
            object->flags |= LEAVING;
        object->flags &= ~IN_USE;
    }
    table_visit(MPILENS_TABLE_OPERATIONS, forget_in_operation, &walk);
    if (kind == MPILENS_TABLE_DATATYPES)
        table_visit(MPILENS_TABLE_COMMUNICATORS, forget_in_collectives, NULL);
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct object *object = list->records[i];
        if (object->flags & LEAVING)
            give_back(kind, object);
        else
            list->records[left++] = object;
    }
    list->count = left;
    list->threshold = 2 * left + GATHERED + walk.operations / 256; /* so that the walks cost little per freed object */
}

bool reclaim_set_freed(void *record)
{
    struct object *object = record;
    uint32_t live = MPILENS_OBJECT_LIVE;
    return object && !(__atomic_load_n(&object->flags, __ATOMIC_RELAXED) & MPILENS_OBJECT_PREDEFINED) &&
           __atomic_compare_exchange_n(&object->state, &live, MPILENS_OBJECT_FREED, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);
}

void reclaim_later(enum mpilens_table_kind kind, void *record)
{
    pthread_mutex_lock(&reclaim_mutex);
    struct waiting_list *list = &waiting[kind];
    if (list->threshold == 0)
        list->threshold = GATHERED;
    size_t needed = (list->count + 1) * sizeof *list->records;
    if (needed > list->bytes) {
        size_t bytes = list->bytes ? list->bytes * 2 : 4096;
        void **records = memory_map(bytes);
        if (records) {
            if (list->count > 0)
                memcpy(records, list->records, list->count * sizeof *records);
            memory_unmap(list->records, list->bytes);
            list->records = records;
            list->bytes = bytes;
        }
    }
    if (needed <= list->bytes) /* else the record stays for good */
        list->records[list->count++] = record;
    if (list->count >= list->threshold)
        walk_and_give_back(kind);
    pthread_mutex_unlock(&reclaim_mutex);
}
