/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of operations in a snapshot.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OPERATION_REQUESTS_H
#define MPILENS_DLL_SNAPSHOT_OPERATION_REQUESTS_H

#include "snapshot/reading.h"

/* As far as the snapshot knows them. */
void snapshot_settle_requests(struct reading *reading);

#endif
