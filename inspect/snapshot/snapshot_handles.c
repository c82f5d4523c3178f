/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks about every handle of a process, so that the target's recording has all that `mpilens handle` reads.
 */
#include "snapshot/snapshot.h"

#include "base/base.h"
#include "handle/handle.h"
#include "target/target.h"

#include <stdlib.h>

/* Integers of Fortran that are asked about: their table is read entry by entry. */
enum { FORTRAN_REQUESTS = 1024 };
enum { KEPT_GROUPS = 1024 };

static void ask(const struct collection *collection, const struct process *process, const struct handle_query *query,
                struct site_cache *sites)
{
    struct handle handle;
    int code;
    if (handle_collect(collection, process, query, &handle, &code) != HANDLE_FOUND)
        return;
    handle_resolve_sites(&handle, sites, collection->target);
    handle_clear(&handle);
}

/* The handles of a kind; asking about one of them would end the list. */
static uint64_t *list_handles(const struct collection *collection, int kind, size_t *ret_count)
{
    uint64_t *handles = NULL;
    size_t count = 0;
    int code = collection->dll->mpilens_setup_object_iterator(collection->handle, kind);
    while (code == mqs_ok) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        code = collection->dll->mpilens_next_object(collection->handle, &object);
        if (code != mqs_ok)
            break;
        handles = array_append(handles, &count, sizeof *handles);
        handles[count - 1] = object.handle;
    }
    *ret_count = count;
    return handles;
}

/* Any request: all of them need the same memory. */
static uint64_t find_any_request(const struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const struct operations *const queues[] = {&communicator->sends, &communicator->receives};
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < queues[j]->count; k++)
                if (queues[j]->items[k].request != 0)
                    return queues[j]->items[k].request;
    }
    return process->request_count > 0 ? process->requests[0].request : 0;
}

/* Groups that the application has freed and that communicators or windows keep are in no list: the first ones by their
 * serials. */
static void ask_kept_groups(const struct collection *collection, const struct process *process,
                            struct site_cache *sites)
{
    for (uint32_t serial = 1; serial <= KEPT_GROUPS; serial++) {
        struct mpilens_object_information object = {.struct_size = sizeof object};
        if (collection->dll->mpilens_find_object_by_serial(collection->handle, MPILENS_OBJECT_GROUP, serial, &object) !=
                mqs_ok ||
            !object.freed || object.handle == 0)
            continue;
        const struct handle_query query = {
            .kind = MPILENS_OBJECT_GROUP, .language = MPILENS_HANDLE_C, .value = object.handle};
        ask(collection, process, &query, sites);
    }
}

void snapshot_ask_handles(const struct collection *collection, const struct process *process, void *context)
{
    struct site_cache *sites = context;
    struct handle_query query = {.language = MPILENS_HANDLE_C};
    for (uint32_t kind = MPILENS_OBJECT_NONE + 1; kind < MPILENS_OBJECT_KIND_COUNT; kind++) {
        size_t count;
        uint64_t *handles = list_handles(collection, (int)kind, &count);
        query.kind = kind;
        for (size_t i = 0; i < count; i++) {
            query.value = handles[i];
            ask(collection, process, &query, sites);
        }
        free(handles);
    }
    ask_kept_groups(collection, process, sites);
    query.kind = MPILENS_OBJECT_REQUEST;
    query.value = find_any_request(process);
    if (query.value != 0)
        ask(collection, process, &query, sites);
    query.language = MPILENS_HANDLE_FORTRAN;
    for (query.value = 0; query.value < FORTRAN_REQUESTS; query.value++)
        ask(collection, process, &query, sites);
    if (target_recording(collection->target) != NULL)
        target_recording_set_clock(target_recording(collection->target), &collection->clock);
}
