/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the requests of a process that stand in no queue, and its objects.
 */

#include "base/base.h"
#include "collect/collect_internal.h"

#include <stdlib.h>

/* More locks of one window than these are not looked at. */
enum { MOST_LOCKS = 1 << 16 };

int collect_requests(const struct collection *collection, struct process *process)
{
    int code = collection->dll->mpilens_setup_request_iterator(collection->handle);
    while (code == mqs_ok) {
        struct mpilens_operation_information information = {.struct_size = sizeof information};
        code = collection->dll->mpilens_next_request(collection->handle, &information);
        if (code != mqs_ok)
            break;
        process->requests = array_append(process->requests, &process->request_count, sizeof *process->requests);
        process->requests[process->request_count - 1] = collection_operation(collection, &information);
    }
    return collection_end(code);
}

static const struct group *collect_group(const struct collection *collection, int exposure, int32_t size)
{
    if (size <= 0 || size > MOST_RANKS)
        return NULL;
    const struct group *group = NULL;
    int *ranks = allocate((size_t)size * sizeof *ranks);
    if (collection->dll->mpilens_get_window_group(collection->handle, exposure, ranks) == mqs_ok)
        group = group_pool_add_ranks(collection->groups, ranks, (size_t)size);
    free(ranks);
    return group;
}

static void collect_locks(const struct collection *collection, uint32_t lock_count, struct window *window)
{
    const size_t capacity = lock_count < MOST_LOCKS ? lock_count : MOST_LOCKS;
    if (capacity == 0)
        return;
    struct mpilens_window_lock_information *locks = allocate(capacity * sizeof *locks);
    size_t count = 0;
    locks[0].struct_size = sizeof *locks;
    if (collection->dll->mpilens_get_window_locks(collection->handle, locks, capacity, &count) != mqs_ok)
        count = 0;
    window->locks = allocate(capacity * sizeof *window->locks);
    window->lock_count = count;
    for (size_t i = 0; i < count; i++)
        window->locks[i] = model_window_lock(collection, &locks[i]);
    free(locks);
}

struct window *collect_window(const struct collection *collection)
{
    struct mpilens_window_information information = {.struct_size = sizeof information};
    if (collection->dll->mpilens_get_window(collection->handle, &information) != mqs_ok)
        return NULL;
    struct window *window = allocate(sizeof *window);
    *window = model_window(collection, &information);
    window->access_group = collect_group(collection, 0, information.access_group_size);
    window->exposure_group = collect_group(collection, 1, information.exposure_group_size);
    collect_locks(collection, information.lock_count, window);
    return window;
}

struct file *collect_file(const struct collection *collection)
{
    struct mpilens_file_information information = {.struct_size = sizeof information};
    if (collection->dll->mpilens_get_file(collection->handle, &information) != mqs_ok)
        return NULL;
    struct file *file = allocate(sizeof *file);
    *file = model_file(collection, &information);
    return file;
}

/* Whether the object is freed and MPI does not keep it. Users of datatypes and sessions may themselves be freed and
 * only remembered. Freed windows and files stay: they explain the waits of members that still have them. */
static bool is_gone(const struct mpilens_object_information *object)
{
    if (object->kind == MPILENS_OBJECT_WINDOW || object->kind == MPILENS_OBJECT_FILE)
        return false;
    return object->freed &&
           (object->users == 0 || object->kind == MPILENS_OBJECT_DATATYPE || object->kind == MPILENS_OBJECT_SESSION);
}

static int collect_kind(const struct collection *collection, int kind, struct process *process)
{
    int code = collection->dll->mpilens_setup_object_iterator(collection->handle, kind);
    while (code == mqs_ok) {
        struct mpilens_object_information information = {.struct_size = sizeof information};
        code = collection->dll->mpilens_next_object(collection->handle, &information);
        if (code != mqs_ok)
            break;
        if (information.predefined || is_gone(&information))
            continue;
        process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
        struct object *object = &process->objects[process->object_count - 1];
        *object = model_object(collection, &information);
        object->window = kind == MPILENS_OBJECT_WINDOW ? collect_window(collection) : NULL;
        object->file = kind == MPILENS_OBJECT_FILE ? collect_file(collection) : NULL;
        if (collection->dll->mpilens_setup_object_collective_iterator(collection->handle) == mqs_ok)
            collect_collectives(collection, collection->dll->mpilens_next_object_collective, NULL,
                                &object->recent_collectives, &object->collective_call_count);
    }
    return collection_end(code);
}

int collect_freed_objects(const struct collection *collection, struct process *process)
{
    struct mpilens_freed_object_information freed[MPILENS_FREED_COUNT] = {{.struct_size = sizeof freed[0]}};
    size_t count = 0;
    const int code = collection->dll->mpilens_get_freed_objects(collection->handle, freed, MPILENS_FREED_COUNT, &count);
    if (code != mqs_ok || count == 0)
        return collection_end(code);
    process->freed_objects = allocate(count * sizeof *process->freed_objects);
    process->freed_object_count = count;
    for (size_t i = 0; i < count; i++)
        process->freed_objects[i] = model_freed_object(collection, &freed[i]);
    return mqs_ok;
}

int collect_objects(const struct collection *collection, struct process *process)
{
    int code = mqs_ok;
    for (int kind = MPILENS_OBJECT_NONE + 1; code == mqs_ok && kind < MPILENS_OBJECT_KIND_COUNT; kind++)
        code = collect_kind(collection, kind, process);
    return code;
}
