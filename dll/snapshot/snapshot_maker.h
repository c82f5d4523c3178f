/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking a snapshot.
 */
#ifndef MPILENS_DLL_SNAPSHOT_SNAPSHOT_MAKER_H
#define MPILENS_DLL_SNAPSHOT_SNAPSHOT_MAKER_H

#include "snapshot/reading.h"

/* Takes a copy of the tables of reading->target, whose root was just read. On anything but mqs_ok, the snapshot is
 * empty. What it was is lost. */
int snapshot_take(struct reading *reading);

#endif
