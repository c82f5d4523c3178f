/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The polls of a thread that is in a loop of them.
 */
#ifndef MPILENS_DLL_SNAPSHOT_THREAD_POLLS_H
#define MPILENS_DLL_SNAPSHOT_THREAD_POLLS_H

#include "layout/root.h"

/* Polls that differ, of one loop. */
enum { MOST_POLLS = 8 };

/* One of them, as struct mpilens_thread has it. */
struct thread_poll {
    uint32_t function;
    uint64_t site;
    uint64_t since;
    uint64_t operation;
    uint64_t communicator;
    uint64_t object;
    uint64_t requests;
    uint64_t request_count;
    int32_t peer;
    int32_t tag;
};

/* Whether the thread has done nothing but fruitless tests and probes since it began to poll. */
bool thread_is_polling(const struct function_table *functions, const struct mpilens_thread *thread);

/* How many different polls are known of the loop that a polling thread is in: 1 to MOST_POLLS. */
size_t thread_poll_count(const struct mpilens_thread *thread);

/* `number`: from 0, in the order in which they were first made. */
struct thread_poll thread_poll_get(const struct mpilens_thread *thread, size_t number);

/* Whether the thread has made no call since `before`, or goes round in the same loop of polls. */
bool thread_stays(const struct function_table *functions, const struct mpilens_thread *before,
                  const struct mpilens_thread *thread);

#endif
