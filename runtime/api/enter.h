/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slow path into a wrapper, for a thread that is not known yet, that is inside another call, or whose call needs
 * more than a record.
 */
#ifndef MPILENS_RUNTIME_API_ENTER_H
#define MPILENS_RUNTIME_API_ENTER_H

#include "thread/thread.h"

/* A wrapper's slow way: from thread_enter_slowly to thread_leave. */
struct slow_way {
    const void *caller;                 /* return address of the wrapper; then the site of the call */
    uint64_t frame;                     /* stack pointer of the wrapper */
    struct outer_call *outer;           /* the call that it interrupts, or NULL */
    struct fortran_statement statement; /* that has led here; a NULL site: none */
};

/* For a call that finds its thread unknown or inside another call: `way` has caller and frame. Returns the thread
 * where the call is the application's, until thread_leave. Returns NULL where it is not (or nothing can be
 * tracked): call the MPI library's function and nothing else. */
struct thread *thread_enter_slowly(struct slow_way *way) COLD;

/* Back to the interrupted call, if there is one. */
void thread_leave(struct thread *thread, struct slow_way *way) COLD;

#endif
