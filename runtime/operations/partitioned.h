/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication: which partitions of a request have been marked ready, or seen to have arrived, since it
 * was started last.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_PARTITIONED_H
#define MPILENS_RUNTIME_OPERATIONS_PARTITIONED_H

#include "thread/request_table_anywhere.h"

/* MPI_Psend_init or MPI_Precv_init has given a request of `partitions`. Before the request is bound. NULL is fine. */
void partitioned_describe(struct mpilens_operation *persistent, int partitions);

/* `persistent` is about to be started. */
void partitioned_clear(const struct mpilens_operation *persistent);

/* Its record is about to be retired. Nothing happens to other operations. */
void partitioned_forget(struct mpilens_operation *operation);

/* MPI_Pready and the like have succeeded on `request`: partitions first to last, both included. */
void partitioned_mark(struct thread *thread, uint64_t request, int first, int last);

#endif
