/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queues of operations, and message counts, by communicator.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OPERATION_QUEUES_H
#define MPILENS_DLL_SNAPSHOT_OPERATION_QUEUES_H

#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_sort_operations(struct reading *reading);
int snapshot_sort_traffic(struct reading *reading);

#endif
