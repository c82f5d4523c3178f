/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of datatypes.
 */
#include "objects/datatype.h"

#include "memory/handle_map.h"
#include "memory/table.h"
#include "memory/texts.h"
#include "mpi/functions.h"
#include "objects/attribute.h"
#include "objects/datatype_envelope.h"
#include "objects/object.h"
#include "objects/reclaim.h"
#include "thread/cache_users.h"

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

static void ask_extents(struct mpilens_datatype *record, MPI_Datatype handle)
{
    MPI_Count bounds[4] = {0};
    if (mpilens__real.MPI_Type_get_extent_x(handle, &bounds[0], &bounds[1]) != MPI_SUCCESS ||
        mpilens__real.MPI_Type_get_true_extent_x(handle, &bounds[2], &bounds[3]) != MPI_SUCCESS)
        record->size = -1;
    record->lower_bound = bounds[0];
    record->extent = bounds[1];
    record->true_lower_bound = bounds[2];
    record->true_extent = bounds[3];
}

/* A new record, of which the contents are not known. NULL: no memory. */
static struct mpilens_datatype *take(MPI_Datatype handle, uint32_t flags, uint32_t function, uint64_t site)
{
    struct mpilens_datatype *record = table_take_one(MPILENS_TABLE_DATATYPES);
    if (record == NULL)
        return NULL;
    object_begin(MPILENS_TABLE_DATATYPES, (struct mpilens_object *)record, HANDLE_VALUE(handle), function, site, flags,
                 &datatype_count);
    record->size = size_of(handle);
    ask_extents(record, handle);
    record->name[0] = '\0';
    record->combiner = MPILENS_COMBINER_UNKNOWN;
    record->integer_count = 0;
    record->address_count = 0;
    record->datatype_count = 0;
    return record;
}

static void publish(struct mpilens_datatype *record)
{
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (handle_map_set(&datatypes, record->handle, record))
        return;
    __atomic_store_n(&record->state, 0, __ATOMIC_RELEASE);
    datatype_contents_give_back(record);
    table_give_back_untracked(MPILENS_TABLE_DATATYPES, record);
}

static void add_predefined(MPI_Datatype handle, const char *name)
{
    struct mpilens_datatype *record = take(handle, FIXED, 0, 0);
    if (record == NULL)
        return;
    text_copy(record->name, sizeof record->name, name);
    record->combiner = MPILENS_COMBINER_NAMED;
    publish(record);
}

enum { COMPONENTS_ASKED = 64 }; /* records for what one datatype was made of that nobody was seen to make */

/* One of which nobody has seen how it was made: as `like`, which may be NULL. */
static void add_unseen(MPI_Datatype handle, uint32_t flags, uint32_t function, uint64_t site,
                       const struct mpilens_datatype *like)
{
    struct mpilens_datatype *record = take(handle, flags, function, site);
    if (record == NULL)
        return;
    if (like != NULL)
        datatype_contents_copy(record, like);
    else
        datatype_envelope_ask_contents(record, handle, &(unsigned){COMPONENTS_ASKED});
    publish(record);
}

void datatype_add_component(struct mpilens_datatype *maker, size_t n, MPI_Datatype handle, unsigned *left)
{
    struct mpilens_datatype *record = take(handle, MPILENS_OBJECT_ORIGIN_UNSEEN, 0, 0);
    if (record == NULL)
        return;
    record->handle = 0;
    record->flags &= ~MPILENS_OBJECT_HAS_FORTRAN_HANDLE;
    record->references = 0;
    datatype_envelope_ask_contents(record, handle, left);
    __atomic_store_n(&record->state, MPILENS_OBJECT_FREED, __ATOMIC_RELEASE);
    datatype_contents_set_component(maker, n, record);
    reclaim_later(MPILENS_TABLE_DATATYPES, record);
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
        if (predefined.handle != MPI_DATATYPE_NULL &&
            handle_map_find(&datatypes, HANDLE_VALUE(predefined.handle)) == NULL && size_of(predefined.handle) >= 0)
            add_predefined(predefined.handle, predefined.name);
    }
}

struct mpilens_datatype *datatype_of_handle(uint64_t handle)
{
    return handle_map_find(&datatypes, handle);
}

static void set_ended(struct mpilens_datatype *record, uint64_t handle)
{
    /* First: once its state has changed, another thread may have got the handle for a new datatype. */
    cache_users_forget(MPILENS_TABLE_DATATYPES, record);
    if (!reclaim_set_freed(record))
        return;
    cache_users_forget(MPILENS_TABLE_DATATYPES, record); /* what was filled meanwhile; nothing is from now on */
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
    struct mpilens_datatype *known = handle_map_find(&datatypes, HANDLE_VALUE(handle));
    if (known != NULL && ((known->flags & MPILENS_OBJECT_PREDEFINED) || is_parametrized(function)))
        return; /* these may name a predefined one, and name the same again and again */
    if (known != NULL)
        set_ended(known, HANDLE_VALUE(handle)); /* freed by a call that was not seen, or that has not returned yet */
    struct mpilens_datatype *record = take(handle, is_parametrized(function) ? FIXED : 0, function, site);
    if (record == NULL)
        return;
    datatype_contents_set(record, contents);
    publish(record);
}

/* The application has got the handle, if it is known already once more. `like`: a record of how it was made, or NULL.
 */
static void give(uint32_t function, uint64_t site, MPI_Datatype handle, const struct mpilens_datatype *like)
{
    struct mpilens_datatype *known = handle_map_find(&datatypes, HANDLE_VALUE(handle));
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
    struct mpilens_datatype *record = handle_map_find(&datatypes, handle);
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
    struct mpilens_datatype *record = handle_map_find(&datatypes, handle);
    if (record != NULL)
        text_copy(record->name, sizeof record->name, name);
}

/* A type that nobody was seen to make. Whether the handle is valid is not known before an operation has used it with
 * success, and asking for the size of one that is not would be an error of our own; so the second use asks. */
static struct mpilens_datatype *discover(struct thread *thread, uint64_t value)
{
    bool used_before = thread->unknown_datatype == value && value != HANDLE_VALUE(MPI_DATATYPE_NULL);
    thread->unknown_datatype = value;
    if (used_before) {
        add_unseen((MPI_Datatype)(uintptr_t)value, MPILENS_OBJECT_ORIGIN_UNSEEN, 0, 0, NULL);
        return handle_map_find(&datatypes, value);
    }
    thread->unknown_datatype_serial = thread->published.operations + 1; /* of the operation that is about to begin */
    return NULL;
}

struct mpilens_datatype *datatype_find_slowly(struct thread *thread, uint64_t handle, bool of_operation)
{
    struct mpilens_datatype *record = handle_map_find(&datatypes, handle);
    if (record == NULL && of_operation)
        record = discover(thread, handle);
    if (record == NULL)
        return NULL;
    struct handle_cache_entry *entry = handle_cache_place(thread->datatype_cache, DATATYPE_CACHE_ENTRIES, handle);
    cache_user_fill(&thread->datatype_users[entry - thread->datatype_cache], MPILENS_TABLE_DATATYPES, entry, handle,
                    record);
    return record;
}
