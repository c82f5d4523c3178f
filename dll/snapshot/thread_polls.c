/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the polls of a thread that is in a loop of them.
 */
#include "snapshot/snapshot.h"

#include <string.h>

enum { OTHER_POLLS = MOST_POLLS - 1 };

_Static_assert(sizeof((struct mpilens_thread *)0)->other_poll_site == OTHER_POLLS * sizeof(uint64_t),
               "the first and the others");

bool thread_is_polling(const struct function_table *functions, const struct mpilens_thread *thread)
{
    if (thread->polls == 0 || thread->operations != thread->poll_operations ||
        thread->completions != thread->poll_completions)
        return false;
    if (thread->function == 0)
        return true;
    uint32_t call_class = function_table_get(functions, thread->function)->call_class;
    return call_class == MPILENS_CALL_TEST || call_class == MPILENS_CALL_IPROBE;
}

size_t thread_poll_count(const struct mpilens_thread *thread)
{
    return 1 + (thread->other_poll_count < OTHER_POLLS ? thread->other_poll_count : OTHER_POLLS);
}

struct thread_poll thread_poll_get(const struct mpilens_thread *thread, size_t number)
{
    if (number == 0)
        return (struct thread_poll){.function = thread->poll_function,
                                    .site = thread->poll_site,
                                    .since = thread->poll_since,
                                    .operation = thread->poll_operation,
                                    .communicator = thread->poll_communicator,
                                    .object = thread->poll_object,
                                    .requests = thread->poll_requests,
                                    .request_count = thread->poll_request_count,
                                    .peer = thread->poll_peer,
                                    .tag = thread->poll_tag};
    const size_t other = number - 1;
    return (struct thread_poll){.function = thread->other_poll_function[other],
                                .site = thread->other_poll_site[other],
                                .since = thread->other_poll_since[other],
                                .operation = thread->other_poll_operation[other],
                                .communicator = thread->other_poll_communicator[other],
                                .object = thread->other_poll_object[other],
                                .requests = thread->other_poll_requests[other],
                                .request_count = thread->other_poll_request_count[other],
                                .peer = thread->other_poll_peer[other],
                                .tag = thread->other_poll_tag[other]};
}

static bool polls_as_before(const struct mpilens_thread *before, const struct mpilens_thread *thread)
{
    if (before->poll_since != thread->poll_since || before->poll_operations != thread->poll_operations ||
        before->poll_completions != thread->poll_completions || before->other_poll_count != thread->other_poll_count)
        return false;
    for (size_t i = 0; i < thread_poll_count(thread); i++) {
        const struct thread_poll a = thread_poll_get(before, i);
        const struct thread_poll b = thread_poll_get(thread, i);
        if (a.function != b.function || a.site != b.site || a.since != b.since || a.operation != b.operation ||
            a.communicator != b.communicator || a.object != b.object || a.requests != b.requests ||
            a.request_count != b.request_count || a.peer != b.peer || a.tag != b.tag)
            return false;
    }
    return true;
}

bool thread_stays(const struct function_table *functions, const struct mpilens_thread *before,
                  const struct mpilens_thread *thread)
{
    if (thread_is_polling(functions, before) && thread_is_polling(functions, thread))
        return polls_as_before(before, thread);
    return memcmp(before, thread, sizeof *thread) == 0;
}
