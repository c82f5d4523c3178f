/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of info objects.
 */
#include "info.h"

#include "object.h"
#include "process.h"

static struct object_kind infos = OBJECT_KIND(MPILENS_TABLE_INFOS, NULL);

static void add(MPI_Info handle, const char *name, uint32_t function, uint64_t site, uint32_t flags)
{
    struct mpilens_info *record = object_take(&infos, HANDLE_VALUE(handle), function, site, flags);
    if (!record)
        return;
    text_copy(record->name, sizeof record->name, name);
    object_publish(&infos, record);
}

void infos_initialize(void)
{
    if (!object_find(&infos, HANDLE_VALUE(MPI_INFO_ENV)))
        add(MPI_INFO_ENV, "MPI_INFO_ENV", 0, 0, MPILENS_OBJECT_PREDEFINED);
}

void info_created(uint32_t function, uint64_t site, MPI_Info handle)
{
    if (handle != MPI_INFO_NULL && handle != MPI_INFO_ENV)
        add(handle, NULL, function, site, 0);
}

struct mpilens_info *info_find(uint64_t handle)
{
    return object_find(&infos, handle);
}

void info_freed(struct mpilens_info *record, uint64_t handle)
{
    object_released(&infos, record, handle);
}
