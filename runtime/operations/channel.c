/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds and makes channels: a hash table per thread behind a small direct-mapped cache.
 */
#include "operations/operations.h"

#include "memory/memory.h"
#include "objects/objects.h"
#include "thread/thread.h"

enum { INITIAL_CAPACITY = 64 };

static uint64_t channel_index(const struct channel_table *table, const struct mpilens_communicator *record,
                              int32_t peer)
{
    uint64_t key = (uint64_t)(uintptr_t)record / sizeof *record + (uint64_t)(uint32_t)peer;
    return ((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & table->mask;
}

/* Channels of communicators whose record has been given to another one are in nobody's way but for their room. */
static bool channel_is_stale(const struct mpilens_channel *channel)
{
    const struct mpilens_communicator *record = (const struct mpilens_communicator *)(uintptr_t)channel->communicator;
    return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE) == 0 ||
           __atomic_load_n(&record->unique_id, __ATOMIC_RELAXED) != channel->communicator_id;
}

static struct mpilens_channel **channel_slot(const struct channel_table *table,
                                             const struct mpilens_communicator *record, uint64_t id, int32_t peer)
{
    uint64_t index = channel_index(table, record, peer);
    for (;; index = (index + 1) & table->mask) {
        struct mpilens_channel *channel = table->slots[index];
        if (channel == NULL || (channel->communicator == (uint64_t)(uintptr_t)record && channel->peer == peer &&
                                channel->communicator_id == id))
            return &table->slots[index];
    }
}

/* A new array of slots for the channels that are not stale, at most half full. */
static bool channel_table_rebuild(struct channel_table *table)
{
    struct channel_table old = *table;
    uint64_t kept = 0;
    for (uint64_t i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i] != NULL && !channel_is_stale(old.slots[i]))
            kept++;
    uint64_t capacity = INITIAL_CAPACITY;
    while (capacity < kept * 4)
        capacity *= 2;
    struct mpilens_channel **slots = memory_map(capacity * sizeof *slots);
    if (slots == NULL)
        return false;
    *table = (struct channel_table){.slots = slots, .mask = capacity - 1};
    for (uint64_t i = 0; old.slots != NULL && i <= old.mask; i++) {
        struct mpilens_channel *channel = old.slots[i];
        if (channel == NULL)
            continue;
        if (channel_is_stale(channel)) {
            table_give_back_one(MPILENS_TABLE_CHANNELS, channel);
            continue;
        }
        *channel_slot(table, (const struct mpilens_communicator *)(uintptr_t)channel->communicator,
                      channel->communicator_id, channel->peer) = channel;
        table->count++;
    }
    memory_unmap(old.slots, old.slots != NULL ? (old.mask + 1) * sizeof *old.slots : 0);
    return true;
}

struct mpilens_channel *channel_of_record(struct thread *thread, struct mpilens_communicator *record, int32_t peer)
{
    struct channel_table *table = &thread->channels;
    if (record == NULL || (table->slots == NULL && !channel_table_rebuild(table)))
        return NULL;
    struct mpilens_channel **slot = channel_slot(table, record, record->unique_id, peer);
    if (*slot != NULL)
        return *slot;
    if (table->count * 2 >= table->mask) {
        if (!channel_table_rebuild(table))
            return NULL;
        slot = channel_slot(table, record, record->unique_id, peer);
    }
    struct mpilens_channel *channel = table_take_one(MPILENS_TABLE_CHANNELS);
    if (channel == NULL)
        return NULL;
    channel->peer = peer;
    channel->communicator = (uint64_t)(uintptr_t)record;
    channel->communicator_id = record->unique_id;
    channel->sent = 0;
    channel->received = 0;
    __atomic_store_n(&channel->state, 1, __ATOMIC_RELEASE);
    *slot = channel;
    table->count++;
    return channel;
}

/* For operations that the cache has no place for. */
static __thread struct operation_cache_entry no_entry;

struct mpilens_channel *channel_or_nowhere(struct thread *thread, struct mpilens_communicator *record, int32_t peer)
{
    struct mpilens_channel *channel = channel_of_record(thread, record, peer);
    return channel != NULL ? channel : &thread->nowhere;
}

struct mpilens_channel *operation_channel_slowly(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source)
{
    return channel_or_nowhere(thread, (struct mpilens_communicator *)(uintptr_t)operation->communicator, source);
}

/* Both records have the place as a user from now on. False: one of them is over. */
static bool use_records(struct thread *thread, struct operation_cache_entry *entry,
                        struct mpilens_communicator *communicator, struct mpilens_datatype *datatype)
{
    struct cache_user *users = thread->operation_users[entry - thread->operation_cache];
    users[0].operation_entry = users[1].operation_entry = entry;
    return cache_user_set(&users[0], MPILENS_TABLE_COMMUNICATORS, communicator) &&
           cache_user_set(&users[1], MPILENS_TABLE_DATATYPES, datatype);
}

/* Most misses differ in the peer only: the users of the records stay. False: more differs. */
static bool change_peer(struct thread *thread, struct operation_cache_entry *entry, MPI_Comm communicator,
                        MPI_Datatype datatype, int32_t peer)
{
    if (__atomic_load_n(&entry->communicator, __ATOMIC_RELAXED) != communicator || entry->datatype != datatype)
        return false;
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)entry->records.communicator;
    struct mpilens_channel *channel = channel_of_record(thread, record, peer);
    if (channel == NULL)
        return false;
    entry->channel = channel;
    entry->peer = peer;
    return true;
}

struct operation_cache_entry *operation_cache_fill(struct thread *thread, MPI_Comm communicator, MPI_Datatype datatype,
                                                   int32_t peer)
{
    struct operation_cache_entry *entry = operation_cache_place(thread, communicator, datatype, peer);
    if (change_peer(thread, entry, communicator, datatype, peer))
        return entry;
    struct mpilens_communicator *communicator_record = communicator_find_fast(thread, HANDLE_VALUE(communicator));
    struct mpilens_datatype *datatype_record = datatype_find(thread, HANDLE_VALUE(datatype), peer != MPI_PROC_NULL);
    struct mpilens_channel *channel = channel_or_nowhere(thread, communicator_record, peer);
    cache_users_lock();
    __atomic_store_n(&entry->communicator, (MPI_Comm)0, __ATOMIC_RELAXED);
    if (channel == &thread->nowhere || datatype_record == NULL ||
        !use_records(thread, entry, communicator_record, datatype_record))
        entry = &no_entry;
    __atomic_store_n(&entry->datatype, datatype, __ATOMIC_RELAXED);
    entry->peer = peer;
    entry->channel = channel;
    entry->records.communicator = (uint64_t)(uintptr_t)communicator_record;
    entry->records.datatype = (uint64_t)(uintptr_t)datatype_record;
    __atomic_store_n(&entry->communicator, communicator, __ATOMIC_RELEASE);
    cache_users_unlock();
    return entry;
}
