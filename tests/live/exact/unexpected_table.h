/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of unexpected messages of the process itself, as the runtime writes it.
 */
#ifndef MPILENS_TESTS_LIVE_EXACT_UNEXPECTED_TABLE_H
#define MPILENS_TESTS_LIVE_EXACT_UNEXPECTED_TABLE_H

#include "mpilens/layout.h"

#include <dlfcn.h>
#include <stddef.h>

/* NULL: the runtime is not there, or takes no messages out. */
static inline const struct mpilens_process *exact_process(void)
{
    const struct mpilens_process *process = dlsym(RTLD_DEFAULT, MPILENS_PROCESS_SYMBOL);
    return process != NULL && process->unexpected_mode == MPILENS_UNEXPECTED_EXACT ? process : NULL;
}

/* How many are in that state; those are given to `check` unless it is NULL. */
static inline int unexpected_count(const struct mpilens_process *process, uint32_t state,
                                   void (*check)(const struct mpilens_unexpected *record))
{
    const struct mpilens_table *table = &process->tables[MPILENS_TABLE_UNEXPECTED];
    const uint32_t chunks = __atomic_load_n(&table->chunk_count, __ATOMIC_ACQUIRE);
    int count = 0;
    for (uint32_t i = 0; i < chunks; i++) {
        const struct mpilens_chunk *chunk = (const struct mpilens_chunk *)(uintptr_t)table->directory + i;
        const uint32_t records = __atomic_load_n(&chunk->high_water, __ATOMIC_ACQUIRE);
        for (uint32_t k = 0; k < records; k++) {
            const struct mpilens_unexpected *record =
                (const void *)((const char *)(uintptr_t)chunk->records + (size_t)k * table->record_bytes);
            if (__atomic_load_n(&record->state, __ATOMIC_ACQUIRE) != state)
                continue;
            count++;
            if (check != NULL)
                check(record);
        }
    }
    return count;
}

#endif
