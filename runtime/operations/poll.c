/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records the polls of a loop: begins it, adds to it, counts in it.
 */
#include "operations/operations.h"

#include "memory/memory.h"

#include <string.h>

_Static_assert(sizeof((struct mpilens_thread *)0)->other_poll_site ==
                   (POLL_SLOTS - 1) * sizeof((struct mpilens_thread *)0)->other_poll_site[0],
               "the record has room for all but the first");

/* So many polls are counted before the clock is read again, where they follow each other as quickly as this. */
enum { MOST_NOTED_TOGETHER = 16 };
static const uint64_t NO_REQUEST = UINT64_MAX;
static const uint64_t quick_ticks = UINT64_C(1) << 20; /* about 1 ms or less, by every clock */

/* A poll that has just found nothing. */
struct poll {
    struct poll_key key;
    enum poll_subject subject;
    const struct handle_cache_entry *communicator; /* of a probe */
    const void *handles;                           /* of requests */
};

static uint64_t handles_bytes(const struct poll *poll)
{
    return poll->subject == POLL_OF_REQUESTS ? poll->key.subject * sizeof(MPI_Request) : 0;
}

static bool is_in_slot(const struct poll_slot *slot, const struct poll *poll)
{
    const struct poll_key *known = &slot->key;
    const struct poll_key *key = &poll->key;
    return known->site == key->site && known->subject == key->subject && known->function == key->function &&
           known->peer == key->peer && known->tag == key->tag &&
           (poll->subject != POLL_OF_REQUESTS || memcmp(slot->handles, poll->handles, handles_bytes(poll)) == 0);
}

static void count_poll(struct mpilens_thread *call, uint64_t ticks)
{
    call->polls++;
    call->poll_last = ticks;
}

/* The number of handles that have found room in the slot. */
static uint64_t keep_handles(struct poll_slot *slot, const struct poll *poll)
{
    const size_t bytes = handles_bytes(poll);
    if (bytes == 0 || !memory_reserve_shown(&slot->handles, &slot->handles_bytes, bytes))
        return 0;
    memcpy(slot->handles, poll->handles, bytes);
    return poll->key.subject;
}

/* The handle that identifies the poll's request while the loop goes on: its operation's handle, in this thread. */
static uint64_t request_of(const struct thread *thread, const struct poll *poll)
{
    const struct mpilens_operation *operation =
        poll->subject == POLL_OF_REQUEST ? operation_at(poll->key.subject) : NULL;
    return operation != NULL && operation->thread == thread->published.index ? operation->request : NO_REQUEST;
}

static void fill_slot(struct thread *thread, struct poll_slot *slot, const struct poll *poll)
{
    slot->key = poll->key;
    slot->request = request_of(thread, poll);
    slot->communicator = poll->communicator;
    slot->follower = &thread->poll_slots[0];
    if (poll->subject == POLL_OF_REQUESTS)
        slot->key.subject = keep_handles(slot, poll);
}

static uint64_t subject_if(const struct poll *poll, enum poll_subject subject)
{
    return poll->subject == subject ? poll->key.subject : 0;
}

static struct poll_slot *begin_loop(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    struct poll_slot *slot = &thread->poll_slots[0];
    __atomic_store_n(&call->polls, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    fill_slot(thread, slot, poll);
    call->poll_site = poll->key.site;
    call->poll_since = call->poll_last = call->entered;
    call->poll_operation = subject_if(poll, POLL_OF_REQUEST);
    call->poll_communicator = subject_if(poll, POLL_OF_MESSAGE);
    call->poll_object = subject_if(poll, POLL_OF_WINDOW);
    call->poll_requests = (uint64_t)(uintptr_t)slot->handles;
    call->poll_request_count = poll->subject == POLL_OF_REQUESTS ? slot->key.subject : 0;
    call->poll_peer = poll->key.peer;
    call->poll_tag = poll->key.tag;
    call->poll_function = poll->key.function;
    call->other_poll_count = 0;
    call->more_polls = 0;
    call->poll_operations = call->operations;
    call->poll_completions = call->completions;
    thread->poll_counted = call->operations + call->completions;
    thread->newest_poll = slot;
    thread->polls_noted_together = 1;
    PUBLISH_BARRIER();
    __atomic_store_n(&call->polls, 1, __ATOMIC_RELAXED);
    return slot;
}

static struct poll_slot *add_to_loop(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    const uint32_t number = call->other_poll_count;
    struct poll_slot *slot = &thread->poll_slots[number + 1];
    fill_slot(thread, slot, poll);
    call->other_poll_site[number] = poll->key.site;
    call->other_poll_since[number] = call->entered;
    call->other_poll_operation[number] = subject_if(poll, POLL_OF_REQUEST);
    call->other_poll_communicator[number] = subject_if(poll, POLL_OF_MESSAGE);
    call->other_poll_object[number] = subject_if(poll, POLL_OF_WINDOW);
    call->other_poll_requests[number] = (uint64_t)(uintptr_t)slot->handles;
    call->other_poll_request_count[number] = poll->subject == POLL_OF_REQUESTS ? slot->key.subject : 0;
    call->other_poll_peer[number] = poll->key.peer;
    call->other_poll_tag[number] = poll->key.tag;
    call->other_poll_function[number] = poll->key.function;
    PUBLISH_BARRIER();
    __atomic_store_n(&call->other_poll_count, number + 1, __ATOMIC_RELAXED);
    return slot;
}

/* The slot of a poll that the loop has made before, or NULL. */
static struct poll_slot *find_slot(struct thread *thread, const struct poll *poll)
{
    for (uint32_t i = 0; i <= thread->published.other_poll_count; i++)
        if (is_in_slot(&thread->poll_slots[i], poll))
            return &thread->poll_slots[i];
    return NULL;
}

/* The slot of another poll of the loop; NULL: there is no room. */
static struct poll_slot *take_slot(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    if (call->other_poll_count + 1 < POLL_SLOTS)
        return add_to_loop(thread, poll);
    if (!call->more_polls)
        call->more_polls = 1;
    return NULL;
}

/* The slot of the poll; NULL: it has none. */
static struct poll_slot *go_on_with(struct thread *thread, const struct poll *poll)
{
    count_poll(&thread->published, thread->published.entered);
    struct poll_slot *slot = find_slot(thread, poll);
    if (slot == NULL)
        slot = take_slot(thread, poll);
    if (slot != NULL) {
        thread->newest_poll->follower = slot;
        thread->newest_poll = slot;
    }
    return slot;
}

/* The subject of the current call. */
static struct poll poll_of_call(struct thread *thread, enum poll_subject subject)
{
    const struct mpilens_thread *call = &thread->published;
    struct poll poll = {.key = {.site = call->site, .function = call->function}, .subject = subject};
    switch (subject) {
    case POLL_OF_REQUEST:
        poll.key.subject = call->operation;
        break;
    case POLL_OF_REQUESTS:
        poll.key.subject = call->request_count;
        poll.handles = thread->scratch.handles;
        break;
    case POLL_OF_MESSAGE: {
        const struct mpilens_communicator *record = (const struct mpilens_communicator *)(uintptr_t)call->communicator;
        poll.key.subject = call->communicator;
        poll.key.peer = call->peer;
        poll.key.tag = call->tag;
        poll.communicator = communicator_cache_place(thread, record != NULL ? record->handle : 0);
        break;
    }
    case POLL_OF_WINDOW:
        poll.key.subject = call->object;
        break;
    }
    return poll;
}

/* Also where the caller has not ignored them: it may the next time. */
static bool has_room_for_statuses(struct scratch *scratch, uint64_t count)
{
    return memory_reserve(&scratch->statuses, &scratch->statuses_bytes, count * sizeof(MPI_Status));
}

static void note_new(struct thread *thread, enum poll_subject subject)
{
    const struct poll poll = poll_of_call(thread, subject);
    const struct poll_slot *slot = poll_loop_goes_on(thread) ? go_on_with(thread, &poll) : begin_loop(thread, &poll);
    thread->polls_to_note = 1;
    if (subject == POLL_OF_REQUESTS && has_room_for_statuses(&thread->scratch, poll.key.subject))
        thread->scratch.handles_of = slot;
}

/* Polls of a loop that pauses are noted one by one. */
static void note_expected(struct thread *thread)
{
    struct mpilens_thread *call = &thread->published;
    const uint64_t now = clock_ticks();
    if (now - call->poll_last >= quick_ticks)
        thread->polls_noted_together = 1;
    else if (thread->polls_noted_together < MOST_NOTED_TOGETHER)
        thread->polls_noted_together *= 2;
    thread->polls_to_note = thread->polls_noted_together;
    if (poll_loop_goes_on(thread)) /* no callback inside the poll has ended it */
        count_poll(call, now);
}

void poll_note(struct thread *thread, enum poll_subject subject)
{
    if (thread->scratch.poll_is_new)
        note_new(thread, subject);
    else
        note_expected(thread);
}

void poll_begin_new_of_requests(struct thread *thread, uint32_t function, uint64_t site, int count,
                                const MPI_Request *requests, MPI_Status **statuses)
{
    poll_begin_new(thread);
    completion_begin_array_slowly(thread, function, site, count, requests, statuses);
}

void poll_begin_new_of_message(struct thread *thread, uint32_t function, uint64_t site, MPI_Comm communicator, int peer,
                               int tag)
{
    poll_begin_new(thread);
    thread->published.peer = peer;
    thread->published.tag = tag;
    call_begin_counting(thread, function, site, communicator_find_fast(thread, HANDLE_VALUE(communicator)));
}

void poll_end_of_request(struct thread *thread, const MPI_Request *request, const MPI_Status *status, int error)
{
    const struct scratch *scratch = &thread->scratch;
    const uint64_t value = scratch->poll_is_new ? scratch->request : thread->newest_poll->request;
    poll_becomes_call(thread);
    if (likely(value != HANDLE_VALUE(MPI_REQUEST_NULL)))
        thread->published.polls = 0;
    struct mpilens_operation *operation = operation_at(thread->published.operation);
    if (operation == NULL || (operation->flags & COMPLETION_NOT_SIMPLE) || error != MPI_SUCCESS ||
        *request != MPI_REQUEST_NULL || !request_table_remove_own(&thread->requests, value, operation)) {
        completion_end(thread, operation, value, request, status, error);
        return;
    }
    completion_of_own(thread, operation, status);
}

int poll_end_of_message(struct thread *thread, int error)
{
    poll_loop_ends(thread);
    call_end(thread);
    return error;
}

/* Whether [count] handles, as they were when the call began, name no requests. */
static bool is_of_nothing(const struct thread *thread, int count)
{
    const MPI_Request *copies = thread->scratch.handles;
    for (int i = 0; i < count; i++)
        if (copies[i] != MPI_REQUEST_NULL)
            return false;
    return true;
}

void poll_end_testall(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                      int error)
{
    const bool tracked = thread->published.request_count > 0;
    poll_becomes_call(thread);
    if (!tracked || !is_of_nothing(thread, count))
        thread->published.polls = 0;
    if (tracked)
        completion_end_all(thread, count, requests, statuses, error);
}

void poll_end_testany(struct thread *thread, const int *index, const MPI_Request *requests, const MPI_Status *status,
                      int error)
{
    poll_becomes_call(thread);
    if (error != MPI_SUCCESS || *index != MPI_UNDEFINED)
        thread->published.polls = 0;
    if (thread->published.request_count > 0)
        completion_end_any(thread, index, requests, status, error);
}

void poll_end_testsome(struct thread *thread, const int *outcount, const int *indices, const MPI_Request *requests,
                       const MPI_Status *statuses, int error)
{
    poll_becomes_call(thread);
    if (error != MPI_SUCCESS || *outcount != MPI_UNDEFINED)
        thread->published.polls = 0;
    if (thread->published.request_count > 0)
        completion_end_some(thread, outcount, indices, requests, statuses, error);
}

void poll_end_of_partition(struct thread *thread, uint64_t request, int partition, bool arrived)
{
    if (arrived) {
        thread->published.polls = 0;
        partitioned_mark(thread, request, partition, partition);
        return;
    }
    const struct mpilens_operation *persistent = request_find(thread, request);
    thread->published.operation = persistent != NULL ? persistent->started : 0;
    poll_in_vain_as_new(thread, POLL_OF_REQUEST);
}
