/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes records of datatypes, and finds them by handle.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"

static struct handle_map datatypes = HANDLE_MAP_INITIALIZER;
static uint32_t datatype_count;

struct mpilens_datatype *datatype_of_handle(uint64_t handle)
{
    return handle_map_find(&datatypes, handle);
}

bool datatype_record_set_handle(struct mpilens_datatype *record)
{
    return handle_map_set(&datatypes, record->handle, record);
}

void datatype_record_remove_handle(const struct mpilens_datatype *record, uint64_t handle)
{
    handle_map_remove(&datatypes, handle, record);
}

int64_t datatype_size_of(MPI_Datatype handle)
{
    MPI_Count size = 0;
    if (mpilens__asked.MPI_Type_size_x(handle, &size) != MPI_SUCCESS || size == MPI_UNDEFINED)
        return -1;
    return size;
}

static void ask_extents(struct mpilens_datatype *record, MPI_Datatype handle)
{
    MPI_Count bounds[4] = {0};
    if (mpilens__asked.MPI_Type_get_extent_x(handle, &bounds[0], &bounds[1]) != MPI_SUCCESS ||
        mpilens__asked.MPI_Type_get_true_extent_x(handle, &bounds[2], &bounds[3]) != MPI_SUCCESS)
        record->size = -1;
    record->lower_bound = bounds[0];
    record->extent = bounds[1];
    record->true_lower_bound = bounds[2];
    record->true_extent = bounds[3];
}

struct mpilens_datatype *datatype_record_take(MPI_Datatype handle, uint32_t flags, uint32_t function, uint64_t site)
{
    struct mpilens_datatype *record = table_take_one(MPILENS_TABLE_DATATYPES);
    if (record == NULL)
        return NULL;
    object_begin(MPILENS_TABLE_DATATYPES, (struct mpilens_object *)record, HANDLE_VALUE(handle), function, site, flags,
                 &datatype_count);
    record->size = datatype_size_of(handle);
    ask_extents(record, handle);
    record->name[0] = '\0';
    record->combiner = MPILENS_COMBINER_UNKNOWN;
    record->integer_count = 0;
    record->address_count = 0;
    record->datatype_count = 0;
    return record;
}
