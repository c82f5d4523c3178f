/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which polls a loop is made of. A loop mostly makes them in the same order, so that the slot after the newest one is
 * looked at first.
 */
#include "poll.h"

#include "memory.h"

#include <string.h>

_Static_assert(sizeof((struct mpilens_thread *)0)->other_poll_site ==
                   (POLL_SLOTS - 1) * sizeof(((struct mpilens_thread *)0)->other_poll_site[0]),
               "the record has room for all but the first");

enum subject_kind { SUBJECT_OPERATION, SUBJECT_REQUESTS, SUBJECT_COMMUNICATOR, SUBJECT_WINDOW };

/* A poll that has just found nothing. */
struct poll {
    struct poll_key key;
    enum subject_kind kind;
    const void *handles; /* of requests */
};

static uint64_t handles_bytes(const struct poll *poll)
{
    return poll->kind == SUBJECT_REQUESTS ? poll->key.subject * sizeof(MPI_Request) : 0;
}

/* Whether the thread has done nothing but poll in vain since its loop began. */
INLINE bool loop_goes_on(const struct mpilens_thread *call)
{
    return call->polls > 0 && call->poll_operations == call->operations && call->poll_completions == call->completions;
}

INLINE bool is_in_slot(const struct poll_slot *slot, const struct poll *poll)
{
    const struct poll_key *known = &slot->key;
    const struct poll_key *key = &poll->key;
    return known->site == key->site && known->subject == key->subject && known->function == key->function &&
           known->peer == key->peer && known->tag == key->tag &&
           (poll->kind != SUBJECT_REQUESTS || memcmp(slot->handles, poll->handles, handles_bytes(poll)) == 0);
}

static void count_poll(struct mpilens_thread *call)
{
    call->polls++;
    call->poll_last = call->entered;
}

/* The number of handles that have found room in the slot. */
static uint64_t keep_handles(struct poll_slot *slot, const struct poll *poll)
{
    const size_t bytes = handles_bytes(poll);
    if (bytes == 0 || !memory_reserve(&slot->handles, &slot->handles_bytes, bytes))
        return 0;
    memcpy(slot->handles, poll->handles, bytes);
    return poll->key.subject;
}

static void fill_slot(struct poll_slot *slot, const struct poll *poll)
{
    slot->key = poll->key;
    if (poll->kind == SUBJECT_REQUESTS)
        slot->key.subject = keep_handles(slot, poll);
}

static uint64_t subject_of_kind(const struct poll *poll, enum subject_kind kind)
{
    return poll->kind == kind ? poll->key.subject : 0;
}

static void begin_loop(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    struct poll_slot *slot = &thread->poll_slots[0];
    __atomic_store_n(&call->polls, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    fill_slot(slot, poll);
    call->poll_site = poll->key.site;
    call->poll_since = call->poll_last = call->entered;
    call->poll_operation = subject_of_kind(poll, SUBJECT_OPERATION);
    call->poll_communicator = subject_of_kind(poll, SUBJECT_COMMUNICATOR);
    call->poll_object = subject_of_kind(poll, SUBJECT_WINDOW);
    call->poll_requests = (uint64_t)(uintptr_t)slot->handles;
    call->poll_request_count = poll->kind == SUBJECT_REQUESTS ? slot->key.subject : 0;
    call->poll_peer = poll->key.peer;
    call->poll_tag = poll->key.tag;
    call->poll_function = poll->key.function;
    call->other_poll_count = 0;
    call->more_polls = 0;
    call->poll_operations = call->operations;
    call->poll_completions = call->completions;
    thread->newest_poll = 0;
    PUBLISH_BARRIER();
    __atomic_store_n(&call->polls, 1, __ATOMIC_RELAXED);
}

static void add_to_loop(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    const uint32_t number = call->other_poll_count;
    struct poll_slot *slot = &thread->poll_slots[number + 1];
    fill_slot(slot, poll);
    call->other_poll_site[number] = poll->key.site;
    call->other_poll_since[number] = call->entered;
    call->other_poll_operation[number] = subject_of_kind(poll, SUBJECT_OPERATION);
    call->other_poll_communicator[number] = subject_of_kind(poll, SUBJECT_COMMUNICATOR);
    call->other_poll_object[number] = subject_of_kind(poll, SUBJECT_WINDOW);
    call->other_poll_requests[number] = (uint64_t)(uintptr_t)slot->handles;
    call->other_poll_request_count[number] = poll->kind == SUBJECT_REQUESTS ? slot->key.subject : 0;
    call->other_poll_peer[number] = poll->key.peer;
    call->other_poll_tag[number] = poll->key.tag;
    call->other_poll_function[number] = poll->key.function;
    thread->newest_poll = number + 1;
    PUBLISH_BARRIER();
    __atomic_store_n(&call->other_poll_count, number + 1, __ATOMIC_RELAXED);
}

/* A poll that is not the one after the newest. */
static __attribute__((noinline)) void note_poll(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    if (!loop_goes_on(call)) {
        begin_loop(thread, poll);
        return;
    }
    count_poll(call);
    for (uint32_t i = 0; i <= call->other_poll_count; i++)
        if (is_in_slot(&thread->poll_slots[i], poll)) {
            thread->newest_poll = i;
            return;
        }
    if (call->other_poll_count + 1 < POLL_SLOTS)
        add_to_loop(thread, poll);
    else if (!call->more_polls)
        call->more_polls = 1;
}

INLINE void take_poll(struct thread *thread, const struct poll *poll)
{
    struct mpilens_thread *call = &thread->published;
    const uint32_t next = thread->newest_poll < call->other_poll_count ? thread->newest_poll + 1 : 0;
    if (likely(loop_goes_on(call) && is_in_slot(&thread->poll_slots[next], poll))) {
        count_poll(call);
        if (next != thread->newest_poll)
            thread->newest_poll = next;
        return;
    }
    note_poll(thread, poll);
}

void poll_request(struct thread *thread, uint32_t function, const struct mpilens_operation *operation)
{
    take_poll(thread, &(const struct poll){.key = {.site = thread->published.site,
                                                   .subject = (uint64_t)(uintptr_t)operation,
                                                   .function = function},
                                           .kind = SUBJECT_OPERATION});
}

void poll_requests(struct thread *thread, uint32_t function, int count)
{
    take_poll(thread, &(const struct poll){.key = {.site = thread->published.site,
                                                   .subject = count > 0 ? (uint64_t)count : 0,
                                                   .function = function},
                                           .kind = SUBJECT_REQUESTS,
                                           .handles = thread->scratch.handles});
}

void poll_message(struct thread *thread, uint32_t function, int32_t peer, int32_t tag)
{
    take_poll(thread, &(const struct poll){.key = {.site = thread->published.site,
                                                   .subject = thread->published.communicator,
                                                   .function = function,
                                                   .peer = peer,
                                                   .tag = tag},
                                           .kind = SUBJECT_COMMUNICATOR});
}

void poll_window(struct thread *thread, uint32_t function, const struct mpilens_window *window)
{
    take_poll(thread,
              &(const struct poll){
                  .key = {.site = thread->published.site, .subject = (uint64_t)(uintptr_t)window, .function = function},
                  .kind = SUBJECT_WINDOW});
}
