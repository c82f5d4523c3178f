/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The members of a group as MPI tells them.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_GROUP_MEMBERS_H
#define MPILENS_RUNTIME_OBJECTS_GROUP_MEMBERS_H

#include "mpi/mpi_traits.h"

/* Asks for the ranks in `world` of the members of `group` [size], -1: not in it. Where the library looks for each rank
 * in turn, this takes time in proportion to the members of both groups, unless the ranks neither ascend nor have equal
 * distances. False: MPI would not say. */
bool group_members_ask(MPI_Group group, int size, MPI_Group world, int *ret_world_ranks);

#endif
