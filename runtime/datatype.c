/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatype records.
 */
#include "datatype.h"

#include "attribute.h"
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

/* Of what the application neither commits nor frees. */
#define FIXED (MPILENS_OBJECT_PREDEFINED | MPILENS_DATATYPE_COMMITTED)

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
    object_begin(MPILENS_TABLE_DATATYPES, (struct object *)record, HANDLE_VALUE(handle), function, site, flags,
                 &datatype_count);
    record->size = size_of(handle);
    text_copy(record->name, sizeof record->name, name);
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (!handle_map_set(&datatypes, record->handle, record)) {
        table_give_back_untracked(MPILENS_TABLE_DATATYPES, record);
        return NULL;
    }
    return record;
}

/* Of Fortran, of C++, pairs of Fortran's: not all libraries have them. */
static bool is_optional(const char *name)
{
    static const char *const beginnings[] = {"MPI_INTEGER",   "MPI_REAL",     "MPI_COMPLEX",  "MPI_LOGICAL", "MPI_CXX_",
                                             "MPI_CHARACTER", "MPI_DOUBLE_C", "MPI_DOUBLE_P", "MPI_2"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

void datatypes_initialize(bool quiet)
{
    for (size_t i = 0; i < predefined_datatype_count(); i++) {
        struct predefined_datatype predefined = predefined_datatype_get(i);
        if (DATATYPES_MAY_BE_MISSING && !quiet && is_optional(predefined.name))
            continue;
        if (predefined.handle != MPI_DATATYPE_NULL && !handle_map_find(&datatypes, HANDLE_VALUE(predefined.handle)) &&
            size_of(predefined.handle) >= 0)
            add(predefined.handle, predefined.name, FIXED, 0, 0);
    }
}

struct mpilens_datatype *datatype_of_handle(uint64_t handle)
{
    return handle_map_find(&datatypes, handle);
}

static void set_ended(struct mpilens_datatype *record, uint64_t handle)
{
    /* First: once its state has changed, another thread may have got the handle for a new datatype. */
    cache_forget_datatype(handle);
    if (!reclaim_set_freed(record))
        return;
    attributes_object_freed(record);
    handle_map_remove(&datatypes, handle, record);
    reclaim_later(MPILENS_TABLE_DATATYPES, record);
}

struct mpilens_datatype *datatype_freeing(uint64_t handle)
{
    return reclaim_hold(datatype_of_handle(handle));
}

/* One of the application's references is gone. True: it was the last one. */
static bool drop_reference(struct mpilens_datatype *record)
{
    uint32_t references = __atomic_load_n(&record->references, __ATOMIC_RELAXED);
    while (references > 1)
        if (__atomic_compare_exchange_n(&record->references, &references, references - 1, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return false;
    return true;
}

void datatype_freed(uint32_t function, uint64_t site, struct mpilens_datatype *record, uint64_t handle, bool succeeded)
{
    if (record && succeeded && !(record->flags & MPILENS_OBJECT_PREDEFINED) && drop_reference(record)) {
        object_note_freed(record, function, site);
        set_ended(record, handle);
    }
    reclaim_release(record);
}

static bool is_parametrized(uint32_t function)
{
    return function == FUNCTION_MPI_Type_create_f90_integer || function == FUNCTION_MPI_Type_create_f90_real ||
           function == FUNCTION_MPI_Type_create_f90_complex;
}

void datatype_created(uint32_t function, uint64_t site, MPI_Datatype handle)
{
    struct mpilens_datatype *known = handle_map_find(&datatypes, HANDLE_VALUE(handle));
    if (known && ((known->flags & MPILENS_OBJECT_PREDEFINED) || is_parametrized(function)))
        return; /* these may name a predefined one, and name the same again and again */
    if (known)
        set_ended(known, HANDLE_VALUE(handle)); /* freed by a call that was not seen, or that has not returned yet */
    add(handle, NULL, is_parametrized(function) ? FIXED : 0, function, site);
}

struct envelope {
    bool fixed; /* named, or one that MPI_Type_create_f90_* always gives: not to be freed */
    size_t datatype_count;
};

/* Of a datatype that is certainly valid. False: MPI would not say. */
static bool ask_envelope(MPI_Datatype handle, struct envelope *ret_envelope)
{
    int combiner = MPI_COMBINER_NAMED;
#ifdef HAS_MPI_Type_get_envelope_c
    MPI_Count integers, addresses, large_counts, datatypes;
    int error =
        mpilens__real.MPI_Type_get_envelope_c(handle, &integers, &addresses, &large_counts, &datatypes, &combiner);
#else
    int integers, addresses, datatypes;
    int error = mpilens__real.MPI_Type_get_envelope(handle, &integers, &addresses, &datatypes, &combiner);
#endif
    if (error != MPI_SUCCESS)
        return false;
    bool fixed = combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
                 combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
    *ret_envelope = (struct envelope){fixed, fixed ? 0 : (size_t)datatypes};
    return true;
}

void datatype_given(uint32_t function, uint64_t site, MPI_Datatype handle)
{
    struct mpilens_datatype *known = handle_map_find(&datatypes, HANDLE_VALUE(handle));
    if (known) {
        if (!(known->flags & MPILENS_OBJECT_PREDEFINED))
            __atomic_fetch_add(&known->references, 1, __ATOMIC_ACQ_REL);
        return;
    }
    struct envelope envelope;
    if (handle != MPI_DATATYPE_NULL && ask_envelope(handle, &envelope))
        add(handle, NULL, envelope.fixed ? FIXED : 0, envelope.fixed ? 0 : function, envelope.fixed ? 0 : site);
}

void datatype_contents_given(uint32_t function, uint64_t site, MPI_Datatype datatype, const MPI_Datatype *given)
{
    struct envelope envelope;
    if (!ask_envelope(datatype, &envelope))
        return;
    for (size_t i = 0; i < envelope.datatype_count; i++)
        datatype_given(function, site, given[i]);
}

void datatype_committed(uint64_t handle)
{
    struct mpilens_datatype *record = handle_map_find(&datatypes, handle);
    if (record)
        __atomic_fetch_or(&record->flags, MPILENS_DATATYPE_COMMITTED, __ATOMIC_RELAXED);
}

void datatype_duplicated(const struct mpilens_datatype *original, uint64_t handle)
{
    if (original && (original->flags & MPILENS_DATATYPE_COMMITTED))
        datatype_committed(handle);
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
    handle_cache_set(handle_cache_place(thread->datatype_cache, DATATYPE_CACHE_ENTRIES, handle), handle, record);
    return record;
}
