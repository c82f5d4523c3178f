/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the threads of a snapshot are doing.
 */
#ifndef MPILENS_DLL_SNAPSHOT_THREAD_VIEWS_H
#define MPILENS_DLL_SNAPSHOT_THREAD_VIEWS_H

#include "snapshot/call_requests.h"
#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_view_threads(struct reading *reading, const struct call_requests *requests);

#endif
