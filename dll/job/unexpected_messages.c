/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joins the processes of a job, and hands out to each what is unexpected there.
 */

#include "facts/facts.h"
#include "job/job_internal.h"
#include "matching/matching.h"
#include "process/process.h"
#include "target/target.h"

#include <string.h>

/* The work in progress. */
struct join {
    struct job_copies copies;
    struct job_members members;
    struct unexpected_list *lists; /* of each copy; without `first`: nobody wants it */
    size_t *first_entry;           /* of each member, in the list of its copy */
    size_t *next_counted;          /* of each member: where its next entry that only counts goes */
};

static bool is_exact(const struct mpilens_process *process)
{
    return process->unexpected_mode == MPILENS_UNEXPECTED_EXACT && process->unexpected_as_of != 0;
}

/* Whether anything can be said of unexpected messages there. */
static bool can_tell(const struct join *join, size_t copy, const struct communicator_view *view)
{
    if (view->record == NULL)
        return false;
    const bool is_alone = view->record->size == 1 && (view->record->flags & MPILENS_COMMUNICATOR_INTER) == 0;
    return is_alone || join->copies.count > 1 || is_exact(&join->copies.items[copy]->reading.root.process);
}

/* Counts into `next_counted`. */
static void count_counted(struct join *join)
{
    for (size_t i = 0; i < join->members.count; i++)
        join->next_counted[i] = 0;
    for (size_t i = 0; i < join->members.count; i++) {
        const struct mpilens_matching_member *sender = &join->members.items[i];
        for (size_t j = 0; j < sender->channel_count; j++)
            if (sender->channels[j].unknown_at != MPILENS_NO_MEMBER)
                join->next_counted[sender->channels[j].unknown_at]++;
    }
}

static int make_list(struct join *join, size_t copy)
{
    const mqs_process_info *info = join->copies.items[copy];
    const size_t communicator_count = info->reading.snapshot.communicator_count;
    struct unexpected_list *list = &join->lists[copy];
    size_t count = 0, member = join->members.first[copy];
    list->first = allocate_array(communicator_count + 1, sizeof *list->first);
    list->is_known = allocate_array(communicator_count, sizeof *list->is_known);
    if (list->first == NULL || list->is_known == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < communicator_count; i++) {
        list->first[i] = count;
        list->is_known[i] = can_tell(join, copy, &info->reading.snapshot.communicators[i]);
        if (member == join->members.first[copy + 1] || join->members.origins[member].communicator != i)
            continue;
        const size_t entries = join->members.items[member].unexpected_count + join->next_counted[member];
        join->first_entry[member] = count;
        join->next_counted[member] = count + join->members.items[member].unexpected_count;
        list->is_known[i] = list->is_known[i] || entries > 0; /* one process alone knows its messages to itself */
        count += entries;
        member++;
    }
    list->first[communicator_count] = count;
    list->items = allocate_array(count, sizeof *list->items);
    if (list->items == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    if (count > 0)
        memset(list->items, 0, count * sizeof *list->items);
    list->left_out = join->copies.left_out;
    list->round = shared_copy_round();
    list->version = known_processes_version();
    return mqs_ok;
}

/* The list of the member's process, NULL: nobody wants it. */
static struct unexpected_list *list_of(const struct join *join, size_t member)
{
    struct unexpected_list *list = &join->lists[join->members.origins[member].copy];
    return list->items != NULL ? list : NULL;
}

/* Adds the facts from the receiver's runtime. */
static void fill_taken(const struct join *join, size_t member)
{
    const struct mpilens_matching_member *receiver = &join->members.items[member];
    struct unexpected_list *list = list_of(join, member);
    for (size_t i = 0; list != NULL && i < receiver->taken_count; i++) {
        const struct mpilens_unexpected *record =
            join->members.taken_records[(size_t)(receiver->taken - join->members.taken) + i];
        list->items[join->first_entry[member] + i].information = (struct mpilens_unexpected_information){
            .count = 1,
            .taken = record->taken_time,
            .elements = -1,
            .bytes = record->bytes <= INT64_MAX ? (int64_t)record->bytes : -1,
            .origin = MPILENS_ORIGIN_EXACT,
            .peer_local = record->source,
            .peer_world = receiver->taken[i].peer_world,
            .tag = record->tag,
        };
    }
}

/* Adds the facts from the send. */
static void fill_send(const struct join *join, size_t sender, const struct mpilens_matched_operation *send)
{
    const struct member_origin *origin = &join->members.origins[sender];
    const mqs_process_info *copy = join->copies.items[origin->copy];
    const struct mpilens_operation *record = join->members.records[send - join->members.operations];
    struct unexpected_list *list = list_of(join, send->unexpected_at);
    if (list == NULL)
        return;
    const struct operation_facts facts =
        operation_facts_get(&copy->reading, &copy->reading.snapshot.communicators[origin->communicator], record);
    struct unexpected_message *message = &list->items[join->first_entry[send->unexpected_at] + send->unexpected_place];
    struct mpilens_unexpected_information *information = &message->information;
    if (information->origin != MPILENS_ORIGIN_EXACT) {
        information->count = 1;
        information->bytes = facts.bytes;
        information->peer_local = join->members.items[sender].local_rank;
        information->peer_world = join->members.items[sender].world_rank;
        information->tag = facts.tag;
    }
    message->moment = copy->moment;
    information->serial = send->serial;
    information->posted = send->posted;
    information->site = record->site;
    information->elements = facts.count;
    information->flags = record->flags;
    text_set(information->function, sizeof information->function,
             function_table_get(&copy->reading.functions, record->function)->name);
    struct text text = text_begin(information->datatype, sizeof information->datatype);
    text_add_datatype(&text, &copy->reading, facts.datatype);
}

static void fill_sends(const struct join *join, size_t sender, const struct mpilens_matched_operation *operations,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (operations[i].unexpected_at != MPILENS_NO_MEMBER)
            fill_send(join, sender, &operations[i]);
}

static void fill_counted(const struct join *join, size_t sender)
{
    const struct mpilens_matching_member *member = &join->members.items[sender];
    for (size_t i = 0; i < member->channel_count; i++) {
        const struct mpilens_message_count *channel = &member->channels[i];
        struct unexpected_list *list =
            channel->unknown_at != MPILENS_NO_MEMBER ? list_of(join, channel->unknown_at) : NULL;
        if (list == NULL)
            continue;
        struct unexpected_message *message = &list->items[join->next_counted[channel->unknown_at]++];
        message->moment = join->copies.items[join->members.origins[sender].copy]->moment;
        message->information = (struct mpilens_unexpected_information){
            .count = channel->unknown,
            .elements = -1,
            .bytes = -1,
            .peer_local = member->local_rank,
            .peer_world = member->world_rank,
            .tag = -1,
            .is_counted = 1,
        };
    }
}

static void fill_lists(const struct join *join)
{
    for (size_t i = 0; i < join->members.count; i++)
        fill_taken(join, i);
    for (size_t i = 0; i < join->members.count; i++) {
        const struct mpilens_matching_member *member = &join->members.items[i];
        fill_sends(join, i, member->sends, member->send_count);
        fill_sends(join, i, member->completed, member->completed_count);
        fill_counted(join, i);
    }
}

static void give_lists(struct join *join)
{
    for (size_t i = 0; i < join->copies.count; i++) {
        if (join->lists[i].items == NULL)
            continue;
        unexpected_list_free(&join->copies.items[i]->unexpected);
        join->copies.items[i]->unexpected = join->lists[i];
        join->lists[i] = (struct unexpected_list){0};
    }
}

/* `is_for_all`: not for the asker only. */
static int make_lists(struct join *join, bool is_for_all)
{
    const size_t count = join->copies.count;
    join->lists = allocate_array(count, sizeof *join->lists);
    join->first_entry = allocate_array(join->members.count, sizeof *join->first_entry);
    join->next_counted = allocate_array(join->members.count, sizeof *join->next_counted);
    for (size_t i = 0; join->lists != NULL && i < count; i++)
        join->lists[i] = (struct unexpected_list){0};
    if (join->lists == NULL || join->first_entry == NULL || join->next_counted == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    count_counted(join);
    int code = mqs_ok;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        if (is_for_all || i == join->copies.asker)
            code = make_list(join, i);
    return code;
}

static void clear_join(struct join *join)
{
    for (size_t i = 0; join->lists != NULL && i < join->copies.count; i++)
        unexpected_list_free(&join->lists[i]);
    release(join->lists);
    release(join->first_entry);
    release(join->next_counted);
    job_members_free(&join->members);
    job_copies_free(&join->copies);
}

static bool is_found(const struct unexpected_list *list)
{
    return list->first != NULL && list->round == shared_copy_round() && list->version == known_processes_version();
}

int unexpected_messages_find(mqs_process_info *info)
{
    if (is_found(&info->unexpected))
        return mqs_ok;
    struct join join = {0};
    int code = job_copies_take(info, &join.copies);
    if (code == mqs_ok)
        code = job_members_make(&join.copies, &join.members);
    if (code == mqs_ok)
        code = match_messages(join.members.items, join.members.count);
    /* The debugger's view of this process may be older than the copies that others are told. */
    if (code == mqs_ok)
        code = make_lists(&join, shared_copy_is_own(info));
    if (code == mqs_ok) {
        fill_lists(&join);
        give_lists(&join);
    }
    clear_join(&join);
    return code;
}
