/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the tables of a snapshot.
 *
 * The process may be running meanwhile. What makes the copy consistent:
 *   - The threads are read first and last. If no thread made a call in between, nothing else has changed either.
 *   - Else operations, communicators and other objects are read a second time, and only those that are still the same
 *     ones are kept. What they refer to was read in between; the runtime keeps it as long as it is referred to.
 *   - A record that was being written is read again a few times, then counted and left out.
 */
#ifndef MPILENS_DLL_SNAPSHOT_SNAPSHOT_READ_H
#define MPILENS_DLL_SNAPSHOT_SNAPSHOT_READ_H

#include "snapshot/call_requests.h"
#include "snapshot/reading.h"

/* What the threads' calls wait for is read with them. mqs_ok or a code. */
int snapshot_read(struct reading *reading, struct call_requests *ret_requests);

#endif
