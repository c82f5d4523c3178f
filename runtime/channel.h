/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Message counts per communicator and peer, and with them the way from a communicator handle to its record: one cache
 * answers both questions on the hot path. Each thread counts on channels of its own.
 */
#ifndef MPILENS_RUNTIME_CHANNEL_H
#define MPILENS_RUNTIME_CHANNEL_H

#include "thread.h"

/* Fills a cache entry. Always returns one that may be used; its record is NULL where the communicator is not known. */
struct channel_cache_entry *channel_find_slowly(struct thread *thread, uint64_t communicator, int32_t peer) COLD;

/* The channel of a record, whatever its handle means by now, or NULL where there is no memory. */
struct mpilens_channel *channel_of_record(struct thread *thread, struct mpilens_communicator *record,
                                          int32_t peer) COLD;

/* Forgets a handle in the caches of all threads. */
void channel_forget_communicator(uint64_t communicator);

INLINE struct channel_cache_entry *channel_find(struct thread *thread, uint64_t communicator, int32_t peer)
{
    uint32_t index = ((uint32_t)handle_bits(communicator) + (uint32_t)peer) % CHANNEL_CACHE_ENTRIES;
    struct channel_cache_entry *entry = &thread->channel_cache[index];
    if (likely(__atomic_load_n(&entry->communicator, __ATOMIC_RELAXED) == communicator && entry->peer == peer))
        return entry;
    return channel_find_slowly(thread, communicator, peer);
}

#endif
