/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Message counts per communicator and peer, and the cache that leads an operation from its arguments to the records
 * that it needs: one look-up for channel, communicator and datatype. Each thread counts on channels of its own.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_CHANNEL_H
#define MPILENS_RUNTIME_OPERATIONS_CHANNEL_H

#include "thread/thread.h"

/* The channel of a communicator record. NULL where that is NULL or there is no memory. */
struct mpilens_channel *channel_of_record(struct thread *thread, struct mpilens_communicator *record, int32_t peer);

/* Likewise; instead of NULL a channel that nobody sees. */
struct mpilens_channel *channel_or_nowhere(struct thread *thread, struct mpilens_communicator *record, int32_t peer);

/* Fills a cache entry. Returns one that may be used in any case; what is not known is 0 in it, and counts go nowhere.
 */
struct operation_cache_entry *operation_cache_fill(struct thread *thread, MPI_Comm communicator, MPI_Datatype datatype,
                                                   int32_t peer) COLD;

/* Where the entry for these arguments is, if it is there. */
INLINE struct operation_cache_entry *operation_cache_place(struct thread *thread, MPI_Comm communicator,
                                                           MPI_Datatype datatype, int32_t peer)
{
    uint32_t mix = handle_bits(HANDLE_VALUE(communicator) * 8 + HANDLE_VALUE(datatype)) + (uint32_t)peer;
    /* As byte offset from the start: fewer steps than by index. */
    uint32_t offset = mix * sizeof(struct operation_cache_entry) % sizeof thread->operation_cache;
    struct operation_cache_entry *entry =
        (struct operation_cache_entry *)(void *)((char *)thread->operation_cache + offset);
    /* One register, instead of computing the address for each member; none that has an argument. */
#if defined(__x86_64__)
    register struct operation_cache_entry *place __asm__("r10") = entry;
    __asm__("" : "+r"(place));
    return place;
#else
    __asm__("" : "+r"(entry));
    return entry;
#endif
}

INLINE bool operation_cache_hit(const struct operation_cache_entry *entry, MPI_Comm communicator, MPI_Datatype datatype,
                                int32_t peer)
{
    return likely(HOLDS(entry->communicator, communicator) && entry->datatype == datatype && entry->peer == peer);
}

/* The channel on which a receive counts, where the thread's cache does not have it. Never NULL. */
struct mpilens_channel *operation_channel_slowly(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source);

/* The channel on which a receive counts. Never NULL. */
INLINE struct mpilens_channel *operation_channel(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source)
{
    const struct mpilens_communicator *communicator =
        (const struct mpilens_communicator *)(uintptr_t)operation->communicator;
    const struct mpilens_datatype *datatype = (const struct mpilens_datatype *)(uintptr_t)operation->datatype;
    if (likely(communicator != NULL && datatype != NULL)) {
        MPI_Comm communicator_handle = (MPI_Comm)(uintptr_t)communicator->handle;
        MPI_Datatype datatype_handle = (MPI_Datatype)(uintptr_t)datatype->handle;
        const struct operation_cache_entry *entry =
            operation_cache_place(thread, communicator_handle, datatype_handle, source);
        if (operation_cache_hit(entry, communicator_handle, datatype_handle, source) &&
            likely(entry->records.communicator == operation->communicator))
            return entry->channel;
    }
    return operation_channel_slowly(thread, operation, source);
}

#endif
