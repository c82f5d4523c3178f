/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds collective calls that most members of a communicator have begun while the others wait elsewhere.
 */
#include "analysis/causes/causes.h"

#include "analysis/calls/calls.h"
#include "base/base.h"

static size_t count_members(const struct communicator *communicator)
{
    return (size_t)communicator->size + (size_t)communicator->remote_size;
}

/* The call of a cycle that more than half of its members have begun; NULL: there is none. */
static const struct wait_subject *find_attended(const struct waits *waits, const struct cause *cause,
                                                const struct known_round **ret_round)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE || subject->communicator == NULL)
            continue;
        *ret_round = meeting_find_round(waits, subject, subject->serial);
        if ((*ret_round)->begun_count * 2 > count_members(subject->communicator))
            return subject;
    }
    return NULL;
}

static const struct collective_call *find_made(const struct known_round *known)
{
    const struct collective_call *made = NULL;
    for (size_t i = 0; i < known->round.members.count && made == NULL; i++)
        made = collective_round_call(&known->round.members.items[i], known->round.serial);
    return made;
}

/* How often the process has received at this place, as far as it is remembered. */
static size_t count_received_at(const struct process *process, const struct site *site)
{
    size_t count = 0;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct operations *completed = &process->communicators[i].completed;
        for (size_t j = 0; j < completed->count; j++)
            count += (completed->items[j].flags & MPILENS_OPERATION_RECEIVE) != 0 &&
                     is_same_place(completed->items[j].details->site, site);
    }
    return count;
}

/* Whether those that have come have received no more at the place where the process waits than it has: then it is
 * already one step further. */
static bool is_ahead(const struct known_round *known, const struct process *process)
{
    const struct thread *thread = find_first_blocked(process);
    if (thread == NULL || thread->site == NULL)
        return false;
    const size_t received = count_received_at(process, thread->site);
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        if (collective_round_has_begun(member, known->round.serial) &&
            count_received_at(member->process, thread->site) > received)
            return false;
    }
    return received > 0;
}

const char *advise_on_left_out_call(const struct cause_text *text, const struct cause *cause, bool *ret_is_likely)
{
    const struct known_round *known;
    const struct wait_subject *meeting = find_attended(text->waits, cause, &known);
    const struct collective_call *made = meeting != NULL ? find_made(known) : NULL;
    if (made == NULL)
        return NULL;
    struct ranks missing = {0};
    bool is_likely = true;
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        if (collective_round_has_begun(member, known->round.serial) || process_can_act(member->process))
            continue;
        ranks_add(&missing, member->process->rank);
        is_likely = is_likely && is_ahead(known, member->process);
    }
    ranks_finish(&missing);
    const char *ranks = ranks_name(&missing);
    const char *at = describe_at(made->site);
    const char *remedy = missing.count > 0
                             ? arena_text("call %s%s on %s as well, as %zu of %zu ranks did", made->function, at, ranks,
                                          known->begun_count, count_members(meeting->communicator))
                             : NULL;
    *ret_is_likely = is_likely;
    return remedy;
}
