/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests and probes that find nothing. A thread that makes no other calls is in a loop of them, which is over when one
 * of them finds something or another call is made. The thread's record tells the polls of the loop apart, as far as
 * there is room.
 */
#ifndef MPILENS_RUNTIME_POLL_H
#define MPILENS_RUNTIME_POLL_H

#include "thread.h"

/* The thread's current call has found nothing: a test of one request, whose operation may be NULL (not known) ... */
void poll_request(struct thread *thread, uint32_t function, const struct mpilens_operation *operation);

/* ... of an array of requests, whose copies, [count], are in thread->scratch (0: they are not known) ... */
void poll_requests(struct thread *thread, uint32_t function, int count);

/* ... a probe on the communicator of the call ... */
void poll_message(struct thread *thread, uint32_t function, int32_t peer, int32_t tag);

/* ... a test of a window's epoch. The record may be NULL. */
void poll_window(struct thread *thread, uint32_t function, const struct mpilens_window *window);

#endif
