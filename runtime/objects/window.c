/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of windows.
 */

#include "memory/memory.h"
#include "objects/objects_internal.h"
#include "thread/thread.h"

#include <string.h>

static void give_back_hints(void *record)
{
    texts_give_back(((struct mpilens_window *)record)->hints);
}

static struct object_kind windows = OBJECT_KIND(MPILENS_TABLE_WINDOWS, give_back_hints);

void window_created(const struct communicator_derivation *derivation, MPI_Win handle,
                    const struct window_creation *creation)
{
    if (handle == MPI_WIN_NULL)
        return;
    uint64_t value = HANDLE_VALUE(handle);
    struct mpilens_window *stale = object_find(&windows, value);
    if (stale != NULL) /* freed by a call that was not seen */
        window_freed(0, 0, stale, value);
    struct mpilens_window *record = object_take(&windows, value, derivation->function, derivation->site, 0);
    if (record == NULL)
        return;
    record->communicator = (uint64_t)(uintptr_t)derivation->parent;
    record->base = creation->base;
    record->bytes = creation->bytes;
    record->unique_id = object_unique_id(MPILENS_TABLE_WINDOWS, derivation);
    record->displacement_unit = creation->displacement_unit;
    record->flavor = creation->flavor;
    record->synchronization = 0;
    record->synchronization_site = 0;
    record->synchronization_time = 0;
    record->synchronizations = 0;
    record->operations = 0;
    record->operations_since = 0;
    record->name[0] = '\0';
    record->collective_count = 0;
    collectives_clear(record->recent_collectives);
    record->info = 0;
    info_give_hints(derivation->info, record->hints, &record->info);
    window_epochs_clear(record);
    errhandler_begin_window(record);
    object_publish(&windows, record);
}

void window_freed(uint32_t function, uint64_t site, struct mpilens_window *record, uint64_t handle)
{
    if (record == NULL)
        return;
    cache_users_forget(MPILENS_TABLE_WINDOWS, record);
    window_epochs_clear(record);
    errhandler_detach(&record->errhandler);
    attributes_object_freed(record);
    freed_objects_note((const struct mpilens_communicator *)(uintptr_t)record->communicator,
                       FREED_OBJECT(MPILENS_OBJECT_WINDOW, record, function, site));
    object_released(&windows, record, handle, function, site);
}

void window_named(struct mpilens_window *record, const char *name)
{
    if (record != NULL && name != NULL)
        text_copy(record->name, sizeof record->name, name);
}

int window_operation_failed(const struct thread *thread, int error)
{
    struct mpilens_window *window = (struct mpilens_window *)(uintptr_t)thread->published.object;
    if (window == NULL || !refusal_is(error))
        return error;
    __atomic_fetch_sub(&window->operations, 1, __ATOMIC_RELAXED);
    /* Another thread may have synchronized: nothing has begun since. */
    uint64_t since = __atomic_load_n(&window->operations_since, __ATOMIC_RELAXED);
    while (since != 0 && !__atomic_compare_exchange_n(&window->operations_since, &since, since - 1, false,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return error;
}

void window_operation_over(struct mpilens_window *record)
{
    object_unuse(&windows, record);
}

struct mpilens_window *window_find_slowly(struct thread *thread, uint64_t handle)
{
    struct mpilens_window *record = object_find(&windows, handle);
    if (record == NULL)
        return NULL;
    struct handle_cache_entry *entry = handle_cache_place(thread->window_cache, WINDOW_CACHE_ENTRIES, handle);
    cache_user_fill(&thread->window_users[entry - thread->window_cache], MPILENS_TABLE_WINDOWS, entry, handle, record);
    return record;
}
