/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the group of the world. In a program that uses sessions only, MPI_COMM_WORLD is no valid handle: a session's
 * process set says the same.
 */
#include "objects/objects_internal.h"

#include "mpi/functions.h"
#include "process/process.h"

bool world_group_get(MPI_Group *ret_group, bool *ret_must_free)
{
    MPI_Group group;
    if (process_has_world()) {
        if (mpilens__asked.MPI_Comm_group(MPI_COMM_WORLD, &group) != MPI_SUCCESS)
            return false;
    } else if (!session_world_group(&group))
        return false;
    *ret_group = group;
    *ret_must_free = group != MPI_GROUP_EMPTY;
    return true;
}
