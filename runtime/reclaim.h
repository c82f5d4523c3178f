/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of freed communicators and datatypes stay while live operations refer to them, and some longer, for the
 * flight recorder's sake.
 */
#ifndef MPILENS_RUNTIME_RECLAIM_H
#define MPILENS_RUNTIME_RECLAIM_H

#include "mpilens/layout.h"

/* Communicator or datatype `record`, state MPILENS_OBJECT_FREED, is to be given back when nothing live refers to it. */
void reclaim_later(enum mpilens_table_kind kind, void *record);

#endif
