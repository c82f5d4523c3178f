/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which thread has started a request, while several threads are in MPI at a time: whoever completes the request of
 * another thread looks into the request table of that one first. Only hints, kept without a lock: the request table
 * decides, and a request that has lost its hint is looked for in all tables.
 *
 * A thread writes the hint before it gives the request away, so that of a handle which is given out again the hint is
 * that of the newest request. Not for requests that are complete by nature: all threads would write the same hint.
 */
#ifndef MPILENS_RUNTIME_THREAD_REQUEST_OWNER_H
#define MPILENS_RUNTIME_THREAD_REQUEST_OWNER_H

#include "thread/thread.h"

/* Hints are kept from now on, if there is memory: several threads may be in MPI at a time. */
void request_owners_keep(void);

/* There are `more` records for operations now, or fewer, where negative. Room for hints grows with them. */
void request_owners_expect(int64_t more);

/* The thread with this index has started `request`. */
void request_owner_note(uint64_t request, uint32_t index);

/* The thread that has started `request`, probably; NULL: not known. */
struct thread *request_owner(uint64_t request);

#endif
