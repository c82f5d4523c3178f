/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about message counts per peer, messages that matched probes hold, and unexpected ones.
 */
#include "replies/replies.h"

#include "facts/facts.h"

int mpilens_setup_channel_iterator(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = process_info_current_communicator(info, &view);
    if (code == mqs_ok)
        info->channels = buckets_begin(&info->reading.snapshot.channels, info->communicator);
    return code;
}

int mpilens_next_channel(mqs_process *process, struct mpilens_channel_information *ret_channel)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_channel, &view);
    if (code != mqs_ok)
        return code;
    const struct mpilens_channel *first = buckets_next(&info->reading.snapshot.channels, &info->channels);
    if (first == NULL)
        return mqs_end_of_list;
    struct mpilens_channel_information answer = {.peer_local = first->peer,
                                                 .peer_world = peer_world_rank(view, first->peer)};
    /* Every thread has its own counts; those for one peer are adjacent. */
    struct bucket_position position = info->channels;
    for (const struct mpilens_channel *channel = first; channel != NULL && channel->peer == first->peer;
         channel = buckets_next(&info->reading.snapshot.channels, &position)) {
        answer.sent += channel->sent;
        answer.received += channel->received;
        info->channels = position;
    }
    reply_give(ret_channel, &answer, sizeof answer);
    return mqs_ok;
}

int reply_setup_message_iterator(mqs_process_info *info)
{
    const struct communicator_view *view = NULL;
    int code = process_info_current_communicator(info, &view);
    if (code == mqs_ok)
        info->messages = buckets_begin(&info->reading.snapshot.messages, info->communicator);
    return code;
}

int reply_next_message(mqs_process_info *info, struct mpilens_message_information *ret_message)
{
    const struct communicator_view *view = NULL;
    int code = reply_communicator(info, ret_message, &view);
    if (code != mqs_ok)
        return code;
    const struct mpilens_message *message = buckets_next(&info->reading.snapshot.messages, &info->messages);
    if (message == NULL)
        return mqs_end_of_list;
    struct mpilens_message_information answer = {
        .handle = message->handle,
        .matched = message->matched_time,
        .site = message->site,
        .peer_local = message->source,
        .peer_world = peer_world_rank(view, message->source),
        .tag = message->tag,
        .bytes = message->bytes <= INT64_MAX ? (int64_t)message->bytes : -1,
    };
    text_set(answer.function, sizeof answer.function,
             function_table_get(&info->reading.functions, message->function)->name);
    reply_give(ret_message, &answer, sizeof answer);
    return mqs_ok;
}

int mpilens_get_unexpected(mqs_process *process, struct mpilens_unexpected_information *ret_unexpected)
{
    mqs_process_info *info = process_info(process);
    const struct communicator_view *view = NULL;
    struct mpilens_unexpected_information answer;
    int code = reply_communicator(info, ret_unexpected, &view);
    if (code == mqs_ok)
        code = process_info_current_unexpected(info, &answer);
    if (code == mqs_ok)
        reply_give(ret_unexpected, &answer, sizeof answer);
    return code;
}
