/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of operations, as the thread that starts them holds them.
 *
 * A record's way: the thread's free list -> published (pending) -> retired into the recorder, where it stays readable
 * while the thread completes RECORDER_CAPACITY more -> the free list. Operations that another thread completes come
 * back to the thread that started them through `returned`.
 */
#ifndef MPILENS_RUNTIME_THREAD_OPERATION_RECORD_H
#define MPILENS_RUNTIME_THREAD_OPERATION_RECORD_H

#include "thread/thread.h"

/* The first records of a new thread. False: no memory. */
bool operations_prepare(struct thread *thread);

/* After that has failed: gives back what it has taken. */
void operations_unprepare(struct thread *thread);

/* Fills the empty free list. False, and counted, where there is no record. */
bool operation_take_slowly(struct thread *thread) COLD;

/* Now and then: gives back what a burst has left, notes the clock. Not COLD: GCC 12 would take every completion for
 * cold that goes past its call, and put it far from where it begins. */
void operations_maintain(struct thread *thread) __attribute__((noinline));

/* By a thread that did not start it: completed, or given up. */
void operation_return(struct mpilens_operation *operation) COLD;
void operation_return_abandoned(struct mpilens_operation *operation) COLD;

/* A user's callback inside a call calls MPI: a record that the outer call has borrowed must not be borrowed again.
 * `outer`: the operation of that call, or 0. Returns whether operation_end_inner must undo it. */
bool operation_begin_inner(struct thread *thread, uint64_t outer) COLD;
void operation_end_inner(struct thread *thread, uint64_t outer) COLD;

/* The record at this address; 0: NULL. */
INLINE struct mpilens_operation *operation_at(uint64_t address)
{
    return (struct mpilens_operation *)(uintptr_t)address;
}

/* The second operation of the same request, or NULL: `partner` where it is one. */
INLINE struct mpilens_operation *operation_second(const struct mpilens_operation *operation)
{
    bool has_second =
        !(operation->flags & MPILENS_OPERATION_OTHER_CLASSES) || operation->state == MPILENS_OPERATION_PERSISTENT;
    return has_second ? operation_at(operation->partner) : NULL;
}

/* The next free record; there is one. */
INLINE struct mpilens_operation *operation_take(struct thread *thread)
{
    struct mpilens_operation *operation = thread->free_operations;
    thread->free_operations = (struct mpilens_operation *)(uintptr_t)operation->next;
    return operation;
}

/* The record for a blocking call: the one whose turn in the recorder comes next stays in its place while the call
 * lasts. */
INLINE struct mpilens_operation *operation_borrow(const struct thread *thread)
{
    return thread->recorder[thread->published.completions % RECORDER_SLOTS];
}

/* `operation`, in a register that has no argument of a call: a compiler that is free to choose saves one to make room.
 */
INLINE struct mpilens_operation *operation_beside_arguments(struct mpilens_operation *operation)
{
#if defined(__x86_64__)
    register struct mpilens_operation *held __asm__("r11") = operation;
    __asm__("" : "+r"(held));
    return held;
#else
    return operation;
#endif
}

/* Whether it is the thread's borrowed record, in use. */
INLINE bool operation_is_borrowed(const struct thread *thread, const struct mpilens_operation *operation)
{
    return operation == operation_borrow(thread) && operation->state == MPILENS_OPERATION_PENDING;
}

/* Nobody uses it any more. */
INLINE void operation_set_free(struct thread *thread, struct mpilens_operation *operation)
{
    operation->next = (uint64_t)(uintptr_t)thread->free_operations;
    thread->free_operations = operation;
}

/* A borrowed record is over, and counts. */
INLINE void operation_retire_borrowed(struct thread *thread, struct mpilens_operation *operation)
{
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RETIRED, __ATOMIC_RELEASE);
    thread->published.completions++;
}

/* Into the recorder; the record that has been there longest becomes free. */
INLINE void operation_retire(struct thread *thread, struct mpilens_operation *operation)
{
    uint64_t place = thread->published.completions++ % RECORDER_SLOTS;
    struct mpilens_operation *oldest = thread->recorder[place];
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RETIRED, __ATOMIC_RELEASE);
    thread->recorder[place] = operation;
    operation_set_free(thread, oldest);
    if (unlikely(place == 0))
        operations_maintain(thread);
}

/* As operation_retire, for an operation that any thread may have started. */
INLINE void operation_retire_anyones(struct thread *thread, struct mpilens_operation *operation)
{
    if (likely(operation->thread == thread->published.index))
        operation_retire(thread, operation);
    else
        operation_return(operation);
}

#endif
