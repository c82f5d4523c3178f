/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens_* entry points about threads.
 */
#include "object_reference.h"
#include "operation_facts.h"
#include "reply.h"
#include "text.h"

#include <string.h>

int mpilens_setup_thread_iterator(mqs_process *process)
{
    mqs_process_info *info = NULL;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    info->next_thread = 0;
    return info->snapshot.thread_count > 0 ? mqs_ok : mqs_end_of_list;
}

/* Where a call began: an operation that it starts says so itself. */
static void set_beginning(const mqs_process_info *info, const struct thread_view *view,
                          struct mpilens_thread_information *answer)
{
    const struct mpilens_thread *thread = view->record;
    const bool starts_one = view->operation && view->operation->function == thread->function;
    const bool must_start_one =
        function_table_get(&info->functions, thread->function)->call_class == MPILENS_CALL_POINT_TO_POINT &&
        thread->operation != 0;
    if (starts_one) {
        answer->site = view->operation->site;
        answer->entered = view->operation->posted_time;
    } else if (!must_start_one) {
        answer->site = thread->site;
        answer->entered = thread->entered;
    }
}

static void set_peer(const mqs_process_info *info, const struct mpilens_communicator *communicator, int32_t peer,
                     struct mpilens_thread_information *answer)
{
    if (peer == info->root.process.any_source || peer == info->root.process.proc_null)
        return;
    const struct communicator_view view = snapshot_communicator_view(&info->snapshot, communicator);
    answer->peer_local = peer;
    answer->peer_world = peer_world_rank(&view, peer);
}

/* The communicator of a call that is on one. */
static void set_place(const mqs_process_info *info, uint32_t call_class, uint64_t communicator_address,
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
        answer->communicator_id = snapshot_communicator_id(&info->snapshot, communicator_address);
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
    return communicator && rank >= 0 && rank < communicator->size;
}

/* The thread's call, if it is in one that is not just the next of a row of fruitless ones. */
static void set_call(const mqs_process_info *info, const struct thread_view *view,
                     struct mpilens_thread_information *answer)
{
    const struct mpilens_thread *thread = view->record;
    const struct mpilens_function *function = function_table_get(&info->functions, thread->function);
    answer->polling = thread_is_polling(&info->functions, thread);
    uint64_t communicator_address = thread->communicator;
    int32_t peer = thread->peer;
    int32_t tag = thread->tag;
    uint64_t object_address = thread->object;
    if (answer->polling) {
        function = function_table_get(&info->functions, thread->poll_function);
        communicator_address = thread->poll_communicator;
        peer = thread->poll_peer;
        tag = thread->poll_tag;
        object_address = thread->poll_object;
        answer->site = thread->poll_site;
        answer->entered = thread->poll_since;
        answer->last_polled = thread->poll_last;
        answer->polls = thread->polls;
    } else if (thread->function != 0) {
        set_beginning(info, view, answer);
    } else {
        return;
    }
    text_set(answer->function, sizeof(answer->function), function->name);
    answer->call_class = function->call_class;
    set_place(info, function->call_class, communicator_address, answer);
    const struct mpilens_communicator *communicator = snapshot_communicator(&info->snapshot, communicator_address);
    if (function->call_class == MPILENS_CALL_PROBE || function->call_class == MPILENS_CALL_IPROBE) {
        set_peer(info, communicator, peer, answer);
        answer->tag_wild = tag == info->root.process.any_tag;
        answer->tag = tag;
    } else if (is_of_window(function->call_class) && !answer->polling && is_rank_of(communicator, peer)) {
        set_peer(info, communicator, peer, answer); /* calls without a target have MPI_ANY_SOURCE there */
    }
    const struct object_reference object =
        object_reference_get(&info->snapshot, kind_of_object(function->call_class), object_address);
    answer->object_kind = object.kind;
    answer->object_serial = object.serial;
    answer->object_id = object.id;
    if (strcmp(function->name, "MPI_Win_lock") == 0 && (tag == MPILENS_LOCK_SHARED || tag == MPILENS_LOCK_EXCLUSIVE))
        answer->lock_type = (uint32_t)tag;
}

int mpilens_next_thread(mqs_process *process, struct mpilens_thread_information *ret_thread)
{
    mqs_process_info *info = NULL;
    if (!reply_is_possible(ret_thread))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    if (info->next_thread >= info->snapshot.thread_count)
        return mqs_end_of_list;
    const struct thread_view *view = &info->snapshot.threads[info->next_thread++];
    const struct mpilens_thread *thread = view->record;
    struct mpilens_thread_information answer = {
        .index = thread->index,
        .tid = thread->tid,
        .ended = thread->state == MPILENS_THREAD_ENDED,
        .peer_local = -1,
        .peer_world = -1,
        .tag = -1,
        .completions = thread->completions,
        .operation_serial = thread->operations,
        .waiting_count = view->waiting_count,
    };
    if (!answer.ended)
        set_call(info, view, &answer);
    reply_give(ret_thread, &answer, sizeof(answer));
    return mqs_ok;
}

int mpilens_get_waiting(mqs_process *process, uint64_t *ret_serials, size_t capacity, size_t *ret_count)
{
    mqs_process_info *info = NULL;
    if (!ret_count || (!ret_serials && capacity > 0))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_with_copy(process, &info);
    if (code != mqs_ok)
        return code;
    if (info->next_thread == 0 || info->next_thread > info->snapshot.thread_count)
        return MPILENS_ERROR_NO_CURRENT;
    const struct thread_view *view = &info->snapshot.threads[info->next_thread - 1];
    if (view->waiting_code != mqs_ok && view->waiting_count == 0)
        return view->waiting_code;
    size_t count = view->waiting_count < capacity ? view->waiting_count : capacity;
    for (size_t i = 0; i < count; i++)
        ret_serials[i] = view->waiting[i];
    *ret_count = count;
    return mqs_ok;
}
