/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lists of objects, by kind.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OBJECT_LIST_H
#define MPILENS_DLL_SNAPSHOT_OBJECT_LIST_H

#include "snapshot/snapshot_maker.h"

/* mqs_ok or a code. */
int snapshot_sort_objects(const struct snapshot_maker *maker);

#endif
