/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The list of requests.
 */
#ifndef MPILENS_DLL_SNAPSHOT_REQUEST_LIST_H
#define MPILENS_DLL_SNAPSHOT_REQUEST_LIST_H

#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_sort_requests(struct reading *reading);

#endif
