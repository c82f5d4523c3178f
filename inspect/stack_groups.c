/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Grouping stacks by what is shown of them.
 */
#include "stack_groups.h"

#include "allocation.h"
#include "rank_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One thread. */
struct entry {
    enum process_activity activity;
    char *text;
    const char *reason; /* of the stacks */
    int rank;
};

struct entries {
    struct entry *items;
    size_t count;
};

/* A thread by itself is what its process is; several share CPU time and are told apart by their states. */
static enum process_activity activity_of(const struct ranked_stacks *process, const struct thread_stack *thread)
{
    const bool is_alone = process->stacks->thread_count == 1;
    if (process->activity == ACTIVITY_STOPPED || (is_alone && process->activity != ACTIVITY_UNKNOWN))
        return process->activity;
    return process_activity_of_state(thread->state);
}

static char *describe_without_stack(const struct thread_stack *thread)
{
    if (thread->frame_count > 0)
        return copy_text("no frame of the program");
    return thread->kernel_function[0] != '\0' ? format_text("no stack, in %s of the kernel", thread->kernel_function)
                                              : copy_text("no stack");
}

static void add_thread(struct entries *entries, const struct ranked_stacks *process, const struct thread_stack *thread)
{
    const enum process_activity activity = activity_of(process, thread);
    const bool is_main = thread == process->stacks->threads;
    char *text = describe_stack(thread);
    if (text == NULL && !is_main && activity == ACTIVITY_SLEEPING)
        return;
    entries->items = array_append(entries->items, &entries->count, sizeof *entries->items);
    entries->items[entries->count - 1] =
        (struct entry){.activity = activity,
                       .text = text != NULL ? text : describe_without_stack(thread),
                       .reason = thread->frame_count == 0 ? process->stacks->reason : NULL,
                       .rank = process->rank};
}

static int compare_kinds(const struct entry *left, const struct entry *right)
{
    const int text = strcmp(left->text, right->text);
    return text != 0 ? text : (int)left->activity - (int)right->activity;
}

static int compare_entries(const void *left_entry, const void *right_entry)
{
    const struct entry *left = left_entry;
    const struct entry *right = right_entry;
    const int kind = compare_kinds(left, right);
    return kind != 0 ? kind : (left->rank > right->rank) - (left->rank < right->rank);
}

/* Equal ones have become neighbours. Takes their texts. */
static struct stack_group make_group(struct entry *entries, size_t count)
{
    struct stack_group group = {.activity = entries->activity, .text = entries->text, .thread_count = count};
    group.reason = entries->reason != NULL ? copy_text(entries->reason) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            free(entries[i].text);
        if (i > 0 && entries[i].rank == entries[i - 1].rank)
            continue;
        group.ranks = array_append(group.ranks, &group.rank_count, sizeof *group.ranks);
        group.ranks[group.rank_count - 1] = entries[i].rank;
    }
    return group;
}

static int compare_groups(const void *left_group, const void *right_group)
{
    const struct stack_group *left = left_group;
    const struct stack_group *right = right_group;
    if (left->ranks[0] != right->ranks[0])
        return left->ranks[0] < right->ranks[0] ? -1 : 1;
    if (left->thread_count != right->thread_count)
        return left->thread_count > right->thread_count ? -1 : 1;
    return strcmp(left->text, right->text);
}

struct stack_groups stack_groups_make(const struct ranked_stacks *processes, size_t count)
{
    struct entries entries = {0};
    struct stack_groups groups = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < processes[i].stacks->thread_count; j++)
            add_thread(&entries, &processes[i], &processes[i].stacks->threads[j]);
    if (entries.count > 1)
        qsort(entries.items, entries.count, sizeof *entries.items, compare_entries);
    for (size_t first = 0, end; first < entries.count; first = end) {
        for (end = first + 1; end < entries.count && compare_kinds(&entries.items[first], &entries.items[end]) == 0;)
            end++;
        groups.items = array_append(groups.items, &groups.count, sizeof *groups.items);
        groups.items[groups.count - 1] = make_group(&entries.items[first], end - first);
    }
    if (groups.count > 1)
        qsort(groups.items, groups.count, sizeof *groups.items, compare_groups);
    free(entries.items);
    return groups;
}

void stack_groups_clear(struct stack_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->items[i].text);
        free(groups->items[i].reason);
        free(groups->items[i].ranks);
    }
    free(groups->items);
    *groups = (struct stack_groups){0};
}

static char *name_ranks(const struct stack_group *group)
{
    char *ranks = format_ranks(group->ranks, group->rank_count);
    char *text = format_text("%s %s", group->rank_count == 1 ? "rank" : "ranks", ranks);
    free(ranks);
    return text;
}

int render_stack_groups(FILE *stream, const struct stack_groups *groups, int indent)
{
    size_t rank_width = 0, activity_width = 0;
    for (size_t i = 0; i < groups->count; i++) {
        char *ranks = name_ranks(&groups->items[i]);
        const size_t rank = strlen(ranks), activity = strlen(describe_activity(groups->items[i].activity));
        rank_width = rank > rank_width ? rank : rank_width;
        activity_width = activity > activity_width ? activity : activity_width;
        free(ranks);
    }
    for (size_t i = 0; i < groups->count; i++) {
        const struct stack_group *group = &groups->items[i];
        char *ranks = name_ranks(group);
        fprintf(stream, "%*s%-*s  ", indent, "", (int)rank_width, ranks);
        if (activity_width > 0)
            fprintf(stream, "%-*s  ", (int)activity_width, describe_activity(group->activity));
        fprintf(stream, "%s%s%s", group->text, group->reason != NULL ? ": " : "",
                group->reason != NULL ? group->reason : "");
        if (group->thread_count > group->rank_count)
            fprintf(stream, "  (%zu threads)", group->thread_count);
        fputc('\n', stream);
        free(ranks);
    }
    return ferror(stream) ? -1 : 0;
}
