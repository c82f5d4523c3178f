/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The partitions of partitioned operations.
 */
#ifndef MPILENS_DLL_SNAPSHOT_PARTITIONS_H
#define MPILENS_DLL_SNAPSHOT_PARTITIONS_H

#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_read_partitions(struct reading *reading);

/* Runs of equal marks among the partitions, as the target has them now: up to `capacity` of *ret_count. mqs_ok,
 * mqs_no_information: they are too many, or a code. */
int partition_runs_read(const struct target *target, const struct partition_counts *counts,
                        struct mpilens_partition_run *ret_runs, size_t capacity, size_t *ret_count);

#endif
