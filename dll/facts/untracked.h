/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the runtime of a process had no record for, because its memory limit was reached.
 */
#ifndef MPILENS_DLL_FACTS_UNTRACKED_H
#define MPILENS_DLL_FACTS_UNTRACKED_H

#include "snapshot/reading.h"

uint64_t untracked_operations(const struct reading *reading);
/* Needs the root only. */
uint64_t untracked_objects(const struct reading *reading);

#endif
