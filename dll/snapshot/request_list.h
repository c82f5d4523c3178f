/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The list of requests.
 */
#ifndef MPILENS_DLL_SNAPSHOT_REQUEST_LIST_H
#define MPILENS_DLL_SNAPSHOT_REQUEST_LIST_H

#include "snapshot/snapshot_maker.h"

/* mqs_ok or a code. */
int snapshot_sort_requests(const struct snapshot_maker *maker);

#endif
