/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists ranks that could not be read, by reason.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static int compare_reasons(const struct process *left, const struct process *right)
{
    if (left->state != right->state)
        return left->state < right->state ? -1 : 1;
    return strcmp(left->reason, right->reason);
}

/* By rank where the reason is the same: processes of a job stand by rank. */
static int compare_unread(const void *left_process, const void *right_process)
{
    const struct process *left = *(const struct process *const *)left_process;
    const struct process *right = *(const struct process *const *)right_process;
    const int reasons = compare_reasons(left, right);
    return reasons != 0 ? reasons : left < right ? -1 : left > right;
}

static int compare_first(const void *left_ranks, const void *right_ranks)
{
    const struct process *left = ((const struct unread_ranks *)left_ranks)->first;
    const struct process *right = ((const struct unread_ranks *)right_ranks)->first;
    return left < right ? -1 : left > right;
}

static struct unread_ranks *append(struct unread_list *list)
{
    list->items = arena_append(list->items, &list->count, sizeof *list->items);
    return &list->items[list->count - 1];
}

static void add_alike(struct unread_list *list, const struct process *const *processes, size_t count)
{
    struct ranks ranks = {.count = 0};
    for (size_t i = 0; i < count; i++)
        ranks_add(&ranks, processes[i]->rank);
    *append(list) = (struct unread_ranks){.first = processes[0], .ranks = ranks_text(&ranks), .count = count};
}

/* Those that have no process. */
static void add_absent(struct unread_list *list, const struct job *job, const struct rank_set *ranks)
{
    struct rank_set absent = rank_set_keep_chosen(&job->absent, ranks);
    if (absent.count > 0)
        *append(list) = (struct unread_ranks){.ranks = format_rank_set(&absent), .count = rank_set_size(&absent)};
    rank_set_clear(&absent);
}

struct unread_list unread_list_make(const struct job *job, const struct rank_set *ranks,
                                    bool (*is_wanted)(const struct process *process))
{
    struct unread_list list = {.count = 0};
    const struct process **unread = allocate(job->process_count * sizeof *unread);
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason != NULL && rank_is_chosen(ranks, job->processes[i].rank) &&
            is_wanted(&job->processes[i]))
            unread[count++] = &job->processes[i];
    qsort(unread, count, sizeof *unread, compare_unread);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_reasons(unread[first], unread[end]) == 0;)
            end++;
        add_alike(&list, unread + first, end - first);
    }
    free(unread);
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, compare_first);
    add_absent(&list, job, ranks);
    return list;
}
