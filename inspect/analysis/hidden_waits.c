/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes waits whose object cannot be seen.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"
#include "stack/stack.h"

#include <string.h>

/* Shorter ones are of no interest: jobs wait all the time. */
static const double least_age_s = 5;

/* The result for a node on which many wait, so that it is examined once. */
enum knowledge { NOT_KNOWN, LEADS_NOWHERE, LEADS_TO_ANYTHING };

struct search {
    const struct waits *waits;
    unsigned char *known; /* by node: enum knowledge */
};

static bool stands_for_many(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_COLLECTIVE || subject->kind == SUBJECT_MEMBERS || subject->kind == SUBJECT_CALL;
}

/* Whether the node leads to what can act and is no process, through at most `depth` nodes that stand for others. */
static bool leads_to_anything(struct search *search, uint32_t node, int depth)
{
    const struct waits *waits = search->waits;
    const struct wait_node *self = &waits->graph.nodes[node];
    if (search->known[node] != NOT_KNOWN)
        return search->known[node] == LEADS_TO_ANYTHING;
    bool leads = false;
    for (uint32_t i = 0; i < self->edge_count && !leads; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        leads = next == waits->anything || (depth > 0 && waits->subjects[next].kind != SUBJECT_PROCESS &&
                                            leads_to_anything(search, next, depth - 1));
    }
    if (stands_for_many(&waits->subjects[node]))
        search->known[node] = leads ? LEADS_TO_ANYTHING : LEADS_NOWHERE;
    return leads;
}

static bool is_hidden_wait(struct search *search, uint32_t node)
{
    const struct wait_subject *subject = &search->waits->subjects[node];
    return subject->kind == SUBJECT_THREAD && !subject->thread->polling && subject->thread->age_s >= least_age_s &&
           leads_to_anything(search, node, 2);
}

static const struct wait_subject *find_longest(struct search *search)
{
    const struct waits *waits = search->waits;
    const struct wait_subject *longest = NULL;
    for (size_t node = 0; node < waits->subject_count; node++)
        if (is_hidden_wait(search, (uint32_t)node) &&
            (longest == NULL || waits->subjects[node].thread->age_s > longest->thread->age_s))
            longest = &waits->subjects[node];
    return longest;
}

/* Ranks of those that wait in the same call. */
static struct ranks find_waiting(struct search *search, const struct thread *like)
{
    const struct waits *waits = search->waits;
    struct ranks ranks = {0};
    for (size_t node = 0; node < waits->subject_count; node++) {
        const struct wait_subject *subject = &waits->subjects[node];
        if (!is_hidden_wait(search, (uint32_t)node) || subject->thread->site != like->site ||
            strcmp(subject->thread->function, like->function) != 0)
            continue;
        ranks_add(&ranks, waits->job->processes[subject->process].rank);
    }
    ranks_finish(&ranks);
    return ranks;
}

const char *hidden_waits_describe(const struct cause_text *text)
{
    struct search search = {.waits = text->waits, .known = arena_allocate(text->waits->subject_count + 1)};
    const struct wait_subject *longest = find_longest(&search);
    struct ranks waiting = {0};
    if (longest != NULL)
        waiting = find_waiting(&search, longest->thread);
    if (longest == NULL)
        return NULL;
    const char *call = describe_call_and_place(text, &text->waits->job->processes[longest->process], longest->thread);
    const char *age = describe_age(longest->thread->age_s);
    const char *names = ranks_name(&waiting);
    const bool is_alone = waiting.count == 1;
    const char *sentence =
        arena_text("%s %s been in %s for %s: %s for something that cannot be seen and may be under way", names,
                   is_alone ? "has" : "have", call, age, is_alone ? "it waits" : "they wait");
    return sentence;
}
