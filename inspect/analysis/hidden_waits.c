/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for what cannot be seen.
 */
#include "hidden_waits.h"

#include "allocation.h"
#include "process_activity.h"

#include <stdlib.h>
#include <string.h>

/* Shorter ones are of no interest: jobs wait all the time. */
static const double least_age_s = 5;

/* Whether the node leads to what can act and is no process, through at most `depth` nodes that stand for others. */
static bool leads_to_anything(const struct waits *waits, uint32_t node, int depth)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        if (next == waits->anything ||
            (depth > 0 && waits->subjects[next].kind != SUBJECT_PROCESS && leads_to_anything(waits, next, depth - 1)))
            return true;
    }
    return false;
}

static bool is_hidden_wait(const struct waits *waits, uint32_t node)
{
    const struct wait_subject *subject = &waits->subjects[node];
    return subject->kind == SUBJECT_THREAD && !subject->thread->polling && subject->thread->age_s >= least_age_s &&
           leads_to_anything(waits, node, 2);
}

static const struct wait_subject *find_longest(const struct waits *waits)
{
    const struct wait_subject *longest = NULL;
    for (size_t node = 0; node < waits->subject_count; node++)
        if (is_hidden_wait(waits, (uint32_t)node) &&
            (longest == NULL || waits->subjects[node].thread->age_s > longest->thread->age_s))
            longest = &waits->subjects[node];
    return longest;
}

static char *name_waiting(const struct waits *waits, const struct thread *like)
{
    int *ranks = NULL;
    size_t count = 0;
    for (size_t node = 0; node < waits->subject_count; node++) {
        const struct wait_subject *subject = &waits->subjects[node];
        if (!is_hidden_wait(waits, (uint32_t)node) || subject->thread->site != like->site ||
            strcmp(subject->thread->function, like->function) != 0)
            continue;
        ranks = array_append(ranks, &count, sizeof *ranks);
        ranks[count - 1] = waits->job->processes[subject->process].rank;
    }
    char *names = name_ranks(ranks, count);
    free(ranks);
    return names;
}

char *hidden_waits_describe(const struct cause_text *text)
{
    const struct wait_subject *longest = find_longest(text->waits);
    if (longest == NULL)
        return NULL;
    char *waiting = name_waiting(text->waits, longest->thread);
    char *call = describe_call_and_place(text, &text->waits->job->processes[longest->process], longest->thread);
    char *age = describe_age(longest->thread->age_s);
    char *sentence =
        format_text("%s %s been in %s for %s: what %s for cannot be seen, and may be under way", waiting,
                    is_one_rank(waiting) ? "has" : "have", call, age, is_one_rank(waiting) ? "it waits" : "they wait");
    free(waiting);
    free(call);
    free(age);
    return sentence;
}
