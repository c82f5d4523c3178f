/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups ranks that do the same, for sentences.
 */
#include "analysis/causes/causes.h"

#include "analysis/findings/findings.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Groups that a sentence speaks of. */
enum { MOST_SPOKEN_OF = 4 };

/* "is in MPI_Barrier" without the verb. */
static void add_told(struct evidence_list *groups, int rank, const char *doing)
{
    const size_t verb = strcspn(doing, " ");
    const char *told = strncmp(doing, "is ", strlen("is ")) == 0 ? "" : arena_text("%.*s", (int)verb, doing);
    evidence_add_stack(groups, rank, doing[verb] != '\0' ? doing + verb + 1 : "", told, evidence_place(NULL, NULL), -1);
}

/* The thread that others see blocked, or at least one that is in MPI; NULL: none. */
static const struct thread *find_in_mpi(const struct process *process)
{
    const struct thread *thread = find_first_blocked(process);
    for (size_t i = 0; i < process->thread_count && thread == NULL; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            thread = &process->threads[i];
    return thread;
}

static void add_rank(const struct cause_text *text, int rank, struct evidence_list *groups)
{
    const struct process *process = job_index_process(&text->waits->index, rank);
    const struct thread *thread = process != NULL ? find_in_mpi(process) : NULL;
    if (thread != NULL)
        evidence_add_open(groups, rank, 0, "in ", describe_waiting_call(text, process, thread, true),
                          evidence_place(NULL, NULL), -1);
    else
        add_told(groups, rank, process != NULL ? describe_doing(text, process) : "is not known");
}

static int compare_groups(const void *left_evidence, const void *right_evidence)
{
    const struct evidence *left = left_evidence;
    const struct evidence *right = right_evidence;
    if (left->ranks.count != right->ranks.count)
        return left->ranks.count > right->ranks.count ? -1 : 1;
    return left->ranks.items[0] < right->ranks.items[0] ? -1 : left->ranks.items[0] > right->ranks.items[0];
}

struct evidence_list rank_groups_find(const struct cause_text *text, const struct ranks *ranks)
{
    struct evidence_list groups = {.count = 0};
    for (size_t i = 0; i < ranks->count; i++)
        add_rank(text, ranks->items[i], &groups);
    evidence_close(&groups, ranks->count > MOST_SPOKEN_OF);
    evidence_finish(&groups);
    if (groups.count > 1)
        qsort(groups.items, groups.count, sizeof *groups.items, compare_groups);
    return groups;
}

static const char *verb_of(const struct evidence *group)
{
    const bool is = group->site[0] == '\0';
    if (group->ranks.count == 1)
        return is ? "is" : group->site;
    return is ? "are" : "have";
}

/* "; and 5 more ranks". */
static void write_rest(FILE *stream, const struct evidence_list *groups, const char *separator)
{
    size_t count = groups->left_out;
    for (size_t i = MOST_SPOKEN_OF; i < groups->count; i++)
        count += groups->items[i].ranks.count;
    if (count > 0)
        fprintf(stream, "%s and %zu more", separator, count);
}

void rank_groups_write(FILE *stream, const struct evidence_list *groups)
{
    if (groups->count == 1 && groups->left_out == 0 && groups->items[0].ranks.count > 1) {
        fprintf(stream, ": each %s %s", groups->items[0].site[0] == '\0' ? "is" : groups->items[0].site,
                groups->items[0].text);
        return;
    }
    for (size_t i = 0; i < groups->count && i < MOST_SPOKEN_OF; i++) {
        const struct evidence *group = &groups->items[i];
        const char *ranks = ranks_name(&group->ranks);
        fprintf(stream, "%s %s %s %s", i == 0 ? ":" : ";", ranks, verb_of(group), group->text);
    }
    write_rest(stream, groups, ";");
}

void rank_groups_write_waiting(FILE *stream, const struct evidence_list *groups)
{
    for (size_t i = 0; i < groups->count && i < MOST_SPOKEN_OF; i++) {
        const struct evidence *group = &groups->items[i];
        const char *ranks = ranks_name(&group->ranks);
        const char *verb = i > 0 ? "" : group->ranks.count == 1 ? " waits" : " wait";
        const bool is_in = strncmp(group->text, "in ", strlen("in ")) == 0;
        fprintf(stream, "%s%s%s %s", i == 0 ? "" : ", ", ranks, verb, is_in ? group->text : "in MPI");
    }
    write_rest(stream, groups, ",");
    if (groups->count > 1)
        fputs(",", stream);
}
