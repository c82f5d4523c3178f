/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The call that a thread is in, as readers see it: in place from call_begin_... until call_end (thread.h).
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_CALL_H
#define MPILENS_RUNTIME_OPERATIONS_CALL_H

#include "mpi/clock_stamp.h"
#include "thread/thread.h"

/* A call that starts an operation. */
INLINE void call_begin_operation(struct thread *thread, uint32_t function, struct mpilens_operation *operation)
{
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    call_begin(thread, function);
}

/* A call that counts its operations, completions or polls: `communicator` is the record that it works on, or NULL. */
INLINE void call_begin_counting(struct thread *thread, uint32_t function, uint64_t site,
                                const struct mpilens_communicator *communicator)
{
    thread->published.site = site;
    clock_stamp(&thread->published.entered);
    thread->published.operation = 0;
    thread->published.communicator = (uint64_t)(uintptr_t)communicator;
    call_begin(thread, function);
}

/* Any call that asks for something and does not wait. Readers know it from the one before it by when it began. */
INLINE void call_begin_asking(struct thread *thread, uint32_t function, uint64_t site,
                              const struct mpilens_communicator *communicator)
{
    thread->published.site = site;
    thread->published.entered = clock_ticks();
    thread->published.operation = 0;
    thread->published.communicator = (uint64_t)(uintptr_t)communicator;
    call_begin(thread, function);
}

/* Any other call. The thread polls no more. */
INLINE void call_begin_other(struct thread *thread, uint32_t function, uint64_t site,
                             const struct mpilens_communicator *communicator)
{
    thread->published.polls = 0;
    call_begin_asking(thread, function, site, communicator);
}

#endif
