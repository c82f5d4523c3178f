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
    uint64_t communicator; /* handle */
    int32_t source;
    int32_t tag;
    uint32_t all; /* 1: any message of any communicator */
};

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

/* The calling thread's, or one that asks for everything for ever: then nothing is taken out any more. */
struct asker *asker_begin(void) COLD;

/* Returns whether the gate is open: MPI has all messages, and the taker is not at work. */
INLINE bool question_begin(MPI_Comm communicator, int source, int tag, bool all)
{
    struct asker *asker = mpilens__asker;
    if (unlikely(asker == NULL))
        asker = asker_begin();
    const uint32_t depth = asker->depth;
    if (likely(depth < MOST_QUESTIONS)) {
        struct question *question = &asker->questions[depth];
        __atomic_store_n(&question->communicator, HANDLE_VALUE(communicator), __ATOMIC_RELAXED);
        __atomic_store_n(&question->source, source, __ATOMIC_RELAXED);
        __atomic_store_n(&question->tag, tag, __ATOMIC_RELAXED);
        __atomic_store_n(&question->all, all, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&asker->depth, depth + 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return likely(__atomic_load_n(&mpilens__gate, __ATOMIC_ACQUIRE) == 0);
}

INLINE void question_end(void)
{
    struct asker *asker = mpilens__asker;
    __atomic_store_n(&asker->depth, asker->depth - 1, __ATOMIC_RELEASE);
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
