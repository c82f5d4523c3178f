/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The order of collective calls: all members of a communicator, window or file make them in the same one, so that calls
 * with the same ordinal belong together.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_COLLECTIVE_ORDER_H
#define MPILENS_RUNTIME_OBJECTS_COLLECTIVE_ORDER_H

#include "thread/thread.h"

enum {
    RECENT_COLLECTIVES =
        sizeof((struct mpilens_communicator *)0)->recent_collectives / sizeof(struct mpilens_collective),
    NO_ROOT = INT32_MIN
};

/* Where the arrays of counts of a call are: see mpilens_collective. */
struct count_arrays {
    uint64_t send_counts;
    uint64_t send_datatypes;
    uint64_t receive_counts;
    uint64_t receive_datatypes;
};

/* The next place of an order; `serial` and `active` of `described` mean nothing, nor do arrays, which come apart. NULL:
 * the function has none. */
INLINE struct mpilens_collective *collective_take_place(uint64_t *count, struct mpilens_collective *recent,
                                                        const struct mpilens_collective described,
                                                        const struct count_arrays *arrays)
{
    uint64_t serial = ++*count;
    struct mpilens_collective *call = &recent[(serial - 1) % RECENT_COLLECTIVES];
    __asm__("" : "+r"(call)); /* one register, instead of computing the address for each member */
    call->serial = 0;
    PUBLISH_BARRIER();
    call->entered = described.entered;
    call->site = described.site;
    call->function = described.function;
    call->active = 1;
    call->root = described.root;
    call->has_root = described.has_root;
    call->count = described.count;
    call->datatype = described.datatype;
    call->op = described.op;
    call->buffer = described.buffer;
    if (arrays != NULL) {
        call->send_counts = arrays->send_counts;
        call->send_datatypes = arrays->send_datatypes;
        call->receive_counts = arrays->receive_counts;
        call->receive_datatypes = arrays->receive_datatypes;
    }
    PUBLISH_BARRIER();
    call->serial = serial;
    return call;
}

/* The call that the thread is in, which moves no data of the communicator, takes its place. `root`, or NO_ROOT. The
 * place, for collective_leave: one that nobody sees where the object is not known (NULL). */
struct mpilens_collective *collective_enter_communicator(const struct thread *thread,
                                                         struct mpilens_communicator *communicator, int32_t root);
struct mpilens_collective *collective_enter_window(const struct thread *thread, struct mpilens_window *window);
struct mpilens_collective *collective_enter_file(const struct thread *thread, struct mpilens_file *file);

/* The call that the thread is in has failed. If MPI has refused it, it gives back its place `call`, unless others have
 * come after it. */
void collective_failed(const struct thread *thread, struct mpilens_collective *call, int error) COLD;

/* It has returned `error`, and the object is there still. */
INLINE void collective_leave(const struct thread *thread, struct mpilens_collective *call, int error)
{
    call->active = 0;
    if (unlikely(error != MPI_SUCCESS))
        collective_failed(thread, call, error);
}

/* The thread's current call, if it has a place, will never end normally. */
void collective_order_abandon(const struct thread *thread);

#endif
