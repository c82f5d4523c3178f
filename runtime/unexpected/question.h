/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the application's threads ask MPI for at the moment: every call that may match a message says so before it
 * begins and after it has ended. Whoever takes messages out leaves alone those that a call in progress could match, so
 * that none of them misses its message: a receive or a probe that waits inside MPI finds it there.
 *
 * The two sides meet without a lock: a thread publishes its question and then looks at the gate; the taker closes the
 * gate, makes all threads pass a memory barrier (membarrier(2)) and then looks at the questions. One of them sees the
 * other.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_QUESTION_H
#define MPILENS_RUNTIME_UNEXPECTED_QUESTION_H

#include "mpi/mpi_traits.h"
#include "thread/thread.h"

enum {
    MOST_QUESTIONS = 4, /* of one thread: calls inside calls */
};

/* Which messages a call could match. */
struct question {
    uint64_t communicator; /* handle, or EVERY_COMMUNICATOR: any message */
    int32_t source;
    int32_t tag;
};

#define EVERY_COMMUNICATOR UINT64_MAX

/* One thread. Written by it alone, with atomic stores: the taker reads it. */
struct asker {
    uint32_t depth; /* questions; more than there is room for: any message is asked for */
    uint32_t used;  /* 0: its thread has ended */
    struct question questions[MOST_QUESTIONS];
    struct asker *next;
};

extern __thread struct asker *mpilens__asker __attribute__((visibility("hidden")));

/* Not 0: messages are being taken out, or some have been and wait for their receives. */
extern uint32_t mpilens__gate __attribute__((visibility("hidden")));

INLINE void question_write(struct question *question, uint64_t communicator, int source, int tag)
{
    __atomic_store_n(&question->communicator, communicator, __ATOMIC_RELAXED);
    __atomic_store_n(&question->source, source, __ATOMIC_RELAXED);
    __atomic_store_n(&question->tag, tag, __ATOMIC_RELAXED);
}

/* Returns whether the gate is open: MPI has all messages, and the taker is not at work. */
bool question_begin(uint64_t communicator, int source, int tag) COLD;

void question_end(void) COLD;

/* The same for a thread that asks nothing else, where the gate is open. False: the question has not begun. */
INLINE bool question_begin_quickly(uint64_t communicator, int source, int tag)
{
    struct asker *asker = mpilens__asker;
    if (unlikely(asker == NULL || asker->depth != 0))
        return false;
    question_write(&asker->questions[0], communicator, source, tag);
    __atomic_store_n(&asker->depth, 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (likely(__atomic_load_n(&mpilens__gate, __ATOMIC_ACQUIRE) == 0))
        return true;
    __atomic_store_n(&asker->depth, 0, __ATOMIC_RELEASE);
    return false;
}

/* Also of the questions that were left by a jump out of calls inside this one. */
INLINE void question_end_quickly(void)
{
    __atomic_store_n(&mpilens__asker->depth, 0, __ATOMIC_RELEASE);
}

/* Whether this system can make all threads pass a barrier. Once, before the gate is ever closed. */
bool gate_prepare(void);

/* After it, questions that are not seen by question_is_asked are asked by threads that see the gate closed. */
void gate_close(void);

/* `held`: messages wait for their receives. */
void gate_leave(bool held);

/* Whether a call in progress could match such a message. */
bool question_is_asked(uint64_t communicator, int source, int tag);

/* Nothing is taken out any more: there is no memory for what that needs. */
void question_all_for_ever(void) COLD;

#endif
