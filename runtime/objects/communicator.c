/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, finds and ends the records of communicators.
 */

#include "memory/memory.h"
#include "mpi/functions.h"
#include "objects/objects_internal.h"
#include "process/process.h"
#include "thread/thread.h"

#include <string.h>

static struct handle_map communicators = HANDLE_MAP_INITIALIZER;
static uint32_t communicator_count;

/* A flag that only this file uses: it comes from a session. */
#define OF_SESSION 0x20000000u

static bool any_of_session; /* so far */

struct mpilens_communicator *communicator_find(uint64_t handle)
{
    return handle_map_find(&communicators, handle);
}

static void clear_collectives(struct mpilens_communicator *record)
{
    record->collective_count = 0;
    record->mark_mask = 0;
    record->root_sum = 1;
    record->arguments = 0;
    memset(record->collective_states, 0, sizeof record->collective_states);
    collectives_clear(record->recent_collectives);
}

static struct mpilens_communicator *record_take(MPI_Comm handle, uint32_t function, uint64_t site, uint32_t flags)
{
    struct mpilens_communicator *record = table_take_one(MPILENS_TABLE_COMMUNICATORS);
    if (record == NULL)
        return NULL;
    object_begin(MPILENS_TABLE_COMMUNICATORS, (struct mpilens_object *)record, HANDLE_VALUE(handle), function, site,
                 flags, &communicator_count);
    record->parent_id = 0;
    record->parent_handle = 0;
    record->remote_size = 0;
    record->remote_group = 0;
    record->children = 0;
    record->errhandler = 0;
    record->info = 0;
    record->made_by = mpilens__thread->published.index + 1;
    record->posted_before = mpilens__thread->published.operations;
    record->name[0] = '\0';
    clear_collectives(record);
    return record;
}

/* Returns the record, or NULL where there is no memory: then it is gone. */
static struct mpilens_communicator *record_publish(struct mpilens_communicator *record)
{
    communicator_contents_note_sizes(record);
    /* Published first: a reader may meet it before the handle map does. */
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (handle_map_set(&communicators, record->handle, record))
        return record;
    __atomic_store_n(&record->state, 0, __ATOMIC_RELEASE);
    communicator_contents_give_back(record);
    table_give_back_untracked(MPILENS_TABLE_COMMUNICATORS, record);
    return NULL;
}

static struct mpilens_communicator *add_predefined(MPI_Comm handle, const char *name, uint64_t id,
                                                   struct mpilens_group *group)
{
    struct mpilens_communicator *record = record_take(handle, 0, 0, MPILENS_OBJECT_PREDEFINED);
    if (record == NULL) {
        group_release(group);
        return NULL;
    }
    record->unique_id = id;
    record->group = (uint64_t)(uintptr_t)group;
    text_copy(record->name, sizeof record->name, name);
    return record_publish(record);
}

void communicators_initialize(void)
{
    int rank = 0;
    int size = 0;
    if (communicator_find(HANDLE_VALUE(MPI_COMM_WORLD)) != NULL ||
        mpilens__asked.MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
        mpilens__asked.MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
        return;
    add_predefined(MPI_COMM_WORLD, "MPI_COMM_WORLD", COMMUNICATOR_ID_WORLD, group_of_range(0, size, rank));
    add_predefined(MPI_COMM_SELF, "MPI_COMM_SELF", communicator_id_of_self(rank), group_of_range(rank, 1, 0));
}

static void learn_errhandler(MPI_Comm communicator)
{
    struct mpilens_communicator *record = communicator_find(HANDLE_VALUE(communicator));
    MPI_Errhandler handle = MPI_ERRHANDLER_NULL;
    if (record == NULL || mpilens__asked.MPI_Comm_get_errhandler(communicator, &handle) != MPI_SUCCESS)
        return;
    errhandler_attach(&record->errhandler, handle, MPILENS_ATTACHABLE_COMMUNICATOR);
    if (handle != MPI_ERRHANDLER_NULL)
        mpilens__asked.MPI_Errhandler_free(&handle); /* also of a predefined one */
}

void communicators_learn_errhandlers(void)
{
    learn_errhandler(MPI_COMM_WORLD);
    learn_errhandler(MPI_COMM_SELF);
}

struct communicator_derivation communicator_derive(struct thread *thread, uint32_t function, uint64_t site,
                                                   MPI_Comm parent)
{
    struct communicator_derivation derivation = {
        .function = function, .site = site, .parent_handle = HANDLE_VALUE(parent), .info = MPI_INFO_NULL};
    derivation.parent = communicator_find_fast(thread, HANDLE_VALUE(parent));
    if (derivation.parent != NULL)
        derivation.key = hash_mix(derivation.parent->unique_id, ++derivation.parent->children);
    return derivation;
}

struct communicator_derivation communicator_derive_by_key(struct thread *thread, uint32_t function, uint64_t site,
                                                          MPI_Comm parent, uint64_t key)
{
    struct communicator_derivation derivation = {
        .function = function, .site = site, .key = key, .by_key = true, .info = MPI_INFO_NULL};
    if (parent == MPI_COMM_NULL)
        return derivation;
    derivation.parent_handle = HANDLE_VALUE(parent);
    derivation.parent = communicator_find_fast(thread, HANDLE_VALUE(parent));
    return derivation;
}

void communicator_note_leaders(struct thread *thread, const struct mpilens_communicator *local, int32_t local_leader,
                               uint64_t peer_communicator, int32_t remote_leader, int32_t tag)
{
    const bool leads = local != NULL && local->rank == local_leader;
    thread->published.peer_communicator =
        leads ? (uint64_t)(uintptr_t)communicator_find_fast(thread, peer_communicator) : 0;
    thread->published.leader = remote_leader;
    thread->published.tag = tag;
}

void communicator_note_group(struct thread *thread, uint64_t group, int32_t tag)
{
    thread->published.group = (uint64_t)(uintptr_t)group_find(group);
    thread->published.tag = tag;
}

void communicator_not_created(const struct communicator_derivation *derivation, int error)
{
    struct mpilens_communicator *parent = derivation->parent;
    if (parent != NULL && !derivation->by_key && error_is_refusal(error) &&
        derivation->key == hash_mix(parent->unique_id, parent->children)) /* none has come after it */
        parent->children--;
}

static bool comes_from_session(const struct communicator_derivation *derivation)
{
    return derivation->session          ? true
           : derivation->parent != NULL ? (derivation->parent->flags & OF_SESSION) != 0
                                        : !process_has_world();
}

static void set_ended(struct mpilens_communicator *record, uint64_t handle)
{
    /* First: once its state has changed, another thread may have got the handle for a new communicator. */
    cache_users_forget(MPILENS_TABLE_COMMUNICATORS, record);
    if (!reclaim_set_freed(record))
        return;
    cache_users_forget(MPILENS_TABLE_COMMUNICATORS, record); /* caches filled meanwhile; none is filled from now on */
    errhandler_detach(&record->errhandler);
    attributes_object_freed(record);
    handle_map_remove(&communicators, handle, record);
    reclaim_later(MPILENS_TABLE_COMMUNICATORS, record, communicator_contents_give_back);
}

struct mpilens_communicator *communicator_created(const struct communicator_derivation *derivation, MPI_Comm handle,
                                                  bool pending)
{
    if (handle == MPI_COMM_NULL)
        return NULL;
    struct mpilens_communicator *stale = communicator_find(HANDLE_VALUE(handle));
    if (stale != NULL) /* freed by a call that was not seen, or that has not returned yet */
        set_ended(stale, HANDLE_VALUE(handle));
    struct mpilens_communicator *record =
        record_take(handle, derivation->function, derivation->site, pending ? MPILENS_COMMUNICATOR_PENDING : 0);
    if (record == NULL)
        return NULL;
    record->group = 0;
    record->session = session_retain(derivation->session ? derivation->session
                                                         : session_of_communicator((uintptr_t)derivation->parent));
    if (comes_from_session(derivation)) {
        record->flags |= OF_SESSION;
        __atomic_store_n(&any_of_session, true, __ATOMIC_RELAXED);
    }
    communicator_contents_set(record, derivation, pending);
    record->parent_handle = derivation->parent_handle;
    record->parent_id = derivation->parent != NULL ? derivation->parent->unique_id : 0;
    uint64_t id = communicator_id(derivation, record);
    __atomic_store_n(&record->unique_id, id, __ATOMIC_RELAXED); /* see channel_is_stale */
    if (!pending && !process_has_world())
        process_learn_requests(handle);
    if (record_publish(record) == NULL)
        return NULL;
    errhandler_inherit(record, derivation->parent);
    if (communicator_is_duplicate(derivation, pending))
        attributes_copied(MPILENS_ATTACHABLE_COMMUNICATOR, derivation->parent, record, record->handle, !pending);
    return record;
}

void communicator_seen(const struct communicator_derivation *derivation, MPI_Comm handle)
{
    if (handle != MPI_COMM_NULL && communicator_find(HANDLE_VALUE(handle)) == NULL)
        communicator_created(derivation, handle, false);
}

struct mpilens_communicator *communicator_freeing(uint64_t handle)
{
    return reclaim_hold(communicator_find(handle));
}

void communicator_freed(uint32_t function, uint64_t site, struct mpilens_communicator *record, uint64_t handle,
                        bool succeeded)
{
    if (record != NULL && succeeded) {
        object_note_freed(record, function, site);
        freed_objects_note(record, FREED_OBJECT(MPILENS_OBJECT_COMMUNICATOR, record, function, site));
        set_ended(record, handle);
    }
    reclaim_release(record);
}

static bool end_if_of_session(void *record, void *context)
{
    struct mpilens_communicator *communicator = record;
    (void)context;
    if (__atomic_load_n(&communicator->state, __ATOMIC_ACQUIRE) == MPILENS_OBJECT_LIVE &&
        (communicator->flags & OF_SESSION))
        set_ended(communicator, communicator->handle);
    return true;
}

void communicators_of_sessions_end(void)
{
    if (__atomic_load_n(&any_of_session, __ATOMIC_RELAXED))
        table_visit(MPILENS_TABLE_COMMUNICATORS, end_if_of_session, NULL);
}

void communicator_named(uint64_t handle, const char *name)
{
    struct mpilens_communicator *record = communicator_find(handle);
    if (record == NULL || name == NULL)
        return;
    text_copy(record->name, sizeof record->name, name);
    record->flags |= MPILENS_COMMUNICATOR_NAME_SET;
}

void communicator_used(struct mpilens_communicator *record)
{
    if (__atomic_load_n(&record->flags, __ATOMIC_RELAXED) & MPILENS_COMMUNICATOR_PENDING)
        __atomic_fetch_and(&record->flags, ~MPILENS_COMMUNICATOR_PENDING, __ATOMIC_RELAXED);
}

struct mpilens_communicator *communicator_find_slowly(struct thread *thread, uint64_t handle)
{
    struct mpilens_communicator *record = communicator_find(handle);
    if (record == NULL)
        return NULL;
    if (__atomic_load_n(&record->flags, __ATOMIC_RELAXED) & MPILENS_COMMUNICATOR_PENDING)
        communicator_used(record);
    else if (record->group == 0)
        communicator_contents_learn_late(record);
    struct handle_cache_entry *entry =
        handle_cache_place(thread->communicator_cache, COMMUNICATOR_CACHE_ENTRIES, handle);
    cache_user_fill(&thread->communicator_users[entry - thread->communicator_cache], MPILENS_TABLE_COMMUNICATORS, entry,
                    handle, record);
    return record;
}
