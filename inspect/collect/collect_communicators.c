/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the communicators of a process and what belongs to them.
 */
#include "collect/collect_internal.h"

#include "base/base.h"

#include <stdlib.h>

static struct operation *append_operation(struct operations *operations)
{
    operations->items = array_append(operations->items, &operations->count, sizeof *operations->items);
    return &operations->items[operations->count - 1];
}

struct operation collection_operation(const struct collection *collection,
                                      const struct mpilens_operation_information *information)
{
    const struct operation_details details = model_operation_details(collection, information);
    struct operation operation = model_operation(collection, information);
    operation.match_rank = -1;
    operation.details = operation_details_share(collection->details, &details);
    return operation;
}

static int collect_queue(const struct collection *collection, int op_class, struct operations *operations)
{
    const struct dll *dll = collection->dll;
    int code = dll->mqs_setup_operation_iterator(collection->handle, op_class);
    while (code == mqs_ok) {
        mqs_pending_operation pending;
        struct mpilens_operation_information information = {.struct_size = sizeof information};
        code = dll->mqs_next_operation(collection->handle, &pending);
        if (code == mqs_ok)
            code = dll->mpilens_get_operation(collection->handle, &information);
        if (code != mqs_ok)
            break;
        *append_operation(operations) = collection_operation(collection, &information);
    }
    return collection_end(code);
}

/* A message that the runtime of the process has taken out of MPI. */
static void take_unexpected(const struct collection *collection,
                            const struct mpilens_unexpected_information *information, struct operation *message)
{
    const struct operation_details details = {
        .function = "",
        .datatype = "",
        .count = -1,
        .bytes = information->bytes,
        .actual_bytes = information->bytes,
        .partition_count = -1,
        .partitions_marked = -1,
        .offset = -1,
    };
    *message = (struct operation){
        .age_s = tick_clock_age(&collection->clock, information->taken),
        .state = MPILENS_OPERATION_PENDING,
        .flags = MPILENS_OPERATION_SEND,
        .status = mqs_st_pending,
        .peer_local = information->peer_local,
        .peer_world = information->peer_world,
        .tag = information->tag,
        .actual_local = information->peer_local,
        .actual_world = information->peer_world,
        .actual_tag = information->tag,
        .match_rank = -1,
        .details = operation_details_share(collection->details, &details),
    };
}

/* unexpected.c infers the rest when all processes are there. */
static int collect_unexpected(const struct collection *collection, struct operations *unexpected)
{
    const struct dll *dll = collection->dll;
    int code = dll->mqs_setup_operation_iterator(collection->handle, mqs_unexpected_messages);
    while (code == mqs_ok) {
        mqs_pending_operation pending;
        struct mpilens_unexpected_information information = {.struct_size = sizeof information};
        code = dll->mqs_next_operation(collection->handle, &pending);
        if (code == mqs_ok)
            code = dll->mpilens_get_unexpected(collection->handle, &information);
        if (code == mqs_ok && information.origin == MPILENS_ORIGIN_EXACT)
            take_unexpected(collection, &information, append_operation(unexpected));
    }
    return collection_end(code);
}

static int collect_completed(const struct collection *collection, struct operations *operations)
{
    int code = collection->dll->mpilens_setup_completed_iterator(collection->handle);
    while (code == mqs_ok) {
        struct mpilens_operation_information information = {.struct_size = sizeof information};
        code = collection->dll->mpilens_next_completed(collection->handle, &information);
        if (code == mqs_ok)
            *append_operation(operations) = collection_operation(collection, &information);
    }
    return collection_end(code);
}

static int collect_channels(const struct collection *collection, struct communicator *communicator)
{
    int code = collection->dll->mpilens_setup_channel_iterator(collection->handle);
    while (code == mqs_ok) {
        struct mpilens_channel_information information = {.struct_size = sizeof information};
        code = collection->dll->mpilens_next_channel(collection->handle, &information);
        if (code != mqs_ok)
            break;
        communicator->channels =
            array_append(communicator->channels, &communicator->channel_count, sizeof *communicator->channels);
        communicator->channels[communicator->channel_count - 1] = model_channel(collection, &information);
    }
    return collection_end(code);
}

static int collect_messages(const struct collection *collection, struct communicator *communicator)
{
    int code = collection->dll->mpilens_setup_message_iterator(collection->handle);
    while (code == mqs_ok) {
        struct mpilens_message_information information = {.struct_size = sizeof information};
        code = collection->dll->mpilens_next_message(collection->handle, &information);
        if (code != mqs_ok)
            break;
        communicator->matched_messages = array_append(communicator->matched_messages, &communicator->message_count,
                                                      sizeof *communicator->matched_messages);
        communicator->matched_messages[communicator->message_count - 1] =
            model_matched_message(collection, &information);
    }
    return collection_end(code);
}

static int collect_classes(const struct collection *collection, struct communicator *communicator)
{
    for (int number = 0;; number++) {
        struct mpilens_collective_class_information information = {.struct_size = sizeof information};
        const int code = collection->dll->mpilens_get_collective_class(collection->handle, number, &information);
        if (code != mqs_ok)
            return collection_end(code);
        if (information.count == 0 && information.active == 0)
            continue;
        communicator->collectives =
            array_append(communicator->collectives, &communicator->class_count, sizeof *communicator->collectives);
        struct collective_class *class = &communicator->collectives[communicator->class_count - 1];
        *class = model_collective_class(collection, &information);
        class->class = text_pool_add(collection->names, information.name);
    }
}

/* The members of the DLL's current object, `size` of them; NULL: none or not known. */
static const struct group *collect_members(const struct collection *collection, bool remote, int32_t size)
{
    size_t count = 0;
    if (size <= 0 || collection->dll->mpilens_get_members(collection->handle, remote, NULL, 0, &count) != mqs_ok ||
        count > (size_t)size)
        return NULL;
    struct mpilens_rank_range *ranges = allocate(count * sizeof *ranges);
    const struct group *group = NULL;
    if (collection->dll->mpilens_get_members(collection->handle, remote, ranges, count, &count) == mqs_ok)
        group = group_pool_add_ranges(collection->groups, ranges, count);
    free(ranges);
    return group != NULL && group->size == size ? group : NULL;
}

/* Amounts of collective calls of one process. */
enum { MOST_AMOUNTS = 1 << 14 };

/* Asks for ranges, as lists of the members of all communicators of all processes would not fit into memory. */
static void collect_groups(const struct collection *collection, struct communicator *communicator,
                           struct exchange *exchange)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    if (collection->dll->mpilens_find_object_by_serial(collection->handle, MPILENS_OBJECT_COMMUNICATOR,
                                                       communicator->serial, &object) != mqs_ok)
        return;
    communicator->group = collect_members(collection, false, communicator->size);
    communicator->remote_group = collect_members(collection, true, communicator->remote_size);
    collect_neighbours(collection, communicator, &exchange->sources, &exchange->destinations);
}

static int collect_marks(const struct collection *collection, struct communicator *communicator)
{
    struct mpilens_collective_mark_information marks[MPILENS_MARK_COUNT] = {{.struct_size = sizeof marks[0]}};
    size_t count = 0;
    const int code =
        collection->dll->mpilens_get_collective_marks(collection->handle, marks, MPILENS_MARK_COUNT, &count);
    if (code != mqs_ok || count == 0)
        return collection_end(code);
    communicator->marks = allocate(count * sizeof *communicator->marks);
    communicator->mark_count = count;
    for (size_t i = 0; i < count; i++)
        communicator->marks[i] = model_collective_mark(collection, &marks[i]);
    return mqs_ok;
}

static int collect_calls(const struct collection *collection, struct communicator *communicator,
                         struct exchange *exchange)
{
    exchange->communicator = communicator;
    const int code = collection->dll->mpilens_setup_collective_iterator(collection->handle);
    return code == mqs_ok ? collect_collectives(collection, collection->dll->mpilens_next_collective, exchange,
                                                &communicator->recent_collectives, &communicator->collective_call_count)
                          : collection_end(code);
}

static int collect_communicator(const struct collection *collection, struct exchange *exchange,
                                struct communicator *communicator)
{
    struct mpilens_communicator_information information = {.struct_size = sizeof information};
    int code = collection->dll->mpilens_get_communicator(collection->handle, &information);
    if (code != mqs_ok)
        return code;
    *communicator = model_communicator(collection, &information);
    collect_groups(collection, communicator, exchange);
    code = collect_queue(collection, mqs_pending_sends, &communicator->sends);
    if (code == mqs_ok)
        code = collect_queue(collection, mqs_pending_receives, &communicator->receives);
    if (code == mqs_ok)
        code = collect_unexpected(collection, &communicator->unexpected);
    if (code == mqs_ok)
        code = collect_completed(collection, &communicator->completed);
    if (code == mqs_ok)
        code = collect_channels(collection, communicator);
    if (code == mqs_ok)
        code = collect_messages(collection, communicator);
    if (code == mqs_ok)
        code = collect_classes(collection, communicator);
    if (code == mqs_ok)
        code = collect_marks(collection, communicator);
    return code == mqs_ok ? collect_calls(collection, communicator, exchange) : collection_end(code);
}

int collect_communicators(const struct collection *collection, struct process *process)
{
    size_t amounts_left = MOST_AMOUNTS;
    int code = collection->dll->mqs_setup_communicator_iterator(collection->handle);
    while (code == mqs_ok) {
        process->communicators =
            array_append(process->communicators, &process->communicator_count, sizeof *process->communicators);
        struct exchange exchange = {.amounts_left = amounts_left};
        code = collect_communicator(collection, &exchange, &process->communicators[process->communicator_count - 1]);
        amounts_left = exchange.amounts_left;
        free(exchange.sources.ranks);
        free(exchange.destinations.ranks);
        if (code == mqs_ok)
            code = collection->dll->mqs_next_communicator(collection->handle);
    }
    return collection_end(code);
}
