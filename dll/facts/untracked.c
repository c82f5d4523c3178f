/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums up what tables and threads say.
 */
#include "facts/facts.h"

uint64_t untracked_operations(const struct reading *reading)
{
    uint64_t sum = reading->root.process.tables[MPILENS_TABLE_OPERATIONS].untracked;
    for (size_t i = 0; i < reading->snapshot.thread_count; i++)
        sum += reading->snapshot.threads[i].record->untracked;
    return sum;
}

uint64_t untracked_objects(const struct reading *reading)
{
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++)
        if (kind != MPILENS_TABLE_OPERATIONS)
            sum += reading->root.process.tables[kind].untracked;
    return sum;
}
