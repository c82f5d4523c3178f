/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kinds of objects, and the tables that hold them.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OBJECT_KINDS_H
#define MPILENS_DLL_SNAPSHOT_OBJECT_KINDS_H

#include "mpilens/object_layout.h"

/* The table of objects of a kind (enum mpilens_object_kind); MPILENS_TABLE_COUNT: there is no such kind. */
enum mpilens_table_kind object_table(int kind);

#endif
