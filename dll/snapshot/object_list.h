/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lists of objects, by kind.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OBJECT_LIST_H
#define MPILENS_DLL_SNAPSHOT_OBJECT_LIST_H

#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_sort_objects(struct reading *reading);

#endif
