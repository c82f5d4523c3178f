/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Info objects. They may be made before MPI_Init and freed after MPI_Finalize.
 */
#ifndef MPILENS_RUNTIME_INFO_H
#define MPILENS_RUNTIME_INFO_H

#include "mpi_traits.h"
#include "mpilens/layout.h"

/* The record of MPI_INFO_ENV. At initialization, as often as one likes. */
void infos_initialize(void);

/* A call has made `handle`. */
void info_created(uint32_t function, uint64_t site, MPI_Info handle);

/* The record that a handle names now, or NULL. */
struct mpilens_info *info_find(uint64_t handle);

/* After MPI_Info_free; `record` and `handle` as they were before. NULL is fine. */
void info_freed(struct mpilens_info *record, uint64_t handle);

#endif
