/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls by number and messages in their order as JSON: HISTORY and PAST_MESSAGE of the schema mpilens/1.
 */
#include "render/json/render_json_internal.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "words/words.h"

static void write_made(struct json_stream *stream, uint64_t serial, const struct made_call *made)
{
    json_stream_open_object(stream, NULL);
    json_stream_integer(stream, "serial", (int64_t)serial);
    json_stream_text(stream, "function", made->function);
    json_stream_boolean(stream, "active", made->active);
    json_stream_number(stream, "root", made->root);
    json_stream_text(stream, "place", describe_site(made->site));
    json_stream_close(stream);
}

static void write_group(struct json_stream *stream, const struct collective_history *history,
                        const struct history_group *group)
{
    struct made_call made;
    json_stream_open_object(stream, NULL);
    json_stream_open_array(stream, "ranks");
    for (size_t i = 0; i < group->ranks.count; i++)
        json_stream_integer(stream, NULL, group->ranks.items[i]);
    json_stream_close(stream);
    json_stream_integer(stream, "begun", (int64_t)group->begun);
    json_stream_open_array(stream, "calls");
    for (size_t i = 0; i < history->count; i++)
        if (made_call_find(group->first, history->serials[i], &made))
            write_made(stream, history->serials[i], &made);
    json_stream_close(stream);
    json_stream_close(stream);
}

static void write_history(struct json_stream *stream, const struct collective_history *history,
                          const struct communicator_labels *labels)
{
    const struct job_member *first = &history->members.items[0];
    json_stream_open_object(stream, NULL);
    json_stream_unique_id(stream, "id",
                          first->object != NULL ? shared_object_id(first->object) : first->communicator->id);
    json_stream_any_text(stream, "name", describe_order(&(struct cause_text){.labels = labels}, first));
    json_stream_integer(stream, "ranks_read", (int64_t)history->members.count);
    json_stream_identifier(stream, "first_difference", history->first_difference);
    json_stream_identifier(stream, "last_alike", history->last_alike);
    json_stream_open_array(stream, "groups");
    for (size_t i = 0; i < history->group_count; i++)
        write_group(stream, history, &history->groups[i]);
    json_stream_close(stream);
    json_stream_close(stream);
}

static void write_message(struct json_stream *stream, const struct message_end *end, const struct message_pairs *pairs)
{
    const struct message_end *other = message_history_other(pairs, end->operation);
    json_stream_open_object(stream, NULL);
    json_stream_integer(stream, "rank", end->process->rank);
    json_stream_unique_id(stream, "communicator", end->communicator->id);
    json_stream_any_text(stream, "direction",
                         (end->operation->flags & MPILENS_OPERATION_SEND) != 0 ? "send" : "receive");
    json_write_operation(stream, end->operation);
    if (other == NULL) {
        json_stream_null(stream, "other");
    } else {
        json_stream_open_object(stream, "other");
        json_stream_integer(stream, "rank", other->process->rank);
        json_stream_integer(stream, "serial", (int64_t)other->operation->serial);
        json_stream_text(stream, "function", other->operation->details->function);
        json_stream_text(stream, "place", describe_site(other->operation->details->site));
        json_stream_close(stream);
    }
    json_stream_close(stream);
}

static void write_messages(struct json_stream *stream, const struct process *process, const struct message_pairs *pairs)
{
    const struct arena_mark mark = arena_mark();
    const struct message_history history = message_history_of(process);
    for (size_t i = 0; i < history.count; i++)
        write_message(stream, &history.items[i], pairs);
    arena_release(mark);
}

void json_write_histories(struct json_stream *stream, const struct job *job, const struct rank_set *chosen)
{
    struct job_index index = job_index_create(job);
    struct communicator_labels labels = label_communicators(job);
    struct collective_histories histories = collective_histories_make(&index, chosen);
    json_stream_open_array(stream, "histories");
    for (size_t i = 0; i < histories.count; i++)
        write_history(stream, &histories.items[i], &labels);
    json_stream_close(stream);
    struct message_pairs pairs = {.count = 0};
    if (chosen->count > 0)
        pairs = message_history_pair(job);
    json_stream_open_array(stream, "messages");
    for (size_t i = 0; i < job->process_count && chosen->count > 0; i++)
        if (rank_is_chosen(chosen, job->processes[i].rank))
            write_messages(stream, &job->processes[i], &pairs);
    json_stream_close(stream);
}
