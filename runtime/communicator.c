/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicator records.
 */
#include "communicator.h"

#include "channel.h"
#include "functions.h"
#include "group.h"
#include "handle_map.h"
#include "object.h"
#include "process.h"
#include "reclaim.h"
#include "table.h"

#include <string.h>

static struct handle_map communicators = HANDLE_MAP_INITIALIZER;
static struct mpilens_communicator *world;
static uint32_t communicator_count;

/* How often constructors that only some members of the parent call were called with a key. */
static pthread_mutex_t key_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct handle_map key_counts = HANDLE_MAP_INITIALIZER;

enum { ID_WORLD = 1, ID_SELF = 2 };

struct mpilens_communicator *communicator_find(uint64_t handle)
{
    return handle_map_find(&communicators, handle);
}

static uint64_t count_key(uint64_t key)
{
    pthread_mutex_lock(&key_mutex);
    uintptr_t calls = (uintptr_t)handle_map_find(&key_counts, key) + 1;
    handle_map_set(&key_counts, key, (void *)calls);
    pthread_mutex_unlock(&key_mutex);
    return calls;
}

static uint64_t hash_of(uint64_t group)
{
    return group ? ((const struct mpilens_group *)(uintptr_t)group)->hash : 0;
}

/* Equal at all members. Both sides of an intercommunicator must get the same number, so their groups are mixed in a
 * fixed order. */
static uint64_t unique_id(const struct communicator_derivation *derivation, const struct mpilens_communicator *record)
{
    uint64_t local = hash_of(record->group);
    uint64_t remote = hash_of(record->remote_group);
    uint64_t id = hash_mix(derivation->by_key ? 3 : 7, derivation->key);
    if (record->remote_group) {
        id = hash_mix(id, local < remote ? local : remote);
        id = hash_mix(id, local < remote ? remote : local);
    } else
        id = hash_mix(id, local);
    if (derivation->by_key)
        id = hash_mix(id, count_key(id));
    id &= INT64_MAX;
    return id > ID_SELF ? id : id + ID_SELF + 1;
}

static void clear_collectives(struct mpilens_communicator *record)
{
    record->collective_count = 0;
    memset(record->collective_states, 0, sizeof record->collective_states);
    memset(record->recent_collectives, 0, sizeof record->recent_collectives);
}

static struct mpilens_communicator *record_take(MPI_Comm handle, uint32_t flags)
{
    struct mpilens_communicator *record = table_take_one(MPILENS_TABLE_COMMUNICATORS);
    if (!record)
        return NULL;
    object_begin((struct object *)record, HANDLE_VALUE(handle), 0, 0, flags, &communicator_count);
    record->parent_id = 0;
    record->parent_handle = 0;
    record->remote_size = 0;
    record->remote_group = 0;
    record->children = 0;
    record->name[0] = '\0';
    clear_collectives(record);
    return record;
}

static bool record_publish(struct mpilens_communicator *record)
{
    const struct mpilens_group *group = (const struct mpilens_group *)(uintptr_t)record->group;
    const struct mpilens_group *remote = (const struct mpilens_group *)(uintptr_t)record->remote_group;
    record->size = group ? group->size : -1;
    record->rank = group ? group->rank : -1;
    record->remote_size = remote ? remote->size : 0;
    /* Published first: a reader may meet it before the handle map does. */
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (handle_map_set(&communicators, record->handle, record))
        return true;
    table_give_back(MPILENS_TABLE_COMMUNICATORS, (void *const[]){record}, 1);
    return false;
}

static struct mpilens_communicator *add_predefined(MPI_Comm handle, const char *name, uint64_t id,
                                                   struct mpilens_group *group)
{
    struct mpilens_communicator *record = record_take(handle, MPILENS_OBJECT_PREDEFINED);
    if (!record)
        return NULL;
    record->unique_id = id;
    record->group = (uint64_t)(uintptr_t)group;
    text_copy(record->name, sizeof record->name, name);
    return record_publish(record) ? record : NULL;
}

void communicators_initialize(void)
{
    int rank = 0;
    int size = 0;
    if (world || mpilens__real.MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
        mpilens__real.MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
        return;
    world = add_predefined(MPI_COMM_WORLD, "MPI_COMM_WORLD", ID_WORLD, group_of_range(0, size, rank));
    /* Every process has its own MPI_COMM_SELF: ids that nobody shares. */
    uint64_t self_id = hash_mix(ID_SELF, (uint64_t)rank) & INT64_MAX;
    add_predefined(MPI_COMM_SELF, "MPI_COMM_SELF", self_id > ID_SELF ? self_id : ID_SELF + 1,
                   group_of_range(rank, 1, 0));
}

struct communicator_derivation communicator_derive(struct thread *thread, uint32_t function, uint64_t site,
                                                   MPI_Comm parent)
{
    struct communicator_derivation derivation = {
        .function = function, .site = site, .parent_handle = HANDLE_VALUE(parent)};
    derivation.parent = communicator_find_fast(thread, HANDLE_VALUE(parent));
    if (derivation.parent)
        derivation.key = hash_mix(derivation.parent->unique_id, ++derivation.parent->children);
    return derivation;
}

struct communicator_derivation communicator_derive_by_key(struct thread *thread, uint32_t function, uint64_t site,
                                                          MPI_Comm parent, uint64_t key)
{
    struct communicator_derivation derivation = {.function = function, .site = site, .key = key, .by_key = true};
    if (parent == MPI_COMM_NULL)
        return derivation;
    derivation.parent_handle = HANDLE_VALUE(parent);
    derivation.parent = communicator_find_fast(thread, HANDLE_VALUE(parent));
    return derivation;
}

/* The groups of a new communicator; that of a duplicate are its parent's. */
static void set_groups(struct mpilens_communicator *record, const struct communicator_derivation *derivation,
                       MPI_Comm handle, bool pending)
{
    const struct mpilens_communicator *parent = derivation->parent;
    if (parent && parent->group &&
        (pending || derivation->function == FUNCTION_MPI_Comm_dup ||
         derivation->function == FUNCTION_MPI_Comm_dup_with_info)) {
        record->flags |= parent->flags & MPILENS_COMMUNICATOR_INTER;
        record->group = (uint64_t)(uintptr_t)group_retain((struct mpilens_group *)(uintptr_t)parent->group);
        record->remote_group =
            (uint64_t)(uintptr_t)group_retain((struct mpilens_group *)(uintptr_t)parent->remote_group);
        return;
    }
    if (pending) /* nothing may be asked of it yet */
        return;
    int inter = 0;
    mpilens__real.MPI_Comm_test_inter(handle, &inter);
    MPI_Group group;
    if (mpilens__real.MPI_Comm_group(handle, &group) == MPI_SUCCESS) {
        record->group = (uint64_t)(uintptr_t)group_of_handle(group);
        mpilens__real.MPI_Group_free(&group);
    }
    if (!inter)
        return;
    record->flags |= MPILENS_COMMUNICATOR_INTER;
    if (mpilens__real.MPI_Comm_remote_group(handle, &group) == MPI_SUCCESS) {
        record->remote_group = (uint64_t)(uintptr_t)group_of_handle(group);
        mpilens__real.MPI_Group_free(&group);
    }
}

void communicator_created(const struct communicator_derivation *derivation, MPI_Comm handle, bool pending)
{
    if (handle == MPI_COMM_NULL || !world)
        return;
    struct mpilens_communicator *stale = communicator_find(HANDLE_VALUE(handle));
    if (stale) /* freed by a call that was not seen */
        communicator_freed(stale, HANDLE_VALUE(handle));
    struct mpilens_communicator *record = record_take(handle, pending ? MPILENS_COMMUNICATOR_PENDING : 0);
    if (!record)
        return;
    record->group = 0;
    set_groups(record, derivation, handle, pending);
    record->function = derivation->function;
    record->site = derivation->site;
    record->parent_handle = derivation->parent_handle;
    record->parent_id = derivation->parent ? derivation->parent->unique_id : 0;
    __atomic_store_n(&record->unique_id, unique_id(derivation, record), __ATOMIC_RELAXED); /* see channel_is_stale */
    record_publish(record);
}

void communicator_seen(const struct communicator_derivation *derivation, MPI_Comm handle)
{
    if (handle != MPI_COMM_NULL && !communicator_find(HANDLE_VALUE(handle)))
        communicator_created(derivation, handle, false);
}

void communicator_freed(struct mpilens_communicator *record, uint64_t handle)
{
    if (!reclaim_set_freed(record))
        return;
    handle_map_remove(&communicators, handle, record);
    cache_forget_communicator(handle);
    reclaim_later(MPILENS_TABLE_COMMUNICATORS, record);
}

void communicator_named(uint64_t handle, const char *name)
{
    struct mpilens_communicator *record = communicator_find(handle);
    if (!record || !name)
        return;
    text_copy(record->name, sizeof record->name, name);
    record->flags |= MPILENS_COMMUNICATOR_NAME_SET;
}

void communicator_used(struct mpilens_communicator *record)
{
    if (__atomic_load_n(&record->flags, __ATOMIC_RELAXED) & MPILENS_COMMUNICATOR_PENDING)
        __atomic_fetch_and(&record->flags, ~MPILENS_COMMUNICATOR_PENDING, __ATOMIC_RELAXED);
}

uint64_t communicator_text_key(const char *text)
{
    uint64_t key = 11;
    for (; text && *text; text++)
        key = hash_mix(key, (uint8_t)*text);
    return key;
}

struct mpilens_communicator *communicator_find_slowly(struct thread *thread, uint64_t handle)
{
    struct mpilens_communicator *record = communicator_find(handle);
    if (!record)
        return NULL;
    communicator_used(record);
    struct communicator_cache_entry *entry =
        &thread->communicator_cache[handle_bits(handle) % COMMUNICATOR_CACHE_ENTRIES];
    __atomic_store_n(&entry->handle, 0, __ATOMIC_RELAXED);
    entry->record = record;
    __atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
    return record;
}
