/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Info objects, what stands in them, and what of that other objects were given. They may be made before MPI_Init and
 * freed after MPI_Finalize.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_INFO_H
#define MPILENS_RUNTIME_OBJECTS_INFO_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

/* The record of MPI_INFO_ENV. At initialization, as often as one likes. */
void infos_initialize(void);

/* MPI_INFO_ENV can be asked: MPI_Init has been called. */
void infos_of_world_initialize(void);

/* A call has made `handle`, empty or not. */
void info_created(uint32_t function, uint64_t site, MPI_Info handle);

/* MPI_Info_dup has made `handle`. */
void info_duplicated(uint32_t function, uint64_t site, MPI_Info original, MPI_Info handle);

/* The record that a handle names now, or NULL. */
struct mpilens_info *info_find(uint64_t handle);

/* MPI_Info_set, MPI_Info_delete. */
void info_set(MPI_Info handle, const char *key, const char *value);
void info_deleted(MPI_Info handle, const char *key);

/* After MPI_Info_free; `record` and `handle` as they were before. NULL is fine. */
void info_freed(uint32_t function, uint64_t site, struct mpilens_info *record, uint64_t handle);

/* An object was made with `handle`, or a call has given it to one, and has succeeded: its pairs come on top of those in
 * `hints`, and *serial becomes its serial. MPI_INFO_NULL changes nothing. */
void info_give_hints(MPI_Info handle, struct mpilens_texts *hints, uint32_t *serial);

#endif
