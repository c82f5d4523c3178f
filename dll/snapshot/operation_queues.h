/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queues of operations, and message counts, by communicator.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OPERATION_QUEUES_H
#define MPILENS_DLL_SNAPSHOT_OPERATION_QUEUES_H

#include "snapshot/snapshot_maker.h"

/* mqs_ok or a code. */
int snapshot_sort_operations(const struct snapshot_maker *maker);
int snapshot_sort_traffic(const struct snapshot_maker *maker);

#endif
