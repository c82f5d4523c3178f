/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread's caches before the handle maps: which records handles have named lately. Any thread may empty a place
 * of them (cache_users.h); the rest is the thread's own.
 */
#ifndef MPILENS_RUNTIME_THREAD_HANDLE_CACHE_H
#define MPILENS_RUNTIME_THREAD_HANDLE_CACHE_H

#include "thread/thread.h"

/* In free entries: no handle has this value. */
#define HANDLE_CACHE_FREE UINT64_C(0x8000000000000001)

INLINE void handle_cache_clear(struct handle_cache_entry *cache, uint32_t entries)
{
    for (uint32_t i = 0; i < entries; i++)
        cache[i] = (struct handle_cache_entry){.handle = HANDLE_CACHE_FREE};
}

/* Where the entry for `handle` is in a cache of `entries`, if it is there. */
INLINE struct handle_cache_entry *handle_cache_place(struct handle_cache_entry *cache, uint32_t entries,
                                                     uint64_t handle)
{
    return &cache[handle_bits(handle) % entries];
}

INLINE bool handle_cache_hit(const struct handle_cache_entry *entry, uint64_t handle)
{
    return likely(HOLDS(entry->handle, handle));
}

/* The record of an entry that was hit. Never NULL, so that nobody need ask. */
INLINE void *handle_cache_record(const struct handle_cache_entry *entry)
{
    if (entry->record == NULL)
        __builtin_unreachable();
    return entry->record;
}

/* `record` is not NULL. */
INLINE void handle_cache_set(struct handle_cache_entry *entry, uint64_t handle, void *record)
{
    __atomic_store_n(&entry->handle, HANDLE_CACHE_FREE, __ATOMIC_RELAXED);
    entry->record = record;
    __atomic_store_n(&entry->handle, handle, __ATOMIC_RELEASE);
}

#endif
