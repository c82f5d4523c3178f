/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Publishes, finds, frees and withdraws the records of objects, for all kinds.
 */
#include "objects/objects.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "mpi/mpi_traits.h"
#include "thread/thread.h"

static pthread_mutex_t object_mutex = PTHREAD_MUTEX_INITIALIZER;

/* That does not change; other flags may meanwhile. */
static bool is_predefined(const struct mpilens_object *object)
{
    return (__atomic_load_n(&object->flags, __ATOMIC_RELAXED) & MPILENS_OBJECT_PREDEFINED) != 0;
}

void *object_find(struct object_kind *kind, uint64_t handle)
{
    return handle_map_find(&kind->handles, handle);
}

static const enum mpilens_object_kind kinds[MPILENS_TABLE_COUNT] = {
    [MPILENS_TABLE_COMMUNICATORS] = MPILENS_OBJECT_COMMUNICATOR,
    [MPILENS_TABLE_GROUPS] = MPILENS_OBJECT_GROUP,
    [MPILENS_TABLE_DATATYPES] = MPILENS_OBJECT_DATATYPE,
    [MPILENS_TABLE_OPS] = MPILENS_OBJECT_OP,
    [MPILENS_TABLE_ERRHANDLERS] = MPILENS_OBJECT_ERRHANDLER,
    [MPILENS_TABLE_INFOS] = MPILENS_OBJECT_INFO,
    [MPILENS_TABLE_KEYVALS] = MPILENS_OBJECT_KEYVAL,
    [MPILENS_TABLE_SESSIONS] = MPILENS_OBJECT_SESSION,
    [MPILENS_TABLE_WINDOWS] = MPILENS_OBJECT_WINDOW,
    [MPILENS_TABLE_FILES] = MPILENS_OBJECT_FILE,
};

/* Facts about the object from the call that gives its handle. Outside of locks. */
struct origin {
    uint32_t flags;
    int32_t fortran_handle;
};

static struct origin origin_of(enum mpilens_table_kind kind, uint64_t handle, uint32_t function, uint64_t site)
{
    struct origin origin = {0};
    bool has_handle = handle != 0 || kind == MPILENS_TABLE_KEYVALS;
    if (has_handle && fortran_handle_of(kinds[kind], handle, &origin.fortran_handle))
        origin.flags |= MPILENS_OBJECT_HAS_FORTRAN_HANDLE;
    bool from_fortran = thread_is_from_fortran() || /* or from a binding that no entry comes before */
                        (site != 0 && caller_classify((const void *)(uintptr_t)site) == CALLER_FORTRAN_BINDING);
    if (function != 0 && from_fortran)
        origin.flags |= MPILENS_OBJECT_FROM_FORTRAN;
    return origin;
}

struct user_function user_function_of(uint64_t address, const void *state, uint32_t given_to, uint32_t plain)
{
    struct user_function user = {address, given_to};
    if (state != NULL && caller_classify((const void *)(uintptr_t)address) == CALLER_FORTRAN_BINDING) {
        memcpy(&user.address, state, sizeof(void *));
        user.given_to = plain;
    }
    return user;
}

void object_begin(enum mpilens_table_kind kind, struct mpilens_object *object, uint64_t handle, uint32_t function,
                  uint64_t site, uint32_t flags,
                  uint32_t *count) /* NOLINT(readability-non-const-parameter): it is counted up */
{
    struct origin origin = origin_of(kind, handle, function, site);
    object->flags = flags | origin.flags;
    object->fortran_handle = origin.fortran_handle;
    object->freed_function = 0;
    object->freed_site = 0;
    object->handle = handle;
    object->site = site;
    clock_stamp(&object->created);
    object->function = function;
    object->serial = __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    object->references = flags & MPILENS_OBJECT_PREDEFINED ? 0 : 1;
    object->users = 0;
}

void *object_take(struct object_kind *kind, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags)
{
    void *record = table_take_one(kind->table);
    if (record != NULL)
        object_begin(kind->table, record, handle, function, site, flags, &kind->count);
    return record;
}

static void give_back(struct object_kind *kind, void *record)
{
    if (kind->give_back != NULL)
        kind->give_back(record);
    table_give_back_one(kind->table, record);
}

/* Keeps a record that is freed and unused, in the place of the oldest such record. */
static void keep_awhile(struct object_kind *kind, struct mpilens_object *object)
{
    void **place = &kind->freed[kind->freed_count++ % OBJECTS_KEPT];
    if (*place != NULL)
        give_back(kind, *place);
    *place = object;
}

/* The application has freed it as often as it was given. The record stays while it has users, which may show it, and
 * then as one of the last OBJECTS_KEPT. */
static void set_freed(struct object_kind *kind, struct mpilens_object *object)
{
    object->references = 0;
    __atomic_store_n(&object->state, MPILENS_OBJECT_FREED, __ATOMIC_RELEASE);
    if (object->users == 0)
        keep_awhile(kind, object);
}

/* The handle names the record from now on. */
static bool set_handle(struct object_kind *kind, struct mpilens_object *object, uint64_t handle)
{
    struct mpilens_object *stale = handle_map_find(&kind->handles, handle);
    if (!handle_map_set(&kind->handles, handle, object))
        return false;
    if (stale != NULL && stale != object && stale->state == MPILENS_OBJECT_LIVE) /* freed by a call that was not seen */
        set_freed(kind, stale);
    return true;
}

/* All fields are written: the map leads to it, then the state tells readers that they may read it. */
static bool publish(struct object_kind *kind, struct mpilens_object *object)
{
    if (!set_handle(kind, object, object->handle)) {
        give_back(kind, object);
        __atomic_fetch_add(&mpilens_process.tables[kind->table].untracked, 1, __ATOMIC_RELAXED);
        return false;
    }
    __atomic_store_n(&object->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    return true;
}

bool object_publish(struct object_kind *kind, void *record)
{
    pthread_mutex_lock(&object_mutex);
    bool published = publish(kind, record);
    pthread_mutex_unlock(&object_mutex);
    black_box_note_modules();
    return published;
}

static void count_reference(struct mpilens_object *object)
{
    if (!is_predefined(object))
        object->references++;
}

void *object_publish_or_reference(struct object_kind *kind, void *record,
                                  bool (*same)(const void *known, const void *record))
{
    struct mpilens_object *object = record;
    pthread_mutex_lock(&object_mutex);
    struct mpilens_object *known = handle_map_find(&kind->handles, object->handle);
    if (known != NULL && (same == NULL || same(known, record))) {
        count_reference(known);
        give_back(kind, record);
    } else
        known = publish(kind, record) ? record : NULL;
    pthread_mutex_unlock(&object_mutex);
    return known;
}

bool object_give(struct object_kind *kind, void *record, uint64_t handle, uint32_t function, uint64_t site)
{
    struct mpilens_object *object = record;
    const struct origin origin = origin_of(kind->table, handle, function, site);
    pthread_mutex_lock(&object_mutex);
    /* Given again under the same handle, or, after it was freed, under a new one: then it begins a new life. */
    bool given = object->handle == handle && (object->references > 0 || is_predefined(object));
    if (given)
        count_reference(object);
    else if (object->references == 0 && !is_predefined(object)) {
        given = set_handle(kind, object, handle);
        if (given) {
            object->function = function;
            object->site = site;
            uint32_t flags = object->flags & ~(MPILENS_OBJECT_HAS_FORTRAN_HANDLE | MPILENS_OBJECT_FROM_FORTRAN);
            __atomic_store_n(&object->flags, flags | origin.flags, __ATOMIC_RELAXED);
            object->fortran_handle = origin.fortran_handle;
            object->freed_function = 0;
            object->freed_site = 0;
            object->references = 1;
            __atomic_store_n(&object->handle, handle, __ATOMIC_RELAXED);
            __atomic_store_n(&object->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&object_mutex);
    return given;
}

void *object_reference(struct object_kind *kind, uint64_t handle)
{
    pthread_mutex_lock(&object_mutex);
    struct mpilens_object *object = handle_map_find(&kind->handles, handle);
    if (object != NULL)
        count_reference(object);
    pthread_mutex_unlock(&object_mutex);
    return object;
}

void object_note_freed(void *record, uint32_t function, uint64_t site)
{
    struct mpilens_object *object = record;
    if (object == NULL || is_predefined(object))
        return;
    __atomic_store_n(&object->freed_site, site, __ATOMIC_RELAXED);
    __atomic_store_n(&object->freed_function, function, __ATOMIC_RELAXED);
}

void object_released(struct object_kind *kind, void *record, uint64_t handle, uint32_t function, uint64_t site)
{
    struct mpilens_object *object = record;
    if (object == NULL || is_predefined(object))
        return;
    pthread_mutex_lock(&object_mutex);
    if (object->state == MPILENS_OBJECT_LIVE && object->references > 0 && --object->references == 0) {
        handle_map_remove(&kind->handles, handle, record);
        object_note_freed(object, function, site);
        set_freed(kind, object);
    }
    pthread_mutex_unlock(&object_mutex);
}

void *object_use(void *record)
{
    struct mpilens_object *object = record;
    if (object == NULL || is_predefined(object))
        return record;
    pthread_mutex_lock(&object_mutex);
    object->users++;
    pthread_mutex_unlock(&object_mutex);
    return record;
}

void *object_use_named(struct object_kind *kind, uint64_t handle)
{
    pthread_mutex_lock(&object_mutex);
    struct mpilens_object *object = handle_map_find(&kind->handles, handle);
    if (object != NULL && !is_predefined(object))
        object->users++;
    pthread_mutex_unlock(&object_mutex);
    return object;
}

void object_unuse_locked(struct object_kind *kind, void *record)
{
    struct mpilens_object *object = record;
    if (object == NULL || is_predefined(object))
        return;
    if (object->users > 0 && --object->users == 0 && object->references == 0) {
        if (object->state == MPILENS_OBJECT_FREED)
            keep_awhile(kind, object);
        else /* it had no handle */
            give_back(kind, object);
    }
}

void object_unuse(struct object_kind *kind, void *record)
{
    if (record == NULL)
        return;
    pthread_mutex_lock(&object_mutex);
    object_unuse_locked(kind, record);
    pthread_mutex_unlock(&object_mutex);
}
