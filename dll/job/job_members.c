/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes out of snapshots what matching needs to know.
 */
#include "job/job_internal.h"

#include "facts/facts.h"
#include "target/target.h"

/* How much there is of what. */
struct sizes {
    size_t members;
    size_t operations;
    size_t probed;
    size_t taken;
    size_t channels;
};

static size_t size_of(const struct buckets *buckets, size_t bucket)
{
    const struct bucket_position position = buckets_begin(buckets, bucket);
    return position.end - position.next;
}

static bool is_member(const struct communicator_view *view)
{
    return view->record != NULL;
}

static struct sizes measure(const struct job_copies *copies)
{
    struct sizes sizes = {0};
    for (size_t i = 0; i < copies->count; i++) {
        const struct snapshot *snapshot = &copies->items[i]->reading.snapshot;
        for (size_t j = 0; j < snapshot->communicator_count; j++) {
            if (!is_member(&snapshot->communicators[j]))
                continue;
            sizes.members++;
            for (unsigned queue = 0; queue < QUEUE_COUNT; queue++)
                sizes.operations += size_of(&snapshot->operations, j * QUEUE_COUNT + queue);
            sizes.probed += size_of(&snapshot->messages, j);
            sizes.taken += size_of(&snapshot->unexpected, j);
            sizes.channels += size_of(&snapshot->channels, j);
        }
    }
    return sizes;
}

static int make_room(const struct sizes *sizes, size_t copy_count, struct job_members *members)
{
    members->items = allocate_array(sizes->members, sizeof *members->items);
    members->origins = allocate_array(sizes->members, sizeof *members->origins);
    members->first = allocate_array(copy_count + 1, sizeof *members->first);
    members->operations = allocate_array(sizes->operations, sizeof *members->operations);
    members->records = allocate_array(sizes->operations, sizeof(const struct mpilens_operation *));
    members->probed = allocate_array(sizes->probed, sizeof *members->probed);
    members->taken = allocate_array(sizes->taken, sizeof *members->taken);
    members->taken_records = allocate_array(sizes->taken, sizeof(const struct mpilens_unexpected *));
    members->channels = allocate_array(sizes->channels, sizeof *members->channels);
    return members->items != NULL && members->origins != NULL && members->first != NULL &&
                   members->operations != NULL && members->records != NULL && members->probed != NULL &&
                   members->taken != NULL && members->taken_records != NULL && members->channels != NULL
               ? mqs_ok
               : MPILENS_ERROR_NO_MEMORY;
}

/* A communicator of a process. */
struct place {
    const struct reading *reading;
    const struct communicator_view *view;
    size_t communicator;
};

static struct mpilens_matched_operation *take_queue(const struct place *place, enum queue queue,
                                                    const struct job_clock *clock, struct job_members *members,
                                                    size_t *ret_count)
{
    const struct buckets *buckets = &place->reading->snapshot.operations;
    struct mpilens_matched_operation *taken = members->operations + members->operation_count;
    struct bucket_position position = buckets_begin(buckets, place->communicator * QUEUE_COUNT + queue);
    *ret_count = position.end - position.next;
    for (const struct mpilens_operation *operation; (operation = buckets_next(buckets, &position)) != NULL;) {
        const struct operation_facts facts = operation_facts_get(place->reading, place->view, operation);
        members->records[members->operation_count] = operation;
        members->operations[members->operation_count++] = (struct mpilens_matched_operation){
            .serial = operation->posted,
            .posted = operation->posted_time,
            .age_s = job_clock_age(clock, &place->reading->root.process, operation->posted_time),
            .flags = operation->flags,
            .status = operation_status(operation),
            .peer_local = facts.peer_local,
            .peer_world = facts.peer_world,
            .tag = facts.tag,
            .tag_wild = facts.tag_wild,
            .actual_local = facts.actual_local,
            .actual_world = facts.actual_world,
            .actual_tag = facts.actual_tag,
        };
    }
    return taken;
}

static size_t take_probed(const struct place *place, struct mpilens_probed_message *probed)
{
    const struct buckets *buckets = &place->reading->snapshot.messages;
    struct bucket_position position = buckets_begin(buckets, place->communicator);
    size_t count = 0;
    for (const struct mpilens_message *message; (message = buckets_next(buckets, &position)) != NULL;)
        probed[count++] = (struct mpilens_probed_message){.peer_local = message->source,
                                                          .peer_world = peer_world_rank(place->view, message->source),
                                                          .tag = message->tag};
    return count;
}

static size_t take_taken(const struct place *place, const struct job_clock *clock, struct mpilens_taken_message *taken,
                         const struct mpilens_unexpected **records)
{
    const struct buckets *buckets = &place->reading->snapshot.unexpected;
    struct bucket_position position = buckets_begin(buckets, place->communicator);
    size_t count = 0;
    for (const struct mpilens_unexpected *message; (message = buckets_next(buckets, &position)) != NULL;) {
        records[count] = message;
        taken[count++] = (struct mpilens_taken_message){
            .age_s = job_clock_age(clock, &place->reading->root.process, message->taken_time),
            .peer_local = message->source,
            .peer_world = peer_world_rank(place->view, message->source),
            .tag = message->tag,
        };
    }
    return count;
}

/* Every thread has its own counts; those for one peer are adjacent. */
static size_t take_channels(const struct place *place, struct mpilens_message_count *counts)
{
    const struct buckets *buckets = &place->reading->snapshot.channels;
    struct bucket_position position = buckets_begin(buckets, place->communicator);
    size_t count = 0;
    for (const struct mpilens_channel *channel; (channel = buckets_next(buckets, &position)) != NULL;) {
        if (count == 0 || counts[count - 1].peer_local != channel->peer)
            counts[count++] = (struct mpilens_message_count){.peer_local = channel->peer,
                                                             .peer_world = peer_world_rank(place->view, channel->peer)};
        counts[count - 1].sent += channel->sent;
        counts[count - 1].received += channel->received;
    }
    return count;
}

/* Where what comes next goes. */
struct next {
    size_t probed;
    size_t taken;
    size_t channels;
};

static void take_member(const struct place *place, const struct job_clock *clock, struct job_members *members,
                        struct next *next)
{
    const struct reading *reading = place->reading;
    struct mpilens_matching_member member = {
        .communicator_id = place->view->record->unique_id,
        .lost_records = untracked_operations(reading) + untracked_objects(reading),
        .world_rank = reading->root.process.world_rank,
        .local_rank = place->view->record->rank,
        .is_intercommunicator = (place->view->record->flags & MPILENS_COMMUNICATOR_INTER) != 0,
        .senders_in_turn = reading->root.process.senders_in_turn != 0,
        .probed = members->probed + next->probed,
        .taken = members->taken + next->taken,
        .channels = members->channels + next->channels,
        .operation_bytes = sizeof *members->operations,
    };
    member.sends = take_queue(place, QUEUE_SENDS, clock, members, &member.send_count);
    member.receives = take_queue(place, QUEUE_RECEIVES, clock, members, &member.receive_count);
    member.completed = take_queue(place, QUEUE_COMPLETED, clock, members, &member.completed_count);
    next->probed += member.probed_count = take_probed(place, members->probed + next->probed);
    next->taken += member.taken_count =
        take_taken(place, clock, members->taken + next->taken, members->taken_records + next->taken);
    next->channels += member.channel_count = take_channels(place, members->channels + next->channels);
    members->items[members->count++] = member;
}

int job_members_make(const struct job_copies *copies, struct job_members *ret_members)
{
    *ret_members = (struct job_members){0};
    const struct sizes sizes = measure(copies);
    const struct job_clock clock = job_clock_of(copies);
    struct next next = {0};
    if (make_room(&sizes, copies->count, ret_members) != mqs_ok)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < copies->count; i++) {
        const struct reading *reading = &copies->items[i]->reading;
        ret_members->first[i] = ret_members->count;
        for (size_t j = 0; j < reading->snapshot.communicator_count; j++) {
            const struct place place = {reading, &reading->snapshot.communicators[j], j};
            if (!is_member(place.view))
                continue;
            ret_members->origins[ret_members->count] = (struct member_origin){i, j};
            take_member(&place, &clock, ret_members, &next);
        }
    }
    ret_members->first[copies->count] = ret_members->count;
    return mqs_ok;
}

void job_members_free(struct job_members *members)
{
    release(members->items);
    release(members->origins);
    release(members->first);
    release(members->operations);
    release(members->records);
    release(members->probed);
    release(members->taken);
    release(members->taken_records);
    release(members->channels);
    *members = (struct job_members){0};
}
