/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the threads of a process, and what they poll with in turn.
 */
#include "collect/collect_internal.h"

#include "base/base.h"

#include <stdlib.h>

/* Serials of operations that are kept of one call. */
enum { MOST_WAITING = 1 << 20 };

static struct thread take_thread(const struct collection *collection,
                                 const struct mpilens_thread_information *information)
{
    struct thread thread = model_thread(collection, information);
    thread.spawned = "";
    thread.handling = "";
    return thread;
}

/* The members of the group in MPI_Comm_create_group. */
static const struct group *collect_group(const struct collection *collection, uint32_t serial)
{
    const struct dll *dll = collection->dll;
    struct mpilens_object_information object = {.struct_size = sizeof object};
    size_t count = 0;
    if (serial == 0 ||
        dll->mpilens_find_object_by_serial(collection->handle, MPILENS_OBJECT_GROUP, serial, &object) != mqs_ok ||
        dll->mpilens_get_members(collection->handle, false, NULL, 0, &count) != mqs_ok || count > MOST_RANKS)
        return NULL;
    struct mpilens_rank_range *ranges = allocate((count + 1) * sizeof *ranges);
    const struct group *group = NULL;
    if (dll->mpilens_get_members(collection->handle, false, ranges, count, &count) == mqs_ok)
        group = group_pool_add_ranges(collection->groups, ranges, count);
    free(ranges);
    return group;
}

/* Collects what the thread or poll delivered last waits for. */
static void collect_waiting(const struct collection *collection, struct thread *thread)
{
    if (thread->waiting_count == 0)
        return;
    const size_t capacity = thread->waiting_count < MOST_WAITING ? (size_t)thread->waiting_count : MOST_WAITING;
    thread->waiting = allocate(capacity * sizeof *thread->waiting);
    if (collection->dll->mpilens_get_waiting(collection->handle, thread->waiting, capacity, &thread->waiting_known) !=
        mqs_ok)
        thread->waiting_known = 0;
}

/* Collects the polls of the thread delivered last, after what it waits for itself. */
static int collect_polls(const struct collection *collection, struct thread *thread)
{
    for (;;) {
        struct mpilens_thread_information information = {.struct_size = sizeof information};
        const int code = collection->dll->mpilens_next_poll(collection->handle, &information);
        if (code != mqs_ok)
            return collection_end(code);
        thread->other_polls = array_append(thread->other_polls, &thread->other_poll_count, sizeof *thread->other_polls);
        struct thread *poll = &thread->other_polls[thread->other_poll_count - 1];
        *poll = take_thread(collection, &information);
        collect_waiting(collection, poll);
    }
}

int collect_threads(const struct collection *collection, struct process *process)
{
    const struct dll *dll = collection->dll;
    int code = dll->mpilens_setup_thread_iterator(collection->handle);
    while (code == mqs_ok) {
        struct mpilens_thread_information information = {.struct_size = sizeof information};
        code = dll->mpilens_next_thread(collection->handle, &information);
        if (code != mqs_ok)
            break;
        process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
        struct thread *thread = &process->threads[process->thread_count - 1];
        *thread = take_thread(collection, &information);
        collect_waiting(collection, thread);
        thread->group = collect_group(collection, information.group_serial);
        if (thread->polling)
            code = collect_polls(collection, thread);
    }
    return collection_end(code);
}
