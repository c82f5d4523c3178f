/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the index of a thread to the thread, however many there are.
 */
#ifndef MPILENS_RUNTIME_THREAD_THREAD_INDEX_H
#define MPILENS_RUNTIME_THREAD_THREAD_INDEX_H

#include "thread/thread.h"

/* `thread`, whose index is one more than that of the thread added before it. One caller at a time. False: no memory. */
bool thread_index_add(struct thread *thread);

/* The thread with this index, or NULL: none has been added. */
struct thread *thread_at(uint32_t index);

#endif
