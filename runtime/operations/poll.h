/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests and probes that find nothing. A thread that makes no other calls is in a loop of them, which is over when one
 * of them finds something or another call is made. The thread's record tells the polls of the loop apart, as far as
 * there is room.
 *
 * A loop goes round for millions of times. A poll that is the one expected next, with the same arguments, is only
 * counted: the thread's record describes it already, as a poll of the loop and not as a call. The clock is read now and
 * then.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_POLL_H
#define MPILENS_RUNTIME_OPERATIONS_POLL_H

#include "objects/communicator.h"
#include "operations/completion.h"

enum poll_subject { POLL_OF_REQUEST, POLL_OF_REQUESTS, POLL_OF_MESSAGE, POLL_OF_WINDOW };

/* A poll begins that is not the one expected. */
void poll_begin_new_of_requests(struct thread *thread, uint32_t function, uint64_t site, int count,
                                const MPI_Request *requests, MPI_Status **statuses);
void poll_begin_new_of_message(struct thread *thread, uint32_t function, uint64_t site, MPI_Comm communicator, int peer,
                               int tag);

/* The thread's current call has found nothing, and there is more to note than its count. */
void poll_note(struct thread *thread, enum poll_subject subject);

/* The ends of the tests that poll_begin_of_requests began, where they have failed or found something: that some are
 * complete, or that there are none. */
void poll_end_testall(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                      int error);
void poll_end_testany(struct thread *thread, const int *index, const MPI_Request *requests, const MPI_Status *status,
                      int error);
void poll_end_testsome(struct thread *thread, const int *outcount, const int *indices, const MPI_Request *requests,
                       const MPI_Status *statuses, int error);

/* MPI_Parrived, the current call, has said whether the partition has arrived. */
void poll_end_of_partition(struct thread *thread, uint64_t request, int partition, bool arrived);

/* Whether all calls of the thread since its loop began were polls that found nothing. */
INLINE bool poll_loop_goes_on(const struct thread *thread)
{
    const struct mpilens_thread *call = &thread->published;
    return call->polls > 0 && call->operations + call->completions == thread->poll_counted;
}

/* The poll that the loop makes next if it goes round as before, where that is this function from this place; or NULL.
 */
INLINE struct poll_slot *poll_expected(const struct thread *thread, uint32_t function, uint64_t site)
{
    struct poll_slot *slot = thread->newest_poll->follower;
    const bool is_expected = slot->key.site == site && slot->key.function == function && poll_loop_goes_on(thread);
    return likely(is_expected) ? slot : NULL;
}

/* Whether the expected poll asks for the same as the call. In a loop, a handle names what it has named before, as long
 * as no other thread comes to the thread's table. */
INLINE bool poll_is_of_request(const struct thread *thread, const struct poll_slot *expected, uint64_t request)
{
    return expected->request == request && !__atomic_load_n(&thread->requests.open, __ATOMIC_RELAXED);
}

/* False also where thread->scratch has not its handles, and room for its statuses. */
INLINE bool poll_is_of_requests(const struct thread *thread, const struct poll_slot *expected, int count,
                                const MPI_Request *requests)
{
    const struct scratch *scratch = &thread->scratch;
    const MPI_Request *copies = scratch->handles;
    if (scratch->handles_of != expected || expected->key.subject != (uint64_t)count || thread->requests.shared)
        return false;
    for (int i = 0; i < count; i++)
        if (copies[i] != requests[i])
            return false;
    return true;
}

INLINE bool poll_is_of_message(const struct poll_slot *expected, MPI_Comm communicator, int peer, int tag)
{
    return expected->key.peer == peer && expected->key.tag == tag &&
           handle_cache_hit(expected->communicator, HANDLE_VALUE(communicator)) &&
           (uint64_t)(uintptr_t)expected->communicator->record == expected->key.subject;
}

/* The expected poll begins. */
INLINE void poll_begin_expected(struct thread *thread, struct poll_slot *expected, uint32_t function)
{
    thread->scratch.poll_is_new = false;
    thread->newest_poll = expected;
    call_begin(thread, function);
}

/* Another poll begins. */
INLINE void poll_begin_new(struct thread *thread)
{
    thread->scratch.poll_is_new = true;
    thread->polls_to_note = 1;
}

/* A test of one request begins; `expected` is that poll, or NULL. The operation is in published.operation. */
INLINE void poll_begin_of_request(struct thread *thread, struct poll_slot *expected, uint32_t function, uint64_t site,
                                  uint64_t request)
{
    if (expected == NULL) {
        poll_begin_new(thread);
        thread->scratch.request = request;
        completion_describe(thread, function, site, request_find(thread, request));
        return;
    }
    thread->published.operation = expected->key.subject;
    poll_begin_expected(thread, expected, function);
}

/* Likewise of an array, as completion_begin_array; how many are known is published.request_count until the end of the
 * call. */
INLINE void poll_begin_of_requests(struct thread *thread, struct poll_slot *expected, uint32_t function, uint64_t site,
                                   int count, const MPI_Request *requests, MPI_Status **statuses)
{
    if (expected == NULL) {
        poll_begin_new_of_requests(thread, function, site, count, requests, statuses);
        return;
    }
    if (statuses != NULL && *statuses == MPI_STATUSES_IGNORE)
        *statuses = thread->scratch.statuses;
    thread->published.request_count = (uint64_t)count;
    poll_begin_expected(thread, expected, function);
}

/* Likewise a probe. */
INLINE void poll_begin_of_message(struct thread *thread, struct poll_slot *expected, uint32_t function, uint64_t site,
                                  MPI_Comm communicator, int peer, int tag)
{
    if (expected != NULL)
        poll_begin_expected(thread, expected, function);
    else
        poll_begin_new_of_message(thread, function, site, communicator, peer, tag);
}

/* The call that began so has found nothing, and is over. Returns MPI_SUCCESS. */
INLINE int poll_end_in_vain(struct thread *thread, enum poll_subject subject)
{
    if (likely(--thread->polls_to_note != 0))
        thread->published.polls++;
    else
        poll_note(thread, subject);
    if (subject == POLL_OF_REQUESTS)
        thread->published.request_count = 0;
    call_end(thread);
    int error = MPI_SUCCESS;
    __asm__("" : "+r"(error)); /* or a compiler keeps what it knows to be 0 in a register that it must save */
    return error;
}

/* Likewise of a call that did not begin so. */
INLINE void poll_in_vain_as_new(struct thread *thread, enum poll_subject subject)
{
    thread->scratch.poll_is_new = true;
    poll_note(thread, subject);
}

/* The call that began so has found something or failed: it is a call like others. */
INLINE void poll_becomes_call(struct thread *thread)
{
    if (thread->scratch.poll_is_new)
        return;
    thread->published.site = thread->newest_poll->key.site;
    clock_stamp(&thread->published.entered);
}

/* A test of one request that has found something or failed. */
void poll_end_of_request(struct thread *thread, const MPI_Request *request, const MPI_Status *status, int error);

/* The call that began so has found a message or failed, and is over. Returns `error`. */
int poll_end_of_message(struct thread *thread, int error);

/* The thread polls no more. */
INLINE void poll_loop_ends(struct thread *thread)
{
    poll_becomes_call(thread);
    thread->published.polls = 0;
}

#endif
