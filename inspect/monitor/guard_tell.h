/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Telling the user something without depending on it: what is told may be long in the making, its reader may be gone or
 * asleep, the disk may be full.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_TELL_H
#define MPILENS_INSPECT_MONITOR_GUARD_TELL_H

#include <stdio.h>

/* Calls `tell` in a child of this process and writes what it has written to `stream` to standard error. Returns when
 * that is done, has failed or takes too long; then the child is no more. `tell` may do other things, too, and end the
 * process; nothing that it changes in memory comes back. */
void guard_tell(void (*tell)(FILE *stream, void *context), void *context);
/* Likewise of what may take `more_s` longer. */
void guard_tell_slowly(void (*tell)(FILE *stream, void *context), void *context, double more_s);

#endif
