/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduction operations: predefined and the application's own.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_OP_H
#define MPILENS_RUNTIME_OBJECTS_OP_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

/* Records of the predefined ones. At initialization, as often as one likes. */
void ops_initialize(void);

/* After MPI_Op_create. `user_function`: its address. */
void op_created(uint32_t function, uint64_t site, MPI_Op handle, uint64_t user_function, int commutative);

/* The record that a handle names now, or NULL. */
struct mpilens_op *op_find(uint64_t handle);

/* After MPI_Op_free, which may come before the end of the operations that use it; `record` and `handle` as they were
 * before. NULL is fine. */
void op_freed(uint32_t function, uint64_t site, struct mpilens_op *record, uint64_t handle);

#endif
