/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The group of all processes of the world, whether the program has an MPI_COMM_WORLD or only sessions.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_WORLD_GROUP_H
#define MPILENS_RUNTIME_OBJECTS_WORLD_GROUP_H

#include "mpi/mpi_traits.h"

#include <stdbool.h>

/* `*ret_must_free`: the caller frees the group with the real MPI_Group_free. False: there is neither a world nor a
 * session now, or MPI would not say. */
bool world_group_get(MPI_Group *ret_group, bool *ret_must_free);

#endif
