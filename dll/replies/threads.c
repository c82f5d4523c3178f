/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about threads.
 */
#include "replies/replies.h"

#include "facts/facts.h"

int mpilens_setup_thread_iterator(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    info->next_thread = 0;
    return info->reading.snapshot.thread_count > 0 ? mqs_ok : mqs_end_of_list;
}

/* Where a call began: an operation that it starts says so itself. */
static void set_beginning(const struct reading *reading, const struct thread_view *view,
                          struct mpilens_thread_information *answer)
{
    const struct mpilens_thread *thread = view->record;
    const bool starts_one = view->operation != NULL && view->operation->function == thread->function;
    const bool must_start_one =
        function_table_get(&reading->functions, thread->function)->call_class == MPILENS_CALL_POINT_TO_POINT &&
        thread->operation != 0;
    if (starts_one) {
        answer->site = view->operation->site;
        answer->entered = view->operation->posted_time;
    } else if (!must_start_one) {
        answer->site = thread->site;
        answer->entered = thread->entered;
    }
}

static void set_peer(const struct reading *reading, const struct mpilens_communicator *communicator, int32_t peer,
                     struct mpilens_thread_information *answer)
{
    if (peer == reading->root.process.any_source || peer == reading->root.process.proc_null)
        return;
    const struct communicator_view view = snapshot_communicator_view(&reading->snapshot, communicator);
    answer->peer_local = peer;
    answer->peer_world = peer_world_rank(&view, peer);
}

/* The communicator of a call that is on one. */
static void set_place(const struct reading *reading, uint32_t call_class, uint64_t communicator_address,
                      struct mpilens_thread_information *answer)
{
    switch (call_class) {
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
    case MPILENS_CALL_COLLECTIVE:
    case MPILENS_CALL_COMMUNICATOR:
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
    case MPILENS_CALL_ONE_SIDED:
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        answer->communicator_id = snapshot_communicator_id(&reading->snapshot, communicator_address);
        break;
    default:
        break;
    }
}

static bool is_of_window(uint32_t call_class)
{
    return call_class == MPILENS_CALL_SYNCHRONIZATION || call_class == MPILENS_CALL_ONE_SIDED;
}

/* The kind of object that calls of a class work on. */
static int kind_of_object(uint32_t call_class)
{
    switch (call_class) {
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
    case MPILENS_CALL_ONE_SIDED:
        return MPILENS_OBJECT_WINDOW;
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        return MPILENS_OBJECT_FILE;
    default:
        return MPILENS_OBJECT_NONE;
    }
}

static bool is_rank_of(const struct mpilens_communicator *communicator, int32_t rank)
{
    return communicator != NULL && rank >= 0 && rank < communicator->size;
}

/* A call and its arguments, as far as they are in the thread's record, under the names that they have there. */
struct called {
    const struct mpilens_function *function;
    uint64_t communicator; /* addresses of records */
    union {
        uint64_t object;
        uint64_t peer_communicator;
        uint64_t group;
    };
    union {
        int32_t peer;
        int32_t target;
        int32_t leader;
    };
    union {
        int32_t tag;
        int32_t lock_type;
    };
};

static void set_arguments(const struct reading *reading, const struct called *called,
                          struct mpilens_thread_information *answer)
{
    const struct mpilens_function *function = called->function;
    text_set(answer->function, sizeof answer->function, function->name);
    answer->call_class = function->call_class;
    answer->purpose = function->purpose;
    answer->completion = function->completion;
    answer->collective_class = function->collective_class;
    set_place(reading, function->call_class, called->communicator, answer);
    const struct mpilens_communicator *communicator = snapshot_communicator(&reading->snapshot, called->communicator);
    if (function->call_class == MPILENS_CALL_PROBE || function->call_class == MPILENS_CALL_IPROBE) {
        set_peer(reading, communicator, called->peer, answer);
        answer->tag_wild = called->tag == reading->root.process.any_tag;
        answer->tag = called->tag;
    } else if (is_of_window(function->call_class) && !answer->polling && is_rank_of(communicator, called->target)) {
        set_peer(reading, communicator, called->target, answer); /* calls without a target have MPI_ANY_SOURCE there */
    }
    if (function->purpose == MPILENS_PURPOSE_LEADERS && called->peer_communicator != 0) {
        answer->peer_communicator_id = snapshot_communicator_id(&reading->snapshot, called->peer_communicator);
        set_peer(reading, snapshot_communicator(&reading->snapshot, called->peer_communicator), called->leader, answer);
        answer->tag = called->tag;
    }
    if (function->purpose == MPILENS_PURPOSE_OF_GROUP) {
        answer->group_serial = object_reference_get(&reading->snapshot, MPILENS_OBJECT_GROUP, called->group).serial;
        answer->tag = called->tag;
    }
    const struct object_reference object =
        object_reference_get(&reading->snapshot, kind_of_object(function->call_class), called->object);
    answer->object_kind = object.kind;
    answer->object_serial = object.serial;
    answer->object_id = object.id;
    if (function->purpose == MPILENS_PURPOSE_WINDOW_LOCK &&
        (called->lock_type == MPILENS_LOCK_SHARED || called->lock_type == MPILENS_LOCK_EXCLUSIVE))
        answer->lock_type = (uint32_t)called->lock_type;
}

static void set_poll(const struct reading *reading, const struct thread_view *view, size_t number,
                     struct mpilens_thread_information *answer)
{
    const struct mpilens_thread *thread = view->record;
    const struct thread_poll poll = thread_poll_get(thread, number);
    const struct called called = {.function = function_table_get(&reading->functions, poll.function),
                                  .communicator = poll.communicator,
                                  .object = poll.object,
                                  .peer = poll.peer,
                                  .tag = poll.tag};
    answer->polling = 1;
    answer->site = poll.site;
    answer->entered = poll.since;
    answer->last_polled = thread->poll_last;
    answer->polls = thread->polls;
    set_arguments(reading, &called, answer);
}

/* The thread's call, if it is in one that is not just the next of a row of fruitless ones. */
static void set_call(const struct reading *reading, const struct thread_view *view,
                     struct mpilens_thread_information *answer)
{
    const struct mpilens_thread *thread = view->record;
    if (thread_is_polling(&reading->functions, thread)) {
        set_poll(reading, view, 0, answer);
        answer->loop_polls = (uint32_t)thread_poll_count(thread);
        answer->more_polls = thread->more_polls != 0;
        return;
    }
    if (thread->function == 0) {
        answer->entered = thread->entered;
        return;
    }
    const struct called called = {.function = function_table_get(&reading->functions, thread->function),
                                  .communicator = thread->communicator,
                                  .object = thread->object,
                                  .peer = thread->peer,
                                  .tag = thread->tag};
    set_beginning(reading, view, answer);
    set_arguments(reading, &called, answer);
}

/* Without its call or poll, of which the number is given. */
static struct mpilens_thread_information describe_thread(const struct thread_view *view, size_t number)
{
    const struct mpilens_thread *thread = view->record;
    return (struct mpilens_thread_information){
        .index = thread->index,
        .tid = thread->tid,
        .ended = thread->state == MPILENS_THREAD_ENDED,
        .peer_local = -1,
        .peer_world = -1,
        .tag = -1,
        .collective_class = -1,
        .completions = thread->completions,
        .operation_serial = thread->operations,
        .waiting_count = view->awaited[number].count,
    };
}

int mpilens_next_thread(mqs_process *process, struct mpilens_thread_information *ret_thread)
{
    mqs_process_info *info = process_info(process);
    if (!reply_is_possible(ret_thread))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    if (info->next_thread >= info->reading.snapshot.thread_count)
        return mqs_end_of_list;
    const struct thread_view *view = &info->reading.snapshot.threads[info->next_thread++];
    info->poll = 0;
    struct mpilens_thread_information answer = describe_thread(view, 0);
    if (!answer.ended)
        set_call(&info->reading, view, &answer);
    reply_give(ret_thread, &answer, sizeof answer);
    return mqs_ok;
}

/* The thread delivered last. */
static int current_thread(mqs_process_info *info, const struct thread_view **ret_view)
{
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    if (info->next_thread == 0 || info->next_thread > info->reading.snapshot.thread_count)
        return MPILENS_ERROR_NO_CURRENT;
    *ret_view = &info->reading.snapshot.threads[info->next_thread - 1];
    return mqs_ok;
}

int mpilens_next_poll(mqs_process *process, struct mpilens_thread_information *ret_poll)
{
    mqs_process_info *info = process_info(process);
    const struct thread_view *view = NULL;
    if (!reply_is_possible(ret_poll))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = current_thread(info, &view);
    if (code != mqs_ok)
        return code;
    if (view->record->state == MPILENS_THREAD_ENDED || !thread_is_polling(&info->reading.functions, view->record) ||
        info->poll + 1 >= thread_poll_count(view->record))
        return mqs_end_of_list;
    info->poll++;
    struct mpilens_thread_information answer = describe_thread(view, info->poll);
    set_poll(&info->reading, view, info->poll, &answer);
    reply_give(ret_poll, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_waiting(mqs_process *process, uint64_t *ret_serials, size_t capacity, size_t *ret_count)
{
    mqs_process_info *info = process_info(process);
    const struct thread_view *view = NULL;
    if (ret_count == NULL || (ret_serials == NULL && capacity > 0))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = current_thread(info, &view);
    if (code != mqs_ok)
        return code;
    const struct awaited *awaited = &view->awaited[info->poll];
    if (awaited->code != mqs_ok && awaited->count == 0)
        return awaited->code;
    size_t count = awaited->count < capacity ? awaited->count : capacity;
    for (size_t i = 0; i < count; i++)
        ret_serials[i] = awaited->serials[i];
    *ret_count = count;
    return mqs_ok;
}
