/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines up what the members of a communicator, window or file remember of their collective calls.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_made(FILE *stream, uint64_t serial, const struct made_call *made)
{
    const struct site *site = made->site;
    fprintf(stream, "%" PRIu64 " %s %" PRId32 " %d", serial, made->function, made->root, made->active);
    if (site != NULL && site->line > 0)
        fprintf(stream, " %s:%d", site->file, site->line);
    else if (site != NULL)
        fprintf(stream, " %s+%" PRIx64, site->module, site->offset);
    fputc('\n', stream);
}

/* Calls that it remembers, from the oldest on; UINT64_MAX: there are no more. */
static uint64_t remembered(const struct job_member *member, size_t number)
{
    const struct object *object = member->object;
    const struct communicator *communicator = member->communicator;
    if (object != NULL)
        return number < object->collective_call_count ? object->recent_collectives[number].serial : UINT64_MAX;
    if (number < communicator->mark_count)
        return communicator->marks[number].serial;
    number -= communicator->mark_count;
    return number < communicator->collective_call_count ? communicator->recent_collectives[number].serial : UINT64_MAX;
}

/* Equal for members that have made as many calls and the same ones. */
static const char *describe_history(const struct job_member *member)
{
    FILE *stream = arena_open();
    fprintf(stream, "%" PRIu64 "\n", collective_round_count_begun(member));
    for (size_t i = 0; remembered(member, i) != UINT64_MAX; i++) {
        const uint64_t serial = remembered(member, i);
        struct made_call made;
        if (made_call_find(member, serial, &made))
            write_made(stream, serial, &made);
    }
    return arena_close(stream);
}

static int compare_groups(const void *left_group, const void *right_group)
{
    const struct history_group *left = left_group;
    const struct history_group *right = right_group;
    if (left->is_odd != right->is_odd)
        return left->is_odd ? -1 : 1;
    if (left->ranks.count != right->ranks.count)
        return left->ranks.count > right->ranks.count ? -1 : 1;
    return ranks_first(&left->ranks) < ranks_first(&right->ranks) ? -1 : 1;
}

static void find_groups(struct collective_history *history)
{
    struct rank_texts texts = {.count = 0};
    for (size_t i = 0; i < history->members.count; i++) {
        const struct job_member *member = &history->members.items[i];
        const struct arena_mark mark = arena_mark();
        const char *text = describe_history(member);
        const size_t number = rank_texts_find(&texts, text);
        if (number < texts.count)
            arena_release(mark);
        else
            rank_texts_add(&texts, text);
        if (number == history->group_count) {
            history->groups = arena_append(history->groups, &history->group_count, sizeof *history->groups);
            history->groups[number] =
                (struct history_group){.first = member, .begun = collective_round_count_begun(member)};
        }
        ranks_add(&history->groups[number].ranks, member->process->rank);
    }
    for (size_t i = 0; i < history->group_count; i++)
        ranks_finish(&history->groups[i].ranks);
    if (history->group_count > 1)
        qsort(history->groups, history->group_count, sizeof *history->groups, compare_groups);
}

static int compare_serials(const void *left_serial, const void *right_serial)
{
    const uint64_t left = *(const uint64_t *)left_serial, right = *(const uint64_t *)right_serial;
    return left < right ? -1 : left > right;
}

static void find_serials(struct collective_history *history)
{
    size_t distinct = 0;
    for (size_t i = 0; i < history->group_count; i++) {
        const struct job_member *member = history->groups[i].first;
        for (size_t j = 0; remembered(member, j) != UINT64_MAX; j++) {
            history->serials = arena_append(history->serials, &history->count, sizeof *history->serials);
            history->serials[history->count - 1] = remembered(member, j);
        }
    }
    if (history->count > 1)
        qsort(history->serials, history->count, sizeof *history->serials, compare_serials);
    for (size_t i = 0; i < history->count; i++)
        if (i == 0 || history->serials[i] != history->serials[distinct - 1])
            history->serials[distinct++] = history->serials[i];
    history->count = distinct;
}

/* Marks do not tell which side of an intercommunicator has the root. */
static bool marks_differ(const struct made_call *left, const struct made_call *right, bool has_sides)
{
    return !made_calls_have_same_function(left, right) ||
           (!has_sides && left->root >= 0 && right->root >= 0 && left->root != right->root);
}

static bool groups_differ(const struct collective_history *history, uint64_t serial)
{
    struct made_call one, other;
    bool has_one = false;
    for (size_t i = 0; i < history->group_count; i++) {
        const struct job_member *member = history->groups[i].first;
        if (!made_call_find(member, serial, has_one ? &other : &one))
            continue;
        if (has_one && marks_differ(&one, &other, member->object == NULL && member->communicator->intercommunicator))
            return true;
        has_one = true;
    }
    return false;
}

static bool is_remembered_in_full(const struct collective_history *history, uint64_t serial)
{
    for (size_t i = 0; i < history->group_count; i++)
        if (collective_round_call(history->groups[i].first, serial) != NULL)
            return true;
    return false;
}

/* `since`: the first call that differs, or lies behind one that does, by another rule; 0: none. */
static void take_difference(struct collective_history *history, uint64_t last_alike, uint64_t since)
{
    if (since == 0 || (history->first_difference != 0 && history->first_difference <= since))
        return;
    history->first_difference = since;
    history->last_alike = last_alike;
}

/* The communicator of a window or file may be gone; its calls are compared by their functions then. */
static bool has_communicators(const struct job_members *members)
{
    for (size_t i = 0; i < members->count; i++)
        if (members->items[i].communicator == NULL)
            return false;
    return true;
}

static void find_difference(struct collective_history *history, const struct job_index *index)
{
    const struct job_member *one = &history->members.items[0];
    const struct ranks nobody = {.count = 0};
    const bool has_rounds = has_communicators(&history->members);
    for (size_t i = 0; i < history->count && history->first_difference == 0; i++)
        if (groups_differ(history, history->serials[i]) ||
            (has_rounds && is_remembered_in_full(history, history->serials[i]) &&
             collective_round_find(index, one, history->serials[i]).difference != ROUND_ALIKE))
            take_difference(history, i > 0 ? history->serials[i - 1] : 0, history->serials[i]);
    if (one->object != NULL)
        return;
    const struct out_of_step step = out_of_step_find(index, one->communicator, &nobody);
    const struct odd_root odd = root_sums_find(index, one->communicator, &nobody);
    take_difference(history, step.last_alike, step.member != NULL ? step.since : 0);
    take_difference(history, odd.last_alike, odd.member != NULL ? odd.since : 0);
}

static void find_odd(struct collective_history *history)
{
    struct made_call usual, own;
    if (history->group_count == 0 || history->first_difference == 0 ||
        !made_call_find(history->groups[0].first, history->first_difference, &usual))
        return;
    for (size_t i = 1; i < history->group_count; i++)
        history->groups[i].is_odd = made_call_find(history->groups[i].first, history->first_difference, &own) &&
                                    (marks_differ(&usual, &own, false) || !site_is_same(usual.site, own.site));
    qsort(history->groups + 1, history->group_count - 1, sizeof *history->groups, compare_groups);
}

static struct collective_history make_history(const struct job_index *index, const struct job_members *members)
{
    struct collective_history history = {.members = *members};
    find_groups(&history);
    find_serials(&history);
    if (history.members.count > 0)
        find_difference(&history, index);
    find_odd(&history);
    return history;
}

struct collective_history collective_history_make(const struct job_index *index,
                                                  const struct communicator *communicator)
{
    const struct job_members members = job_index_members(index, communicator->id);
    return make_history(index, &members);
}

static bool is_chosen(const struct job_members *members, const struct rank_set *chosen)
{
    for (size_t i = 0; i < members->count; i++)
        if (rank_is_chosen(chosen, members->items[i].process->rank))
            return true;
    return false;
}

/* Whether there is anything to compare. */
static bool has_calls(const struct job_members *members)
{
    for (size_t i = 0; i < members->count && members->count > 1; i++)
        if (collective_round_count_begun(&members->items[i]) > 0)
            return true;
    return false;
}

static void add_history(struct collective_histories *histories, const struct job_index *index,
                        const struct job_members *members, const struct rank_set *chosen)
{
    if (!has_calls(members) || !is_chosen(members, chosen))
        return;
    histories->items = arena_append(histories->items, &histories->count, sizeof *histories->items);
    histories->items[histories->count - 1] = make_history(index, members);
}

/* Each with its first member. */
static void add_histories(struct collective_histories *histories, const struct job_index *index,
                          const struct process *process, const struct rank_set *chosen)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const struct job_members members = job_index_members(index, communicator->id);
        if (members.count > 0 && members.items[0].communicator == communicator)
            add_history(histories, index, &members, chosen);
    }
    for (size_t i = 0; i < process->object_count; i++) {
        const struct object *object = &process->objects[i];
        const struct job_members members =
            shared_object_id(object) != 0 ? job_index_object_members(index, object) : (struct job_members){.count = 0};
        if (members.count > 0 && members.items[0].object == object)
            add_history(histories, index, &members, chosen);
    }
}

static void put_differences_first(struct collective_histories *histories)
{
    struct collective_history *sorted = arena_allocate(histories->count * sizeof *sorted);
    size_t count = 0;
    for (int with_difference = 1; with_difference >= 0; with_difference--)
        for (size_t i = 0; i < histories->count; i++)
            if ((histories->items[i].first_difference != 0) == with_difference)
                sorted[count++] = histories->items[i];
    histories->items = sorted;
}

struct collective_histories collective_histories_make(const struct job_index *index, const struct rank_set *chosen)
{
    struct collective_histories histories = {.count = 0};
    for (size_t i = 0; i < index->job->process_count; i++)
        add_histories(&histories, index, &index->job->processes[i], chosen);
    put_differences_first(&histories);
    return histories;
}
