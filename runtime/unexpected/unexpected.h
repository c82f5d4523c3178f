/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes messages out of MPI that nobody asks for, where that is wanted; whether a call finds its own there.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_UNEXPECTED_H
#define MPILENS_RUNTIME_UNEXPECTED_UNEXPECTED_H

#include "mpi/functions.h"
#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"
#include "thread/thread.h"

#include <stdbool.h>
#include <stddef.h>

/* -- level.c --
 * MPI is initialized for several threads, because of the one that takes messages out; the application is told the level
 * that it has asked for.
 */

/* `ret_provided` may be NULL. Returns an error of MPI. */
int level_initialize(int *argc, char ***argv, int required, int *ret_provided);

int level_query(int *ret_provided);

/* -- meeting.c --
 * Open MPI makes communicators by messages with the application's tag on the application's communicator
 * (MPI_Comm_create_group, and between leaders MPI_Intercomm_create), and receives them where nobody can say that they
 * were taken out. So those who make one meet before: once all have come, all leave such messages alone.
 */

/* Until meeting_end, this process takes no messages with the tag out of the communicator. Returns when all members of
 * the group have come here; at once if some are not of this MPI_COMM_WORLD: they may not run the runtime in this mode.
 * Errors of MPI are left to the following call. */
void meeting_of_group(MPI_Comm communicator, MPI_Group group, int tag);

/* As meeting_of_group, for two leaders; returns at once in other processes. */
void meeting_of_leaders(MPI_Comm local, int leader, MPI_Comm communicator, int remote_leader, int tag);

void meeting_end(void);

/* -- persistent_receive.c --
 * Persistent receives that are started when their message was taken out already. MPI cannot match them: the persistent
 * request stays inactive there, and a receive of the matched message stands for it in calls that complete requests.
 */

/* Receives of matched messages that stand for persistent ones now. */
extern uint64_t mpilens__stand_ins __attribute__((visibility("hidden")));

/* MPI_Recv_init has given `request`. */
void persistent_receive_made(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                             MPI_Comm communicator, MPI_Request request);

/* MPI_Start where the gate is not open. */
int persistent_receive_start(MPI_Request *request) COLD;

/* MPI_Request_free, before the library's. */
void persistent_receive_freeing(MPI_Request request);

/* The request that stands in for `request` now: itself, or the receive of its message. */
MPI_Request persistent_receive_stand_in(MPI_Request request) COLD;

/* Requests in the place of an array of the application's. */
struct stand_ins {
    MPI_Request *requests;
    void *memory;
    size_t memory_bytes;
};

/* Sets those to ask MPI for. Returns MPI_ERR_NO_MEM where there is no memory for them; stand_ins_end follows anyway. */
int stand_ins_begin(struct stand_ins *ret_stand_ins, int count, MPI_Request *requests) COLD;

/* After the call: transfers the results to the application's requests. */
void stand_ins_end(struct stand_ins *stand_ins, int count, MPI_Request *requests) COLD;

/* -- question.c -- The messages that the application's threads ask MPI for at the moment: every call that may match a
 * message says so before it begins and after it has ended. The taker leaves messages alone that a call in progress
 * could match, so that a receive or a probe that waits inside MPI finds its message there.
 *
 * The two sides meet without a lock: a thread publishes its question and then looks at the gate; the taker closes the
 * gate, makes all threads pass a memory barrier (membarrier(2)) and then looks at the questions. One of them sees the
 * other.
 */

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

/* As question_begin, for a thread without another question, if the gate is open. False: the question has not begun. */
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

/* -- taken.c -- Messages that were taken out of MPI's queue before anybody asked for them. Receives and probes look
 * here first: these messages came before the messages that MPI has from the same source on the communicator.
 */

struct taken {
    MPI_Message message;
    MPI_Status status;
    uint64_t communicator; /* handle; 0: it is freed */
    bool ends;             /* a thread frees the communicator, and no other one finds the message */
    struct mpilens_unexpected *record;
    struct taken *next; /* that has come later */
};

/* Taking out, and looking at what is there, exclude each other. */
void taken_lock(void);
void taken_unlock(void);

/* Locked. Room for one more, for taken_publish or taken_give_back; NULL: no memory. */
struct taken *taken_reserve(void);

/* Locked. message, status and communicator are set. */
void taken_publish(struct taken *taken, const struct mpilens_communicator *communicator);

void taken_give_back(struct taken *taken);

/* Locked. Whether there are any, except on freed communicators. */
bool taken_any(void);

/* Locks. The first that such a receive or probe matches is copied. False: none. */
bool taken_look(MPI_Comm communicator, int source, int tag, MPI_Status *ret_status);

/* Locks. The same, and it is out of the queue; NULL: none. taken_over or taken_return follows. */
struct taken *taken_remove(MPI_Comm communicator, int source, int tag);

/* Locks. It is received, or the application's. */
void taken_over(struct taken *taken);

/* Locks. It could not be received and is where it was. */
void taken_return(struct taken *taken);

/* Lock. Around a call that frees the communicator: callbacks of its attributes may receive what is there, and nobody
 * else. The first returns what the second takes as `outer`. */
uint64_t taken_begin_free(MPI_Comm communicator);
void taken_end_free(MPI_Comm communicator, bool freed, uint64_t outer);

/* The application's status from one of MPI's own, as a call without an error of its own leaves it. */
void taken_copy_status(const MPI_Status *from, MPI_Status *ret_status);

/* -- taker.c --
 * The thread that takes unexpected messages out when the process does not get on: the only one that the runtime makes.
 */

/* MPI is up, with this level inside (MPI_THREAD_*). Says in the root what has become of it. */
void taker_begin(int thread_level);

/* MPI is about to end. The thread is gone when this returns, and messages that are left are in the table. */
void taker_end(void);

#endif
