/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of datatypes: how they begin, and which one a handle names.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_DATATYPE_RECORD_H
#define MPILENS_RUNTIME_OBJECTS_DATATYPE_RECORD_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

#include <stdbool.h>

/* The record that a handle names now, or NULL. */
struct mpilens_datatype *datatype_of_handle(uint64_t handle);

/* Its handle names the record from now on. False: no memory. */
bool datatype_record_set_handle(struct mpilens_datatype *record);

/* `handle` names it no more. */
void datatype_record_remove_handle(const struct mpilens_datatype *record, uint64_t handle);

/* What MPI says is its size in bytes, -1: it says none. */
int64_t datatype_size_of(MPI_Datatype handle);

/* A new record, of which the contents are not known; as object_take. Its handle does not name it yet. NULL: no memory.
 */
struct mpilens_datatype *datatype_record_take(MPI_Datatype handle, uint32_t flags, uint32_t function, uint64_t site);

#endif
