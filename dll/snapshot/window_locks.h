/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The locks that the process has in windows.
 */
#ifndef MPILENS_DLL_SNAPSHOT_WINDOW_LOCKS_H
#define MPILENS_DLL_SNAPSHOT_WINDOW_LOCKS_H

#include "snapshot/reading.h"

/* mqs_ok or a code. */
int snapshot_read_window_locks(struct reading *reading);

#endif
