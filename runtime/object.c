/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects that a handle names.
 */
#include "object.h"

#include "clock.h"
#include "table.h"

#include <assert.h>

#define CHECK_OBJECT(name)                                                                                             \
    static_assert(offsetof(struct mpilens_##name, state) == offsetof(struct object, state) &&                          \
                      offsetof(struct mpilens_##name, flags) == offsetof(struct object, flags) &&                      \
                      offsetof(struct mpilens_##name, handle) == offsetof(struct object, handle) &&                    \
                      offsetof(struct mpilens_##name, site) == offsetof(struct object, site) &&                        \
                      offsetof(struct mpilens_##name, created) == offsetof(struct object, created) &&                  \
                      offsetof(struct mpilens_##name, function) == offsetof(struct object, function) &&                \
                      offsetof(struct mpilens_##name, serial) == offsetof(struct object, serial) &&                    \
                      offsetof(struct mpilens_##name, references) == offsetof(struct object, references) &&            \
                      offsetof(struct mpilens_##name, users) == offsetof(struct object, users),                        \
                  "struct object is not what struct mpilens_" #name " begins with")

CHECK_OBJECT(communicator);
CHECK_OBJECT(group);
CHECK_OBJECT(datatype);
CHECK_OBJECT(op);
CHECK_OBJECT(errhandler);
CHECK_OBJECT(info);
CHECK_OBJECT(keyval);
CHECK_OBJECT(session);
CHECK_OBJECT(window);
CHECK_OBJECT(file);

static pthread_mutex_t object_mutex = PTHREAD_MUTEX_INITIALIZER;

void *object_find(struct object_kind *kind, uint64_t handle)
{
    return handle_map_find(&kind->handles, handle);
}

void object_begin(struct object *object, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags,
                  uint32_t *count)
{
    object->flags = flags;
    object->handle = handle;
    object->site = site;
    object->created = clock_ticks();
    object->function = function;
    object->serial = __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    object->references = 1;
    object->users = 0;
}

void *object_take(struct object_kind *kind, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags)
{
    void *record = table_take_one(kind->table);
    if (record)
        object_begin(record, handle, function, site, flags, &kind->count);
    return record;
}

static void give_back(struct object_kind *kind, void *record)
{
    if (kind->give_back)
        kind->give_back(record);
    table_give_back(kind->table, &record, 1);
}

/* Of a record that is freed and that nobody uses: it takes the place of the one that has been so for longest. */
static void keep_awhile(struct object_kind *kind, struct object *object)
{
    void **place = &kind->freed[kind->freed_count++ % OBJECTS_KEPT];
    if (*place)
        give_back(kind, *place);
    *place = object;
}

/* The record has no handle any more. */
static void set_freed(struct object_kind *kind, struct object *object)
{
    __atomic_store_n(&object->state, MPILENS_OBJECT_FREED, __ATOMIC_RELEASE);
    if (object->users == 0)
        keep_awhile(kind, object);
}

bool object_publish(struct object_kind *kind, void *record)
{
    struct object *object = record;
    pthread_mutex_lock(&object_mutex);
    struct object *stale = handle_map_find(&kind->handles, object->handle);
    bool room = handle_map_set(&kind->handles, object->handle, record);
    if (room) {
        __atomic_store_n(&object->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
        if (stale && stale->state == MPILENS_OBJECT_LIVE) {
            stale->references = 0;
            set_freed(kind, stale);
        }
    } else
        give_back(kind, record);
    pthread_mutex_unlock(&object_mutex);
    return room;
}

void object_reference(void *record)
{
    struct object *object = record;
    pthread_mutex_lock(&object_mutex);
    if (!(object->flags & MPILENS_OBJECT_PREDEFINED))
        object->references++;
    pthread_mutex_unlock(&object_mutex);
}

void object_released(struct object_kind *kind, void *record, uint64_t handle)
{
    struct object *object = record;
    if (!object || (object->flags & MPILENS_OBJECT_PREDEFINED))
        return;
    pthread_mutex_lock(&object_mutex);
    if (object->state == MPILENS_OBJECT_LIVE && object->references > 0 && --object->references == 0) {
        handle_map_remove(&kind->handles, handle, record);
        set_freed(kind, object);
    }
    pthread_mutex_unlock(&object_mutex);
}

void *object_use(void *record)
{
    struct object *object = record;
    if (!object)
        return NULL;
    pthread_mutex_lock(&object_mutex);
    object->users++;
    pthread_mutex_unlock(&object_mutex);
    return record;
}

void object_unuse(struct object_kind *kind, void *record)
{
    struct object *object = record;
    if (!object)
        return;
    pthread_mutex_lock(&object_mutex);
    if (--object->users == 0 && object->state == MPILENS_OBJECT_FREED)
        keep_awhile(kind, object);
    pthread_mutex_unlock(&object_mutex);
}
