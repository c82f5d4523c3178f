/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers collective calls in the order that all members share, and takes back the number of a call that failed.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"
#include "thread/thread.h"

/* Stands in for the calls on objects that are not known. */
static __thread struct mpilens_collective nowhere;

/* The order of the calls on one object; NULL: it has none, or is not known. */
struct order {
    uint64_t *count;
    struct mpilens_collective *recent;
};

static struct mpilens_collective *enter(const struct thread *thread, uint64_t *count, struct mpilens_collective *recent,
                                        int32_t root)
{
    const bool has_root = root != NO_ROOT;
    uint64_t serial;
    struct mpilens_collective *call = collective_open_place(count, recent, &serial);
    collective_fill_place(call, serial,
                          (struct mpilens_collective){.entered = thread->published.entered,
                                                      .site = thread->published.site,
                                                      .function = thread->published.function,
                                                      .root = has_root ? root : 0,
                                                      .has_root = has_root,
                                                      .count = -1},
                          NULL);
    return call;
}

struct mpilens_collective *collective_enter_communicator(const struct thread *thread,
                                                         struct mpilens_communicator *communicator, int32_t root)
{
    if (communicator == NULL)
        return &nowhere;
    communicator->root_sum += root != NO_ROOT ? (uint64_t)(int64_t)root : 0;
    return enter(thread, &communicator->collective_count, communicator->recent_collectives, root);
}

struct mpilens_collective *collective_enter_window(const struct thread *thread, struct mpilens_window *window)
{
    return window != NULL ? enter(thread, &window->collective_count, window->recent_collectives, NO_ROOT) : &nowhere;
}

struct mpilens_collective *collective_enter_file(const struct thread *thread, struct mpilens_file *file)
{
    return file != NULL ? enter(thread, &file->collective_count, file->recent_collectives, NO_ROOT) : &nowhere;
}

/* The order on the window or file that the thread's current call works on. */
static struct order order_of_object(const struct thread *thread)
{
    struct mpilens_window *window = (struct mpilens_window *)(uintptr_t)thread->published.object;
    struct mpilens_file *file = (struct mpilens_file *)(uintptr_t)thread->published.object;
    switch (mpilens__functions[thread->published.function].call_class) {
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
        return window != NULL ? (struct order){&window->collective_count, window->recent_collectives}
                              : (struct order){0};
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        return file != NULL ? (struct order){&file->collective_count, file->recent_collectives} : (struct order){0};
    default:
        return (struct order){0};
    }
}

/* The order on the communicator that the thread's current call works on. */
static struct order order_of_communicator(const struct thread *thread)
{
    struct mpilens_communicator *communicator =
        (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    switch (mpilens__functions[thread->published.function].call_class) {
    case MPILENS_CALL_COLLECTIVE:
    case MPILENS_CALL_COMMUNICATOR:
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        return communicator != NULL ? (struct order){&communicator->collective_count, communicator->recent_collectives}
                                    : (struct order){0};
    default:
        return (struct order){0};
    }
}

static bool is_last(struct order order, const struct mpilens_collective *call)
{
    return order.count != NULL && call->serial == *order.count && call->serial != 0 &&
           call == &order.recent[(call->serial - 1) % RECENT_COLLECTIVES];
}

static void give_back(struct order order, struct mpilens_collective *call)
{
    call->serial = 0;
    PUBLISH_BARRIER();
    --*order.count;
}

void collective_failed(const struct thread *thread, struct mpilens_collective *call, int error)
{
    const struct order of_object = order_of_object(thread);
    const struct order of_communicator = order_of_communicator(thread);
    if (!refusal_is(error))
        return;
    if (is_last(of_object, call)) {
        give_back(of_object, call);
    } else if (is_last(of_communicator, call)) {
        const struct mpilens_function *function = &mpilens__functions[thread->published.function];
        struct mpilens_communicator *communicator =
            (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
        give_back(of_communicator, call);
        communicator->root_sum -= (uint64_t)(int64_t)call->root;
        if (function->call_class == MPILENS_CALL_COLLECTIVE)
            communicator->collective_states[function->collective_class].count--;
    }
}

static void abandon(const struct thread *thread, struct order order)
{
    for (size_t i = 0; order.recent != NULL && i < RECENT_COLLECTIVES; i++)
        if (order.recent[i].active && order.recent[i].site == thread->published.site &&
            order.recent[i].entered == thread->published.entered)
            order.recent[i].active = 0;
}

void collective_order_abandon(const struct thread *thread)
{
    abandon(thread, order_of_object(thread));
    abandon(thread, order_of_communicator(thread));
}
