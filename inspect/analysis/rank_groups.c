/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups ranks that do the same, for sentences.
 */
#include "analysis/rank_groups.h"

#include "analysis/finding_patterns.h"
#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* Groups that a sentence speaks of. */
enum { MOST_SPOKEN_OF = 4 };

/* "is in MPI_Barrier" without the verb. */
static void add_told(struct finding *found, int rank, char *doing)
{
    const size_t verb = strcspn(doing, " ");
    char *text = copy_text(doing[verb] != '\0' ? doing + verb + 1 : "");
    doing[verb] = '\0';
    finding_add_evidence(found, rank, 0, text, doing, -1);
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

static void add_rank(const struct cause_text *text, int rank, struct finding *found)
{
    const struct process *process = job_index_process(&text->waits->index, rank);
    const struct thread *thread = process != NULL ? find_in_mpi(process) : NULL;
    if (thread != NULL)
        finding_add_open_evidence(found, rank, 0, "in ", describe_waiting_call(text, process, thread, true),
                                  copy_text("is"), -1);
    else
        add_told(found, rank, process != NULL ? describe_doing(text, process) : copy_text("is not known"));
}

static int compare_groups(const void *left_evidence, const void *right_evidence)
{
    const struct finding_evidence *left = left_evidence;
    const struct finding_evidence *right = right_evidence;
    if (left->ranks.count != right->ranks.count)
        return left->ranks.count > right->ranks.count ? -1 : 1;
    return left->ranks.items[0] < right->ranks.items[0] ? -1 : left->ranks.items[0] > right->ranks.items[0];
}

struct rank_groups rank_groups_find(const struct cause_text *text, const struct ranks *ranks)
{
    struct rank_groups groups = {.found.kind = FINDING_DEADLOCK};
    for (size_t i = 0; i < ranks->count; i++)
        add_rank(text, ranks->items[i], &groups.found);
    finding_close_evidence(&groups.found, ranks->count > MOST_SPOKEN_OF);
    finding_finish(&groups.found);
    if (groups.found.evidence_count > 1)
        qsort(groups.found.evidence, groups.found.evidence_count, sizeof *groups.found.evidence, compare_groups);
    return groups;
}

void rank_groups_clear(struct rank_groups *groups)
{
    struct findings one = {.items = allocate(sizeof *one.items), .count = 1};
    one.items[0] = groups->found;
    findings_clear(&one);
}

static const char *verb_of(const struct finding_evidence *group)
{
    const bool is = strcmp(group->site, "is") == 0;
    if (group->ranks.count == 1)
        return group->site;
    return is ? "are" : "have";
}

/* "; and 5 more ranks". */
static void write_rest(FILE *stream, const struct rank_groups *groups, const char *separator)
{
    size_t count = groups->found.evidence_left_out;
    for (size_t i = MOST_SPOKEN_OF; i < groups->found.evidence_count; i++)
        count += groups->found.evidence[i].ranks.count;
    if (count > 0)
        fprintf(stream, "%s and %zu more", separator, count);
}

void rank_groups_write(FILE *stream, const struct rank_groups *groups)
{
    const struct finding *found = &groups->found;
    if (found->evidence_count == 1 && found->evidence_left_out == 0 && found->evidence[0].ranks.count > 1) {
        fprintf(stream, ": each %s %s", found->evidence[0].site, found->evidence[0].text);
        return;
    }
    for (size_t i = 0; i < found->evidence_count && i < MOST_SPOKEN_OF; i++) {
        const struct finding_evidence *group = &found->evidence[i];
        char *ranks = ranks_name(&group->ranks);
        fprintf(stream, "%s %s %s %s", i == 0 ? ":" : ";", ranks, verb_of(group), group->text);
        free(ranks);
    }
    write_rest(stream, groups, ";");
}

void rank_groups_write_waiting(FILE *stream, const struct rank_groups *groups)
{
    const struct finding *found = &groups->found;
    for (size_t i = 0; i < found->evidence_count && i < MOST_SPOKEN_OF; i++) {
        const struct finding_evidence *group = &found->evidence[i];
        char *ranks = ranks_name(&group->ranks);
        const char *verb = i > 0 ? "" : group->ranks.count == 1 ? " waits" : " wait";
        const bool is_in = strncmp(group->text, "in ", strlen("in ")) == 0;
        fprintf(stream, "%s%s%s %s", i == 0 ? "" : ", ", ranks, verb, is_in ? group->text : "in MPI");
        free(ranks);
    }
    write_rest(stream, groups, ",");
    if (found->evidence_count > 1)
        fputs(",", stream);
}
