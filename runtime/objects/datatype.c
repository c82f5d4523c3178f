/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of datatypes.
 */

#include "memory/memory.h"
#include "mpi/functions.h"
#include "objects/objects_internal.h"
#include "thread/thread.h"

#include <string.h>

/* Flags of datatypes that the application neither commits nor frees. */
#define FIXED (MPILENS_OBJECT_PREDEFINED | MPILENS_DATATYPE_COMMITTED)

static void publish(struct mpilens_datatype *record)
{
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (datatype_record_set_handle(record))
        return;
    __atomic_store_n(&record->state, 0, __ATOMIC_RELEASE);
    datatype_contents_give_back(record);
    table_give_back_untracked(MPILENS_TABLE_DATATYPES, record);
}

static void add_predefined(MPI_Datatype handle, const char *name)
{
    struct mpilens_datatype *record = datatype_record_take(handle, FIXED, 0, 0);
    if (record == NULL)
        return;
    text_copy(record->name, sizeof record->name, name);
    record->combiner = MPILENS_COMBINER_NAMED;
    publish(record);
}

/* Records a datatype that was made unseen, with the contents of `like`, which may be NULL. */
static void add_unseen(MPI_Datatype handle, uint32_t flags, uint32_t function, uint64_t site,
                       const struct mpilens_datatype *like)
{
    struct mpilens_datatype *record = datatype_record_take(handle, flags, function, site);
    if (record == NULL)
        return;
    if (like != NULL)
        datatype_contents_copy(record, like);
    else
        datatype_envelope_describe(record, handle);
    publish(record);
}

/* Not all libraries have the datatypes of Fortran and C++, and Fortran's pairs. */
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
        if (predefined.handle != MPI_DATATYPE_NULL && datatype_of_handle(HANDLE_VALUE(predefined.handle)) == NULL &&
            datatype_size_of(predefined.handle) >= 0)
            add_predefined(predefined.handle, predefined.name);
    }
}

static void set_ended(struct mpilens_datatype *record, uint64_t handle)
{
    /* This comes first: once the state has changed, another thread may have got the handle for a new datatype. */
    cache_users_forget(MPILENS_TABLE_DATATYPES, record);
    if (!reclaim_set_freed(record))
        return;
    cache_users_forget(MPILENS_TABLE_DATATYPES, record); /* caches filled meanwhile; none is filled from now on */
    attributes_object_freed(record);
    datatype_record_remove_handle(record, handle);
    reclaim_later(MPILENS_TABLE_DATATYPES, record, datatype_contents_give_back);
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
    if (record != NULL && succeeded && !(record->flags & MPILENS_OBJECT_PREDEFINED) && drop_reference(record)) {
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

void datatype_created(uint32_t function, uint64_t site, MPI_Datatype handle, const struct datatype_contents *contents)
{
    struct mpilens_datatype *known = datatype_of_handle(HANDLE_VALUE(handle));
    if (known != NULL && ((known->flags & MPILENS_OBJECT_PREDEFINED) || is_parametrized(function)))
        return; /* these may name a predefined one, and name the same again and again */
    if (known != NULL)
        set_ended(known, HANDLE_VALUE(handle)); /* freed by a call that was not seen, or that has not returned yet */
    struct mpilens_datatype *record =
        datatype_record_take(handle, is_parametrized(function) ? FIXED : 0, function, site);
    if (record == NULL)
        return;
    datatype_contents_set(record, contents);
    publish(record);
}

/* The application has got the handle, perhaps once more. `like`: a record of how it was made, or NULL. */
static void give(uint32_t function, uint64_t site, MPI_Datatype handle, const struct mpilens_datatype *like)
{
    struct mpilens_datatype *known = datatype_of_handle(HANDLE_VALUE(handle));
    if (known != NULL) {
        if (!(known->flags & MPILENS_OBJECT_PREDEFINED))
            __atomic_fetch_add(&known->references, 1, __ATOMIC_ACQ_REL);
        return;
    }
    struct datatype_envelope envelope;
    if (handle != MPI_DATATYPE_NULL && datatype_envelope_ask(handle, &envelope))
        add_unseen(handle, envelope.fixed ? FIXED : 0, envelope.fixed ? 0 : function, envelope.fixed ? 0 : site, like);
}

void datatype_given(uint32_t function, uint64_t site, MPI_Datatype handle)
{
    give(function, site, handle, NULL);
}

void datatype_contents_given(uint32_t function, uint64_t site, MPI_Datatype datatype, const MPI_Datatype *given)
{
    struct datatype_envelope envelope;
    const struct mpilens_datatype *record = datatype_of_handle(HANDLE_VALUE(datatype));
    if (!datatype_envelope_ask(datatype, &envelope))
        return;
    for (size_t i = 0; i < envelope.datatype_count; i++)
        give(function, site, given[i], record != NULL ? datatype_contents_component(record, i) : NULL);
}

void datatype_committed(uint64_t handle)
{
    struct mpilens_datatype *record = datatype_of_handle(handle);
    if (record != NULL)
        __atomic_fetch_or(&record->flags, MPILENS_DATATYPE_COMMITTED, __ATOMIC_RELAXED);
}

void datatype_duplicated(const struct mpilens_datatype *original, uint64_t handle)
{
    if (original != NULL && (original->flags & MPILENS_DATATYPE_COMMITTED))
        datatype_committed(handle);
}

void datatype_named(uint64_t handle, const char *name)
{
    struct mpilens_datatype *record = datatype_of_handle(handle);
    if (record != NULL)
        text_copy(record->name, sizeof record->name, name);
}

/* Finds a type that was made unseen. Only a successful operation shows that its handle is valid, and asking about an
 * invalid one would be an error of our own; so the second use asks. */
static struct mpilens_datatype *discover(struct thread *thread, uint64_t value)
{
    bool used_before = thread->unknown_datatype_serial != 0 && thread->unknown_datatype == value &&
                       value != HANDLE_VALUE(MPI_DATATYPE_NULL);
    thread->unknown_datatype = value;
    if (used_before) {
        add_unseen((MPI_Datatype)(uintptr_t)value, MPILENS_OBJECT_ORIGIN_UNSEEN, 0, 0, NULL);
        return datatype_of_handle(value);
    }
    thread->unknown_datatype_serial = thread->published.operations + 1; /* of the operation that is about to begin */
    return NULL;
}

struct mpilens_datatype *datatype_find_slowly(struct thread *thread, uint64_t handle, bool of_operation)
{
    struct mpilens_datatype *record = datatype_of_handle(handle);
    if (record == NULL && of_operation)
        record = discover(thread, handle);
    if (record == NULL)
        return NULL;
    struct handle_cache_entry *entry = handle_cache_place(thread->datatype_cache, DATATYPE_CACHE_ENTRIES, handle);
    cache_user_fill(&thread->datatype_users[entry - thread->datatype_cache], MPILENS_TABLE_DATATYPES, entry, handle,
                    record);
    return record;
}
