/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks request tables, and opens and closes the quick way into them.
 */
#include "thread/thread_internal.h"

#include "memory/memory.h"

#include <sched.h>

/* Where nothing is found and nothing fits. */
static struct mpilens_operation nobody = {.request = UINT64_MAX};
static struct mpilens_operation *closed_bucket = &nobody;

void request_table_lock_open(struct request_table *table)
{
    while (__atomic_exchange_n(&table->lock, 1, __ATOMIC_ACQUIRE) != 0)
        while (__atomic_load_n(&table->lock, __ATOMIC_RELAXED) != 0)
            sched_yield();
}

static size_t closed_bytes(const struct request_table *table)
{
    return (table->own_mask + 1) * sizeof *table->own_buckets;
}

void request_table_set_own(struct request_table *table)
{
    if (table->closed_while_in_use)
        memory_unmap(table->own_buckets, closed_bytes(table));
    table->closed_while_in_use = false;
    table->own_buckets = table->open ? &closed_bucket : table->buckets;
    table->own_mask = table->open ? 0 : table->mask;
}

void request_table_set_shared(struct request_table *table, bool shared)
{
    table->shared = table->open = table->settled = shared;
    request_table_set_own(table);
}

/* Its thread may have read the mask already: as many buckets as there were, all empty. */
bool request_table_close_quick_way(struct request_table *table)
{
    if (table->own_buckets != table->buckets)
        return true;
    struct mpilens_operation **closed = memory_map(closed_bytes(table));
    if (closed == NULL)
        return false;
    for (uint64_t i = 0; i <= table->own_mask; i++)
        closed[i] = &nobody;
    table->closed_while_in_use = true;
    __atomic_store_n(&table->own_buckets, closed, __ATOMIC_RELEASE);
    return true;
}
