/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the requests of a process that stand in no queue, and its objects.
 */

#include "base/base.h"
#include "collect/collect_internal.h"

#include <stdlib.h>

/* More locks of one window than these are not looked at. */
enum { MOST_LOCKS = 1 << 16 };

struct request collection_request(const struct collection *collection,
                                  const struct mpilens_request_information *information)
{
    return (struct request){
        .serial = information->serial,
        .operation_class = information->operation_class,
        .flags = information->flags,
        .state = information->state,
        .purpose = information->purpose,
        .active = information->active != 0,
        .complete = information->complete != 0,
        .persistent = information->persistent != 0,
        .has_root = information->has_root != 0,
        .tag_wild = information->tag_wild != 0,
        .age_s = tick_clock_age(&collection->clock, information->posted),
        .function = text_pool_add(collection->names, information->function),
        .datatype = text_pool_add(collection->names, information->datatype),
        .site_address = information->site,
        .handle = information->request,
        .communicator_id = information->communicator_id,
        .object_kind = information->object_kind,
        .object_serial = information->object_serial,
        .buffer = information->buffer,
        .collective = information->collective,
        .offset = information->offset,
        .count = information->count,
        .bytes = information->bytes,
        .partition_count = information->partition_count,
        .peer_local = information->peer_local,
        .peer_world = information->peer_world,
        .tag = information->tag,
    };
}

int collect_requests(const struct collection *collection, struct process *process)
{
    int code = collection->dll->mpilens_setup_request_iterator(collection->handle);
    while (code == mqs_ok) {
        struct mpilens_request_information information = {.struct_size = sizeof information};
        code = collection->dll->mpilens_next_request(collection->handle, &information);
        if (code != mqs_ok)
            break;
        process->requests = array_append(process->requests, &process->request_count, sizeof *process->requests);
        process->requests[process->request_count - 1] = collection_request(collection, &information);
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
        window->locks[i] = (struct window_lock){
            .target_local = locks[i].target_local,
            .target_world = locks[i].target_world,
            .type = locks[i].type,
            .site_address = locks[i].site,
            .age_s = tick_clock_age(&collection->clock, locks[i].locked),
        };
    free(locks);
}

struct window *collect_window(const struct collection *collection)
{
    struct mpilens_window_information information = {.struct_size = sizeof information};
    if (collection->dll->mpilens_get_window(collection->handle, &information) != mqs_ok)
        return NULL;
    struct window *window = allocate(sizeof *window);
    *window = (struct window){
        .id = information.unique_id,
        .flavor = information.flavor,
        .access_epoch = information.access_epoch,
        .exposure_epoch = information.exposure_epoch,
        .displacement_unit = information.displacement_unit,
        .base = information.base,
        .bytes = information.bytes,
        .operations = information.operations,
        .operations_since = information.operations_since,
        .collective_count = information.collective_calls,
        .errhandler = information.errhandler,
        .synchronizations = information.synchronizations,
        .synchronization = text_pool_add(collection->names, information.synchronization),
        .synchronization_site_address = information.synchronization_site,
        .synchronization_age_s = tick_clock_age(&collection->clock, information.synchronization_time),
        .access_group = collect_group(collection, 0, information.access_group_size),
        .exposure_group = collect_group(collection, 1, information.exposure_group_size),
    };
    collect_locks(collection, information.lock_count, window);
    return window;
}

struct file *collect_file(const struct collection *collection)
{
    struct mpilens_file_information information = {.struct_size = sizeof information};
    if (collection->dll->mpilens_get_file(collection->handle, &information) != mqs_ok)
        return NULL;
    struct file *file = allocate(sizeof *file);
    *file = (struct file){
        .id = information.unique_id,
        .mode = information.mode,
        .atomicity = information.atomicity != 0,
        .view_displacement = information.view_displacement,
        .view_etype = text_pool_add(collection->names, information.view_etype),
        .view_filetype = text_pool_add(collection->names, information.view_filetype),
        .view_representation = text_pool_add(collection->names, information.view_representation),
        .split_collective = text_pool_add(collection->names, information.split_collective),
        .operations = information.operations,
        .collective_count = information.collective_calls,
        .errhandler = information.errhandler,
        .split_collective_site_address = information.split_collective_site,
    };
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
        process->objects[process->object_count - 1] = (struct object){
            .kind = information.kind,
            .serial = information.serial,
            .handle = information.handle,
            .name = text_pool_add(collection->names, information.name),
            .references = information.references,
            .users = information.users,
            .freed = information.freed != 0,
            .function = text_pool_add(collection->names, information.function),
            .site_address = information.site,
            .age_s = tick_clock_age(&collection->clock, information.created),
            .communicator_id = information.communicator_id,
            .window = kind == MPILENS_OBJECT_WINDOW ? collect_window(collection) : NULL,
            .file = kind == MPILENS_OBJECT_FILE ? collect_file(collection) : NULL,
        };
        struct object *object = &process->objects[process->object_count - 1];
        if (collection->dll->mpilens_setup_object_collective_iterator(collection->handle) == mqs_ok)
            collect_collectives(collection, collection->dll->mpilens_next_object_collective, NULL, &object->collectives,
                                &object->collective_call_count);
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
        process->freed_objects[i] = (struct freed_object){
            .kind = freed[i].kind,
            .id = freed[i].unique_id,
            .calls = freed[i].collective_calls,
            .function = text_pool_add(collection->names, freed[i].function),
            .site_address = freed[i].site,
            .age_s = tick_clock_age(&collection->clock, freed[i].freed),
            .last_function = text_pool_add(collection->names, freed[i].last_function),
            .last_site_address = freed[i].last_site,
        };
    return mqs_ok;
}

int collect_objects(const struct collection *collection, struct process *process)
{
    int code = mqs_ok;
    for (int kind = MPILENS_OBJECT_NONE + 1; code == mqs_ok && kind < MPILENS_OBJECT_KIND_COUNT; kind++)
        code = collect_kind(collection, kind, process);
    return code;
}
