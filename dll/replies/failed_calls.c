/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about calls that MPI has failed.
 */
#include "replies/replies.h"

#include "facts/facts.h"

#define TEXT_SET(field, text) text_set(field, sizeof(field), text)

/* Whether the thread is still in the call, not in another one after a handler that has not returned. */
static bool is_under_way(const struct reading *reading, const struct mpilens_failed_call *call)
{
    for (size_t i = 0; i < reading->snapshot.thread_count; i++) {
        const struct mpilens_thread *thread = reading->snapshot.threads[i].record;
        if (thread->index + 1 == call->thread)
            return thread->state != MPILENS_THREAD_ENDED && thread->function == call->function &&
                   thread->entered == call->entered && thread->operations == call->operations;
    }
    return call->thread == 0;
}

static void set_peer(const struct reading *reading, const struct mpilens_failed_call *call,
                     struct mpilens_failed_call_information *answer)
{
    const struct mpilens_process *process = &reading->root.process;
    if (!(call->known & MPILENS_FAILED_HAS_PEER))
        return;
    answer->has_peer = 1;
    if (call->peer == process->any_source)
        return;
    answer->peer_local = call->peer;
    const struct mpilens_communicator *communicator =
        snapshot_communicator_by_id(&reading->snapshot, call->communicator_id);
    const struct communicator_view view = snapshot_communicator_view(&reading->snapshot, communicator);
    if (communicator != NULL && call->peer >= 0)
        answer->peer_world = peer_world_rank(&view, call->peer);
}

static void describe(const struct reading *reading, const struct mpilens_failed_call *call,
                     struct mpilens_failed_call_information *ret_answer)
{
    const struct mpilens_function *function = function_table_get(&reading->functions, call->function);
    struct mpilens_failed_call_information answer = {
        .serial = call->serial,
        .times = call->count,
        .first_time = call->first_time,
        .last_time = call->last_time,
        .site = call->site,
        .started_at = call->request_site,
        .communicator_id = call->communicator_id,
        .collective = call->collective,
        .elements = call->amount,
        .bytes = call->bytes,
        .actual_bytes = call->actual_bytes,
        .outcome = call->outcome,
        .is_under_way = call->outcome == MPILENS_FAILED_RAISED && is_under_way(reading, call),
        .call_class = function->call_class,
        .purpose = function->purpose,
        .operation = call->operation,
        .peer_local = -1,
        .peer_world = -1,
        .tag = call->tag,
        .has_tag = (call->known & MPILENS_FAILED_HAS_TAG) != 0,
        .root = call->known & MPILENS_FAILED_HAS_ROOT ? call->root : -1,
        .has_root = (call->known & MPILENS_FAILED_HAS_ROOT) != 0,
        .error = call->error,
    };
    answer.tag_wild = answer.has_tag && call->tag == reading->root.process.any_tag;
    set_peer(reading, call, &answer);
    TEXT_SET(answer.function, call->name);
    TEXT_SET(answer.small_count, function_table_get(&reading->functions, function->small_count)->name);
    TEXT_SET(answer.started_by,
             call->request_function != 0 ? function_table_get(&reading->functions, call->request_function)->name : "");
    TEXT_SET(answer.error_class, call->error_class);
    TEXT_SET(answer.datatype, call->datatype);
    TEXT_SET(answer.text, call->text);
    *ret_answer = answer;
}

int mpilens_get_failed_calls(mqs_process *process, struct mpilens_failed_call_information *ret_calls, size_t capacity,
                             size_t *ret_count)
{
    mqs_process_info *info = process_info(process);
    if (ret_count == NULL || (capacity > 0 && !reply_is_possible(ret_calls)))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    struct table_position position = {0};
    size_t count = 0;
    for (const struct mpilens_failed_call *call;
         count < capacity &&
         (call = table_copy_next(&info->reading.snapshot.tables[MPILENS_TABLE_FAILED_CALLS], &position)) != NULL;) {
        struct mpilens_failed_call_information answer;
        if (call->state == 0)
            continue;
        describe(&info->reading, call, &answer);
        reply_give_element(ret_calls, count++, &answer, sizeof answer);
    }
    *ret_count = count;
    return mqs_ok;
}
