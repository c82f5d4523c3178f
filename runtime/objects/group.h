/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups as world ranks in compressed form. A record is one side of communicators, or what the application has a handle
 * of, or both: libraries give the same handle each time that they are asked for the group of a communicator.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_GROUP_H
#define MPILENS_RUNTIME_OBJECTS_GROUP_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

/* Ranks first, first + 1, ... first + size - 1 of MPI_COMM_WORLD; `rank` is this process's, -1: none. NULL: no memory.
 */
struct mpilens_group *group_of_range(int32_t first, int32_t size, int32_t rank);

/* Asks MPI for the members of `handle`; the handle stays the caller's. NULL: no memory, or MPI would not say. */
struct mpilens_group *group_of_handle(MPI_Group handle);

/* The record of MPI_GROUP_EMPTY. At initialization, as often as one likes. */
void groups_initialize(void);

/* A call has given the application `handle`. `holder`: the record of the communicator's side whose group it is; NULL:
 * not known, or not of a communicator. `session`: address of the record of the session that it comes from, 0: the
 * world's. */
void group_given(uint32_t function, uint64_t site, MPI_Group handle, struct mpilens_group *holder, uint64_t session);

/* Address of the record of the session that two groups, or one and MPI_GROUP_NULL, come from; 0: the world's. */
uint64_t group_session(MPI_Group one, MPI_Group other);

/* A side of a communicator comes from this session (0: the world's). NULL is fine. */
void group_set_session(struct mpilens_group *group, uint64_t session);

/* The record that a handle of the application names now, or NULL. */
struct mpilens_group *group_find(uint64_t handle);

/* After MPI_Group_free; `record` and `handle` as they were before. NULL is fine. */
void group_freed(uint32_t function, uint64_t site, struct mpilens_group *record, uint64_t handle);

enum group_side { GROUP_LOCAL, GROUP_REMOTE };

/* NULL: not known. */
struct mpilens_group *group_of_side(const struct mpilens_communicator *communicator, enum group_side side);

/* Somebody of the runtime has the group too. */
struct mpilens_group *group_retain(struct mpilens_group *group);

/* NULL is fine. */
void group_release(struct mpilens_group *group);

/* Both sides' groups of `communicator`. */
void group_release_sides(const struct mpilens_communicator *communicator);

/* Compresses world ranks [count] into at most `capacity` ranges; returns how many it takes, also when that is more. */
size_t group_compress(const int *world_ranks, size_t count, struct mpilens_range *ret_ranges, size_t capacity);

/* A number for a sequence of members, the same in every process, never 0. */
uint64_t group_hash(const struct mpilens_range *ranges, size_t count);

/* Mixes a value into a hash. */
uint64_t hash_mix(uint64_t hash, uint64_t value);

#endif
