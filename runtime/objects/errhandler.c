/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of error handlers, and of the objects that have them.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <pthread.h>
#include <string.h>

static struct object_kind errhandlers = OBJECT_KIND(MPILENS_TABLE_ERRHANDLERS, NULL);

/* A reader of a place takes hold of the record before another thread can let it go. */
static pthread_mutex_t places_mutex = PTHREAD_MUTEX_INITIALIZER;

/* The error handler of files that are opened. */
static uint64_t of_null_file;

static struct mpilens_errhandler *take(MPI_Errhandler handle, uint32_t function, uint64_t site, uint32_t flags,
                                       enum mpilens_attachable kind)
{
    struct mpilens_errhandler *record = object_take(&errhandlers, HANDLE_VALUE(handle), function, site, flags);
    if (record == NULL)
        return NULL;
    record->user_function = 0;
    record->object_kind = kind;
    memset(record->name, 0, sizeof record->name);
    return record;
}

void errhandlers_initialize(void)
{
    for (size_t i = 0; i < predefined_errhandler_count(); i++) {
        struct predefined_errhandler predefined = predefined_errhandler_get(i);
        if (predefined.handle == MPI_ERRHANDLER_NULL ||
            object_find(&errhandlers, HANDLE_VALUE(predefined.handle)) != NULL)
            continue;
        struct mpilens_errhandler *record =
            take(predefined.handle, 0, 0, MPILENS_OBJECT_PREDEFINED, MPILENS_ATTACHABLE_ANY);
        if (record == NULL)
            continue;
        text_copy(record->name, sizeof record->name, predefined.name);
        object_publish(&errhandlers, record);
    }
    if (!of_null_file)
        errhandler_attach(&of_null_file, MPI_ERRORS_RETURN, MPILENS_ATTACHABLE_FILE);
}

void errhandler_created(uint32_t function, uint64_t site, MPI_Errhandler handle, uint64_t user_function,
                        enum mpilens_attachable kind)
{
    struct mpilens_errhandler *record = take(handle, function, site, 0, kind);
    if (record == NULL)
        return;
    record->user_function = user_function;
    object_publish(&errhandlers, record);
}

struct mpilens_errhandler *errhandler_find(uint64_t handle)
{
    return object_find(&errhandlers, handle);
}

void errhandler_freed(uint32_t function, uint64_t site, struct mpilens_errhandler *record, uint64_t handle)
{
    object_released(&errhandlers, record, handle, function, site);
}

uint64_t *errhandler_place(enum mpilens_attachable kind, void *object, uint64_t handle)
{
    if (kind == MPILENS_ATTACHABLE_FILE && handle == HANDLE_VALUE(MPI_FILE_NULL))
        return &of_null_file;
    if (object == NULL)
        return NULL;
    switch (kind) {
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return &((struct mpilens_communicator *)object)->errhandler;
    case MPILENS_ATTACHABLE_WINDOW:
        return &((struct mpilens_window *)object)->errhandler;
    case MPILENS_ATTACHABLE_FILE:
        return &((struct mpilens_file *)object)->errhandler;
    case MPILENS_ATTACHABLE_SESSION:
        return &((struct mpilens_session *)object)->errhandler;
    default:
        return NULL;
    }
}

/* `record`, which counts this place as a user already, or NULL, takes the place of what stands there. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is stored to */
static void store(uint64_t *place, struct mpilens_errhandler *record)
{
    pthread_mutex_lock(&places_mutex);
    uint64_t before = __atomic_exchange_n(place, (uint64_t)(uintptr_t)record, __ATOMIC_ACQ_REL);
    pthread_mutex_unlock(&places_mutex);
    object_unuse(&errhandlers, (void *)(uintptr_t)before);
}

/* Records an error handler that was made unseen. */
static void discover(MPI_Errhandler handle, uint32_t function, uint64_t site, enum mpilens_attachable kind)
{
    struct mpilens_errhandler *record = take(handle, function, site, MPILENS_OBJECT_ORIGIN_UNSEEN, kind);
    if (record != NULL)
        object_publish_or_reference(&errhandlers, record, NULL);
}

void errhandler_attach(uint64_t *place, MPI_Errhandler handle, enum mpilens_attachable kind)
{
    if (place == NULL)
        return;
    struct mpilens_errhandler *record = object_use_named(&errhandlers, HANDLE_VALUE(handle));
    if (record == NULL && handle != MPI_ERRHANDLER_NULL) {
        discover(handle, 0, 0, kind);
        record = object_use_named(&errhandlers, HANDLE_VALUE(handle));
    }
    store(place, record);
}

void errhandler_given(uint32_t function, uint64_t site, MPI_Errhandler handle, uint64_t *place,
                      enum mpilens_attachable kind)
{
    if (handle == MPI_ERRHANDLER_NULL)
        return;
    pthread_mutex_lock(&places_mutex);
    void *attached = place != NULL ? object_use((void *)(uintptr_t)*place) : NULL;
    pthread_mutex_unlock(&places_mutex);
    bool known = attached != NULL && object_give(&errhandlers, attached, HANDLE_VALUE(handle), function, site);
    object_unuse(&errhandlers, attached);
    if (known)
        return;
    /* Not what was known of the object. */
    if (object_reference(&errhandlers, HANDLE_VALUE(handle)) == NULL)
        discover(handle, function, site, kind);
    errhandler_attach(place, handle, kind);
}

static void share(uint64_t *place, const uint64_t *other)
{
    pthread_mutex_lock(&places_mutex);
    *place = (uint64_t)(uintptr_t)object_use((void *)(uintptr_t)*other);
    pthread_mutex_unlock(&places_mutex);
}

void errhandler_inherit(struct mpilens_communicator *record, const struct mpilens_communicator *parent)
{
    if (parent != NULL)
        share(&record->errhandler, &parent->errhandler);
    else
        record->errhandler = 0;
}

void errhandler_begin_file(struct mpilens_file *record)
{
    share(&record->errhandler, &of_null_file);
}

void errhandler_begin_window(struct mpilens_window *record)
{
    record->errhandler = (uint64_t)(uintptr_t)object_use_named(&errhandlers, HANDLE_VALUE(MPI_ERRORS_ARE_FATAL));
}

void errhandler_detach(uint64_t *place)
{
    store(place, NULL);
}
