/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Freed records wait in the order in which they were freed. When enough have gathered, one walk over everything
 * that may refer to them marks those that are in use; the older ones of the rest are given back, and what is over
 * forgets them.
 */
#include "objects/objects_internal.h"

#include "memory/memory.h"

#include <pthread.h>
#include <string.h>

enum {
    KEPT = 32,      /* freed records that stay in any case */
    GATHERED = 128, /* at least so many wait before the records that may refer to them are walked */
    WALKED = 64,    /* fields for each record that waits; fewer would let more of them wait */
};

/* Bits of `flags` that only this file uses. */
#define IN_USE  0x80000000u
#define LEAVING 0x40000000u

/* A field that holds the address of a communicator's or datatype's record. */
struct reference {
    enum mpilens_table_kind kind;   /* of what it refers to */
    enum mpilens_table_kind holder; /* of the records that have it */
    size_t offset;
    size_t count;        /* number of references ... */
    size_t distance;     /* ... and their distance in bytes */
    bool of_live_object; /* only live objects need the reference; else it holds for operations */
    uint32_t class_flag; /* of operations: the field is one in this class only; 0: in all */
};

#define IN_OPERATION(kind, field, class_flag)                                                                          \
    {                                                                                                                  \
        kind, MPILENS_TABLE_OPERATIONS, offsetof(struct mpilens_operation, field), 1, 0, false, class_flag             \
    }
#define IN_OBJECT(kind, holder, structure, field)                                                                      \
    {                                                                                                                  \
        kind, holder, offsetof(struct structure, field), 1, 0, true, 0                                                 \
    }
#define FIELD_COUNT(structure, field) (sizeof((struct structure *)0)->field / sizeof((struct structure *)0)->field[0])

static const struct reference references[] = {
    IN_OPERATION(MPILENS_TABLE_COMMUNICATORS, communicator, 0),
    IN_OPERATION(MPILENS_TABLE_COMMUNICATORS, object, MPILENS_OPERATION_COMMUNICATOR),
    IN_OPERATION(MPILENS_TABLE_DATATYPES, datatype, 0),
    IN_OBJECT(MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_MESSAGES, mpilens_message, communicator),
    IN_OBJECT(MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_UNEXPECTED, mpilens_unexpected, communicator),
    IN_OBJECT(MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_THREADS, mpilens_thread, communicator),
    IN_OBJECT(MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_THREADS, mpilens_thread, poll_communicator),
    {MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_THREADS, offsetof(struct mpilens_thread, other_poll_communicator),
     FIELD_COUNT(mpilens_thread, other_poll_communicator), sizeof(uint64_t), true, 0},
    IN_OBJECT(MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_WINDOWS, mpilens_window, communicator),
    IN_OBJECT(MPILENS_TABLE_COMMUNICATORS, MPILENS_TABLE_FILES, mpilens_file, communicator),
    IN_OBJECT(MPILENS_TABLE_DATATYPES, MPILENS_TABLE_FILES, mpilens_file, view_etype),
    IN_OBJECT(MPILENS_TABLE_DATATYPES, MPILENS_TABLE_FILES, mpilens_file, view_filetype),
    {MPILENS_TABLE_DATATYPES, MPILENS_TABLE_COMMUNICATORS,
     offsetof(struct mpilens_communicator, recent_collectives) + offsetof(struct mpilens_collective, datatype),
     FIELD_COUNT(mpilens_communicator, recent_collectives), sizeof(struct mpilens_collective), false, 0},
};

struct waiting_list {
    void **records; /* oldest first */
    size_t bytes;   /* mapped */
    size_t count;
    size_t threshold;
    give_back_contents *give_back;
};

static pthread_mutex_t reclaim_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct waiting_list waiting[MPILENS_TABLE_COUNT];

/* The walks read records while other threads write them; torn values do no harm here. With clang, no_sanitize leaves
 * atomic accesses to ThreadSanitizer. */
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#define WALKS __attribute__((disable_sanitizer_instrumentation))
#else
#define WALKS __attribute__((no_sanitize("thread")))
#endif

struct walk {
    const struct reference *reference;
    size_t visited; /* fields */
};

WALKS static uint64_t *field_at(void *record, const struct reference *reference, size_t index)
{
    return (uint64_t *)(void *)((char *)record + reference->offset + index * reference->distance);
}

/* Whether the record's field is one, and what it refers to must stay. */
WALKS static bool needs(const struct reference *reference, const void *record)
{
    uint32_t state = __atomic_load_n((const uint32_t *)record, __ATOMIC_RELAXED);
    if (reference->of_live_object)
        return state == MPILENS_OBJECT_LIVE;           /* MPILENS_THREAD_ALIVE is the same */
    if (reference->holder != MPILENS_TABLE_OPERATIONS) /* calls of a communicator: completed ones are forgotten */
        return false;
    const struct mpilens_operation *operation = record;
    return state != 0 && state != MPILENS_OPERATION_RETIRED && state != MPILENS_OPERATION_ABANDONED &&
           (reference->class_flag == 0 || (operation->flags & reference->class_flag));
}

WALKS static bool mark_used(void *record, void *context)
{
    struct walk *walk = context;
    walk->visited++;
    if (!needs(walk->reference, record))
        return true;
    for (size_t i = 0; i < walk->reference->count; i++) {
        struct mpilens_object *object = (struct mpilens_object *)(uintptr_t)*field_at(record, walk->reference, i);
        if (object != NULL && object->state == MPILENS_OBJECT_FREED)
            object->flags |= IN_USE;
    }
    return true;
}

WALKS static bool forget(void *record, void *context)
{
    struct walk *walk = context;
    const struct reference *reference = walk->reference;
    if (*(const uint32_t *)record == 0 ||
        (reference->class_flag && !(((const struct mpilens_operation *)record)->flags & reference->class_flag)))
        return true;
    for (size_t i = 0; i < reference->count; i++) {
        uint64_t *field = field_at(record, reference, i);
        uint64_t address = __atomic_load_n(field, __ATOMIC_RELAXED);
        const struct mpilens_object *object = (const struct mpilens_object *)(uintptr_t)address;
        walk->visited++;
        if (object != NULL && (object->flags & LEAVING)) /* unless the record has got a new user meanwhile */
            __atomic_compare_exchange_n(field, &address, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    return true;
}

/* Returns how many fields it has looked at. */
static size_t walk_all(enum mpilens_table_kind kind, bool (*visit)(void *record, void *context))
{
    size_t visited = 0;
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        struct walk walk = {.reference = &references[i]};
        if (references[i].kind == kind)
            table_visit(references[i].holder, visit, &walk);
        visited += walk.visited;
    }
    return visited;
}

/* Not one of the walks: ThreadSanitizer must see what this load comes after. */
static __attribute__((noinline)) bool is_held(const struct mpilens_object *object)
{
    return __atomic_load_n(&object->users, __ATOMIC_ACQUIRE) > 0;
}

WALKS static void walk_and_give_back(enum mpilens_table_kind kind)
{
    struct waiting_list *list = &waiting[kind];
    size_t visited = walk_all(kind, mark_used);
    for (size_t i = 0; i < list->count; i++) {
        struct mpilens_object *object = list->records[i];
        if (!(object->flags & IN_USE) && !is_held(object) && i + KEPT < list->count)
            object->flags |= LEAVING;
        object->flags &= ~IN_USE;
    }
    visited += walk_all(kind, forget);
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct mpilens_object *object = list->records[i];
        if (object->flags & LEAVING) {
            list->give_back(object);
            table_give_back_one(kind, object);
        } else
            list->records[left++] = object;
    }
    list->count = left;
    list->threshold = 2 * left + GATHERED + visited / WALKED; /* so that the walks cost little per freed object */
}

void *reclaim_hold(void *record)
{
    if (record != NULL)
        __atomic_fetch_add(&((struct mpilens_object *)record)->users, 1, __ATOMIC_ACQ_REL);
    return record;
}

void reclaim_release(void *record)
{
    if (record != NULL)
        __atomic_fetch_sub(&((struct mpilens_object *)record)->users, 1, __ATOMIC_ACQ_REL);
}

bool reclaim_set_freed(void *record)
{
    struct mpilens_object *object = record;
    uint32_t live = MPILENS_OBJECT_LIVE;
    return object != NULL && !(__atomic_load_n(&object->flags, __ATOMIC_RELAXED) & MPILENS_OBJECT_PREDEFINED) &&
           __atomic_compare_exchange_n(&object->state, &live, MPILENS_OBJECT_FREED, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);
}

void reclaim_later(enum mpilens_table_kind kind, void *record, give_back_contents *give_back)
{
    pthread_mutex_lock(&reclaim_mutex);
    struct waiting_list *list = &waiting[kind];
    list->give_back = give_back;
    if (list->threshold == 0)
        list->threshold = GATHERED;
    size_t needed = (list->count + 1) * sizeof *list->records;
    if (needed > list->bytes) {
        size_t bytes = list->bytes ? list->bytes * 2 : 4096;
        void **records = memory_map(bytes);
        if (records != NULL) {
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
