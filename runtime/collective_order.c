/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places of calls without data.
 */
#include "collective_order.h"

#include "functions.h"
#include "process.h"

static struct mpilens_collective *enter(const struct thread *thread, uint64_t *count, struct mpilens_collective *recent,
                                        int32_t root)
{
    const bool has_root = root != NO_ROOT;
    return collective_take_place(count, recent,
                                 (struct mpilens_collective){.entered = thread->published.entered,
                                                             .site = thread->published.site,
                                                             .function = thread->published.function,
                                                             .root = has_root ? root : 0,
                                                             .has_root = has_root,
                                                             .count = -1});
}

struct mpilens_collective *collective_enter_communicator(const struct thread *thread,
                                                         struct mpilens_communicator *communicator, int32_t root)
{
    return communicator ? enter(thread, &communicator->collective_count, communicator->recent_collectives, root) : NULL;
}

struct mpilens_collective *collective_enter_window(const struct thread *thread, struct mpilens_window *window)
{
    return window ? enter(thread, &window->collective_count, window->recent_collectives, NO_ROOT) : NULL;
}

struct mpilens_collective *collective_enter_file(const struct thread *thread, struct mpilens_file *file)
{
    return file ? enter(thread, &file->collective_count, file->recent_collectives, NO_ROOT) : NULL;
}

static void abandon(const struct thread *thread, struct mpilens_collective *recent)
{
    for (size_t i = 0; i < RECENT_COLLECTIVES; i++)
        if (recent[i].active && recent[i].site == thread->published.site &&
            recent[i].entered == thread->published.entered)
            recent[i].active = 0;
}

void collective_order_abandon(const struct thread *thread)
{
    struct mpilens_communicator *communicator =
        (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    struct mpilens_window *window = (struct mpilens_window *)(uintptr_t)thread->published.object;
    struct mpilens_file *file = (struct mpilens_file *)(uintptr_t)thread->published.object;
    switch (mpilens__functions[thread->published.function].call_class) {
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
        if (window)
            abandon(thread, window->recent_collectives);
        break;
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        if (file)
            abandon(thread, file->recent_collectives);
        break;
    case MPILENS_CALL_COLLECTIVE:
    case MPILENS_CALL_COMMUNICATOR:
        break;
    default:
        return;
    }
    if (communicator)
        abandon(thread, communicator->recent_collectives);
}
