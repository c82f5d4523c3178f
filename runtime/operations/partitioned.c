/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marks of partitions: one byte each, written by whichever thread says that one is ready.
 */
#include "operations/operations.h"

#include "memory/memory.h"

#include <string.h>

static struct mpilens_partitions *partitions_of(const struct mpilens_operation *persistent)
{
    bool has_partitions = persistent != NULL && persistent->state == MPILENS_OPERATION_PERSISTENT &&
                          (persistent->flags & MPILENS_OPERATION_PARTITIONED);
    return has_partitions ? (struct mpilens_partitions *)(uintptr_t)persistent->partitions : NULL;
}

void partitioned_describe(struct mpilens_operation *persistent, int partitions)
{
    if (persistent == NULL)
        return;
    persistent->partitions = 0;
    struct mpilens_partitions *record = partitions > 0 ? table_take_one(MPILENS_TABLE_PARTITIONS) : NULL;
    if (record == NULL)
        return;
    void *marks = block_take((size_t)partitions);
    if (marks == NULL) {
        table_give_back_untracked(MPILENS_TABLE_PARTITIONS, record);
        return;
    }
    memset(marks, 0, (size_t)partitions);
    record->count = (uint32_t)partitions;
    record->marks = (uint64_t)(uintptr_t)marks;
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    persistent->partitions = (uint64_t)(uintptr_t)record;
}

void partitioned_clear(const struct mpilens_operation *persistent)
{
    const struct mpilens_partitions *record = partitions_of(persistent);
    if (record != NULL)
        memset((void *)(uintptr_t)record->marks, 0, record->count);
}

void partitioned_forget(struct mpilens_operation *operation)
{
    struct mpilens_partitions *record = partitions_of(operation);
    if (record == NULL)
        return;
    operation->partitions = 0;
    __atomic_store_n(&record->state, 0, __ATOMIC_RELEASE);
    block_give_back((void *)(uintptr_t)record->marks, record->count);
    table_give_back_one(MPILENS_TABLE_PARTITIONS, record);
}

void partitioned_mark(struct thread *thread, uint64_t request, int first, int last)
{
    const struct mpilens_operation *persistent = request_find(thread, request);
    const struct mpilens_partitions *record = partitions_of(persistent);
    if (record == NULL || persistent->started == 0)
        return;
    uint8_t *marks = (uint8_t *)(uintptr_t)record->marks;
    for (int64_t i = first < 0 ? 0 : first; i <= last && i < record->count; i++)
        __atomic_store_n(&marks[i], 1, __ATOMIC_RELAXED);
}
