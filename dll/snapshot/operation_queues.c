/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts the operations, channels, probed and unexpected messages of a snapshot by the communicator that they belong to.
 */
#include "snapshot/snapshot.h"

/* Place in the list of the communicator whose record stands at `address`; no_record: it is not listed. */
static size_t place_of(const struct snapshot *snapshot, uint64_t address)
{
    size_t number = table_copy_find(&snapshot->tables[MPILENS_TABLE_COMMUNICATORS], address);
    return number == no_record ? no_record : snapshot->communicator_places[number];
}

/* Where live operations go whose communicator is not known: snapshot_list_communicators has put it last. */
static size_t place_of_unknown(const struct snapshot *snapshot)
{
    size_t last = snapshot->communicator_count - 1;
    return snapshot->communicators[last].record != NULL ? no_record : last;
}

/* A completed operation no longer keeps its communicator: the record may since have become another one. */
static bool is_of_former(const struct mpilens_operation *operation, const struct mpilens_communicator *communicator)
{
    return communicator->created > operation->posted_time ||
           (communicator->made_by == operation->thread + 1 && operation->posted <= communicator->posted_before);
}

/* Bucket of the operation, no_record: it is in none. */
static size_t bucket_of(const struct snapshot *snapshot, const struct mpilens_operation *operation)
{
    if (!operation_is_message(operation))
        return no_record;
    if (operation_is_live(operation)) {
        size_t place = place_of(snapshot, operation->communicator);
        if (place == no_record)
            place = place_of_unknown(snapshot);
        return place * QUEUE_COUNT + (operation->flags & MPILENS_OPERATION_SEND ? QUEUE_SENDS : QUEUE_RECEIVES);
    }
    if (operation->state != MPILENS_OPERATION_RETIRED)
        return no_record;
    const struct mpilens_communicator *communicator = snapshot_communicator(snapshot, operation->communicator);
    if (communicator == NULL || is_of_former(operation, communicator))
        return no_record;
    size_t place = place_of(snapshot, operation->communicator);
    return place == no_record ? no_record : place * QUEUE_COUNT + QUEUE_COMPLETED;
}

static bool is_of_one_thread(const struct table_copy *operations)
{
    const struct mpilens_operation *first = NULL;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation; (operation = table_copy_next(operations, &position)) != NULL;) {
        if (operation->state == 0)
            continue;
        if (first != NULL && first->thread != operation->thread)
            return false;
        first = operation;
    }
    return true;
}

int snapshot_sort_operations(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_OPERATIONS];
    snapshot->one_thread = is_of_one_thread(copy);
    int code = buckets_create(&snapshot->operations, copy->record_count, snapshot->communicator_count * QUEUE_COUNT);
    if (code != mqs_ok)
        return code;
    struct table_position position = {0};
    for (const struct mpilens_operation *operation; (operation = table_copy_next(copy, &position)) != NULL;) {
        if (operation->state == 0 || operation_is_to_nobody(operation, reading->root.process.proc_null))
            continue;
        size_t bucket = bucket_of(snapshot, operation);
        if (bucket != no_record)
            buckets_add(&snapshot->operations, bucket, snapshot_operation_time(snapshot, operation), operation->posted,
                        operation);
    }
    return buckets_finish(&snapshot->operations);
}

static int sort_channels(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_CHANNELS];
    int code = buckets_create(&snapshot->channels, copy->record_count, snapshot->communicator_count);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < copy->record_count; i++) {
        const struct mpilens_channel *channel = table_copy_record(copy, i);
        size_t place = place_of(snapshot, channel->communicator);
        if (channel->state == 0 || channel->peer == reading->root.process.proc_null || place == no_record ||
            snapshot->communicators[place].record->unique_id != channel->communicator_id)
            continue;
        buckets_add(&snapshot->channels, place, (uint64_t)(int64_t)channel->peer ^ (UINT64_C(1) << 63), 0, channel);
    }
    return buckets_finish(&snapshot->channels);
}

static int sort_messages(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_MESSAGES];
    int code = buckets_create(&snapshot->messages, copy->record_count, snapshot->communicator_count);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < copy->record_count; i++) {
        const struct mpilens_message *message = table_copy_record(copy, i);
        size_t place = place_of(snapshot, message->communicator);
        if (message->state == MPILENS_OBJECT_LIVE && place != no_record)
            buckets_add(&snapshot->messages, place, message->matched_time, i, message);
    }
    return buckets_finish(&snapshot->messages);
}

/* Those of a freed communicator nobody can receive any more. */
static int sort_unexpected(struct reading *reading)
{
    struct snapshot *snapshot = &reading->snapshot;
    const struct table_copy *copy = &snapshot->tables[MPILENS_TABLE_UNEXPECTED];
    int code = buckets_create(&snapshot->unexpected, copy->record_count, snapshot->communicator_count);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < copy->record_count; i++) {
        const struct mpilens_unexpected *message = table_copy_record(copy, i);
        const size_t place = place_of(snapshot, message->communicator);
        if (message->state == MPILENS_OBJECT_LIVE && place != no_record)
            buckets_add(&snapshot->unexpected, place, message->arrival, i, message);
    }
    return buckets_finish(&snapshot->unexpected);
}

int snapshot_sort_traffic(struct reading *reading)
{
    int code = sort_channels(reading);
    if (code == mqs_ok)
        code = sort_messages(reading);
    return code == mqs_ok ? sort_unexpected(reading) : code;
}
