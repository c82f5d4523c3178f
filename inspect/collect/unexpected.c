/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives the operations of the model to the DLL for matching, and takes back what it has found.
 */
#include "collect/collect_internal.h"

#include "base/base.h"
#include "model/model.h"

#include <assert.h>
#include <stddef.h>

/* The communicators of the job and, place by place, what the DLL is given of them. */
struct matching_members {
    struct communicator **communicators;
    const struct process **processes;
    struct mpilens_matching_member *items;
    size_t count;
};

#define IS_SAME(member)                                                                                                \
    (offsetof(struct operation, member) == offsetof(struct mpilens_matched_operation, member) &&                       \
     sizeof((struct operation){0}.member) == sizeof((struct mpilens_matched_operation){0}.member))
static_assert(IS_SAME(serial) && IS_SAME(posted) && IS_SAME(age_s) && IS_SAME(match_serial) && IS_SAME(flags) &&
                  IS_SAME(status) && IS_SAME(peer_local) && IS_SAME(peer_world) && IS_SAME(tag) &&
                  IS_SAME(actual_local) && IS_SAME(actual_world) && IS_SAME(actual_tag) && IS_SAME(match_rank) &&
                  IS_SAME(unexpected_at) && IS_SAME(unexpected_place) && IS_SAME(tag_wild) &&
                  IS_SAME(match_is_possible) && IS_SAME(received) && IS_SAME(found_arrived),
              "operations begin as the DLL takes them");

static struct mpilens_matched_operation *give_operations(const struct operations *operations)
{
    return (struct mpilens_matched_operation *)(void *)operations->items;
}

static struct mpilens_probed_message *give_probed(const struct communicator *communicator)
{
    struct mpilens_probed_message *given = arena_allocate(communicator->message_count * sizeof *given);
    for (size_t i = 0; i < communicator->message_count; i++) {
        const struct matched_message *message = &communicator->matched_messages[i];
        given[i] = (struct mpilens_probed_message){
            .peer_local = message->peer_local, .peer_world = message->peer_world, .tag = message->tag};
    }
    return given;
}

/* The age of the message at the receiver. Messages matched before have the age of their send. In a part whose moment
 * is not known, ages cannot be compared: the message was taken out when MPI was asked last, or before. */
static double taken_age_of(const struct process *process, const struct operation *message)
{
    if (message->serial == 0 && (process->part == 0 || process->ages_end_s > 0))
        return message->age_s;
    return process->unexpected_as_of_s > 0 ? process->unexpected_as_of_s : 0;
}

/* Gives the model's messages from before any inference. */
static struct mpilens_taken_message *give_taken(const struct process *process, const struct operations *unexpected)
{
    struct mpilens_taken_message *given = arena_allocate(unexpected->count * sizeof *given);
    for (size_t i = 0; i < unexpected->count; i++) {
        const struct operation *message = &unexpected->items[i];
        given[i] = (struct mpilens_taken_message){
            .age_s = taken_age_of(process, message),
            .peer_local = message->actual_local,
            .peer_world = message->actual_world,
            .tag = message->actual_tag,
        };
    }
    return given;
}

static struct mpilens_message_count *give_channels(const struct communicator *communicator)
{
    struct mpilens_message_count *given = arena_allocate(communicator->channel_count * sizeof *given);
    for (size_t i = 0; i < communicator->channel_count; i++) {
        const struct channel *channel = &communicator->channels[i];
        given[i] = (struct mpilens_message_count){.peer_local = channel->peer_local,
                                                  .peer_world = channel->peer_world,
                                                  .sent = channel->sent,
                                                  .received = channel->received};
    }
    return given;
}

static struct mpilens_matching_member give_member(const struct process *process,
                                                  const struct communicator *communicator, double delay_s)
{
    return (struct mpilens_matching_member){
        .communicator_id = communicator->id,
        .lost_records = process_has_lost_records(process) ? count_lost_records(process) : 0,
        .world_rank = process->rank,
        .local_rank = communicator->rank,
        .ages_delay_s = delay_s,
        .is_intercommunicator = communicator->intercommunicator,
        .is_exact = process->lacks_tables,
        .senders_in_turn = process->senders_in_turn,
        .taken = give_taken(process, &communicator->unexpected),
        .taken_count = communicator->unexpected.count,
        .probed = give_probed(communicator),
        .probed_count = communicator->message_count,
        .channels = give_channels(communicator),
        .channel_count = communicator->channel_count,
        .sends = give_operations(&communicator->sends),
        .send_count = communicator->sends.count,
        .receives = give_operations(&communicator->receives),
        .receive_count = communicator->receives.count,
        .completed = give_operations(&communicator->completed),
        .completed_count = communicator->completed.count,
        .operation_bytes = sizeof(struct operation),
    };
}

/* That of which ages are until the latest moment; NULL: there is none. */
static const struct process *find_latest(const struct job *job)
{
    const struct process *latest = NULL;
    for (size_t i = 0; i < job->process_count; i++)
        if (latest == NULL || job->processes[i].ages_end_s > latest->ages_end_s)
            latest = &job->processes[i];
    return latest;
}

/* The processes of a job stand by rank. */
static struct matching_members give_members(const struct job *job)
{
    size_t count = 0;
    const struct process *latest = find_latest(job);
    for (size_t i = 0; i < job->process_count; i++)
        count += job->processes[i].communicator_count;
    struct matching_members members = {
        .communicators = arena_allocate(count * sizeof(struct communicator *)),
        .processes = arena_allocate(count * sizeof(const struct process *)),
        .items = arena_allocate(count * sizeof *members.items),
    };
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            members.communicators[members.count] = &job->processes[i].communicators[j];
            members.processes[members.count] = &job->processes[i];
            members.items[members.count++] = give_member(&job->processes[i], &job->processes[i].communicators[j],
                                                         process_ages_delay_s(&job->processes[i], latest));
        }
    return members;
}

static void forget_matches(struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        struct operation *operation = &operations->items[i];
        operation->match_rank = -1;
        operation->match_serial = 0;
        operation->match_is_possible = operation->received = false;
    }
}

static void make_room(struct communicator *communicator, const struct mpilens_matching_member *member)
{
    forget_matches(&communicator->unexpected);
    for (size_t i = 0; i < member->taken_count; i++)
        communicator->unexpected.items[i].exact = !communicator->unexpected.items[i].inferred;
    communicator->unexpected_unknown = member->unexpected_unknown;
    communicator->unexpected.items =
        array_extend(communicator->unexpected.items, &communicator->unexpected.count,
                     member->unexpected_count - member->taken_count, sizeof *communicator->unexpected.items);
}

/* The send of a member, as a message that its receiver has not expected. */
static struct operation unexpected_of(struct operation_details_pool *pool, const struct process *sender,
                                      const struct communicator *at_sender, const struct operation *send)
{
    struct operation entry = *send;
    struct operation_details details = *send->details;
    details.actual_bytes = details.bytes;
    entry.details = operation_details_share(pool, &details);
    entry.inferred = true;
    entry.status = mqs_st_pending;
    entry.peer_local = entry.actual_local = at_sender->rank;
    entry.peer_world = entry.actual_world = sender->rank;
    entry.actual_tag = entry.tag;
    entry.request = 0;
    entry.buffer = 0;
    return entry;
}

/* Adds the send of a message that its receiver's runtime has taken out of MPI. */
static void add_send(struct operation_details_pool *pool, const struct operation *send, struct operation *entry)
{
    struct operation_details details = *entry->details;
    details.function = send->details->function;
    details.datatype = send->details->datatype;
    details.datatype_handle = send->details->datatype_handle;
    details.site_address = send->details->site_address;
    details.site = send->details->site;
    details.count = send->details->count;
    details.purpose = send->details->purpose;
    entry->details = operation_details_share(pool, &details);
    entry->serial = send->serial;
    entry->posted = send->posted;
    entry->age_s = send->age_s;
    entry->flags = send->flags;
}

static void take_unexpected(struct operation_details_pool *pool, const struct matching_members *members, size_t sender,
                            const struct operations *sends)
{
    for (size_t i = 0; i < sends->count; i++) {
        const struct operation *send = &sends->items[i];
        if (send->unexpected_at == MPILENS_NO_MEMBER)
            continue;
        struct operation *entry =
            &members->communicators[send->unexpected_at]->unexpected.items[send->unexpected_place];
        if (send->unexpected_place < members->items[send->unexpected_at].taken_count)
            add_send(pool, send, entry);
        else
            *entry = unexpected_of(pool, members->processes[sender], members->communicators[sender], send);
    }
}

static void take_answers(struct operation_details_pool *pool, const struct matching_members *members)
{
    for (size_t i = 0; i < members->count; i++)
        make_room(members->communicators[i], &members->items[i]);
    for (size_t i = 0; i < members->count; i++) {
        take_unexpected(pool, members, i, &members->communicators[i]->sends);
        take_unexpected(pool, members, i, &members->communicators[i]->completed);
    }
}

/* Forgets all matches: those made before a failure are half of the truth. */
static void forget_answers(const struct matching_members *members)
{
    for (size_t i = 0; i < members->count; i++) {
        forget_matches(&members->communicators[i]->sends);
        forget_matches(&members->communicators[i]->receives);
        forget_matches(&members->communicators[i]->completed);
    }
}

void infer_unexpected(const struct dll *dll, struct job *job)
{
    const struct arena_mark mark = arena_mark();
    const struct matching_members members = give_members(job);
    const int code = dll->mpilens_match_messages(members.items, members.count);
    if (code == mqs_ok)
        take_answers(&job->details, &members);
    else
        forget_answers(&members);
    arena_release(mark);
}
