/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The communicators of a snapshot, in the order in which they are listed.
 */
#ifndef MPILENS_DLL_SNAPSHOT_COMMUNICATOR_LIST_H
#define MPILENS_DLL_SNAPSHOT_COMMUNICATOR_LIST_H

#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_list_communicators(struct reading *reading);

#endif
