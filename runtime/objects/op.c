/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of reduction operations.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"

static struct object_kind ops = OBJECT_KIND(MPILENS_TABLE_OPS, NULL);

static void add(const struct mpilens_op *description, uint32_t function, uint64_t site, uint32_t flags)
{
    struct mpilens_op *record = object_take(&ops, description->handle, function, site, flags);
    if (record == NULL)
        return;
    record->user_function = description->user_function;
    record->commutative = description->commutative;
    text_copy(record->name, sizeof record->name, description->name);
    object_publish(&ops, record);
}

void ops_initialize(void)
{
    for (size_t i = 0; i < predefined_op_count(); i++) {
        struct predefined_op predefined = predefined_op_get(i);
        if (predefined.handle == MPI_OP_NULL || object_find(&ops, HANDLE_VALUE(predefined.handle)) != NULL)
            continue;
        struct mpilens_op description = {.handle = HANDLE_VALUE(predefined.handle),
                                         .commutative = predefined.handle != MPI_REPLACE};
        text_copy(description.name, sizeof description.name, predefined.name);
        add(&description, 0, 0, MPILENS_OBJECT_PREDEFINED);
    }
}

void op_created(uint32_t function, uint64_t site, MPI_Op handle, uint64_t user_function, int commutative)
{
    struct mpilens_op description = {
        .handle = HANDLE_VALUE(handle), .user_function = user_function, .commutative = commutative != 0};
    add(&description, function, site, 0);
}

struct mpilens_op *op_find(uint64_t handle)
{
    return object_find(&ops, handle);
}

void op_freed(uint32_t function, uint64_t site, struct mpilens_op *record, uint64_t handle)
{
    object_released(&ops, record, handle, function, site);
}
