/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatype records.
 */
#include "datatype.h"

#include "channel.h"
#include "functions.h"
#include "handle_map.h"
#include "object.h"
#include "process.h"
#include "reclaim.h"
#include "table.h"

#include <string.h>

static struct handle_map datatypes = HANDLE_MAP_INITIALIZER;
static uint32_t datatype_count;

static int64_t size_of(MPI_Datatype handle)
{
    MPI_Count size = 0;
    if (mpilens__real.MPI_Type_size_x(handle, &size) != MPI_SUCCESS || size == MPI_UNDEFINED)
        return -1;
    return size;
}

static struct mpilens_datatype *add(MPI_Datatype handle, const char *name, uint32_t flags, uint32_t function,
                                    uint64_t site)
{
    struct mpilens_datatype *record = table_take_one(MPILENS_TABLE_DATATYPES);
    if (!record)
        return NULL;
    object_begin((struct object *)record, HANDLE_VALUE(handle), function, site, flags, &datatype_count);
    record->size = size_of(handle);
    text_copy(record->name, sizeof record->name, name);
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (!handle_map_set(&datatypes, record->handle, record)) {
        table_give_back(MPILENS_TABLE_DATATYPES, (void *const[]){record}, 1);
        return NULL;
    }
    return record;
}

void datatypes_initialize(void)
{
    for (size_t i = 0; i < predefined_datatype_count(); i++) {
        struct predefined_datatype predefined = predefined_datatype_get(i);
        if (predefined.handle != MPI_DATATYPE_NULL && !handle_map_find(&datatypes, HANDLE_VALUE(predefined.handle)))
            add(predefined.handle, predefined.name, MPILENS_OBJECT_PREDEFINED, 0, 0);
    }
}

struct mpilens_datatype *datatype_of_handle(uint64_t handle)
{
    return handle_map_find(&datatypes, handle);
}

void datatype_freed(struct mpilens_datatype *record, uint64_t handle)
{
    if (!reclaim_set_freed(record))
        return;
    handle_map_remove(&datatypes, handle, record);
    cache_forget_datatype(handle);
    reclaim_later(MPILENS_TABLE_DATATYPES, record);
}

void datatype_created(uint32_t function, uint64_t site, MPI_Datatype handle)
{
    struct mpilens_datatype *known = handle_map_find(&datatypes, HANDLE_VALUE(handle));
    if (known) {
        if ((known->flags & MPILENS_OBJECT_PREDEFINED) || function == FUNCTION_MPI_Type_create_f90_integer ||
            function == FUNCTION_MPI_Type_create_f90_real || function == FUNCTION_MPI_Type_create_f90_complex)
            return; /* these may name a predefined one, and name the same again and again */
        datatype_freed(known, HANDLE_VALUE(handle)); /* freed by a call that was not seen */
    }
    add(handle, NULL, 0, function, site);
}

void datatype_named(uint64_t handle, const char *name)
{
    struct mpilens_datatype *record = handle_map_find(&datatypes, handle);
    if (record)
        text_copy(record->name, sizeof record->name, name);
}

/* A type that nobody was seen to make. Whether the handle is valid is not known before an operation has used it with
 * success, and asking for the size of one that is not would be an error of our own; so the second use asks. */
static struct mpilens_datatype *discover(struct thread *thread, uint64_t value)
{
    bool used_before = thread->unknown_datatype == value && value != HANDLE_VALUE(MPI_DATATYPE_NULL);
    thread->unknown_datatype = value;
    if (used_before)
        return add((MPI_Datatype)(uintptr_t)value, NULL, MPILENS_OBJECT_ORIGIN_UNSEEN, 0, 0);
    thread->unknown_datatype_serial = thread->published.operations + 1; /* of the operation that is about to begin */
    return NULL;
}

struct mpilens_datatype *datatype_find_slowly(struct thread *thread, uint64_t handle, bool of_operation)
{
    struct mpilens_datatype *record = handle_map_find(&datatypes, handle);
    if (!record && of_operation)
        record = discover(thread, handle);
    if (!record)
        return NULL;
    struct datatype_cache_entry *entry = &thread->datatype_cache[handle_bits(handle) % DATATYPE_CACHE_ENTRIES];
    __atomic_store_n(&entry->handle, 0, __ATOMIC_RELAXED);
    entry->record = record;
    __atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
    return record;
}
