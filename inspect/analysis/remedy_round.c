/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to change about collective calls that members disagree about, or that members have not come to (MPI 4.0, 6.14).
 */
#include "analysis/known_rounds.h"
#include "analysis/remedy.h"
#include "analysis/round_classes.h"
#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* ": they part after call 4, MPI_Barrier at f.c:9"; "": not known. */
static char *describe_parting(const struct collective_round *round)
{
    const struct collective_call *last = round_last_shared(round);
    if (last == NULL)
        return copy_text("");
    char *at = describe_at(last->site);
    char *said =
        format_text(": they diverge after call %llu, %s%s", (unsigned long long)last->serial, last->function, at);
    free(at);
    return said;
}

static const char *name_argument(enum round_difference difference)
{
    switch (difference) {
    case ROUND_OTHER_ROOT:
        return "name the same root on all ranks";
    case ROUND_OTHER_OP:
        return "name the same operation on all ranks";
    case ROUND_OTHER_SIZE:
        return "give the same number of elements of the same types on all ranks";
    default:
        return "give the same number of elements of the same types on all ranks: the same number of bytes is not "
               "enough";
    }
}

char *remedy_of_round(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    const struct collective_round *round = &cause->round;
    const struct object *object = round->one->object;
    struct round_classes classes = round_classes_find(round);
    const bool other_sites = round_classes_are_of_other_sites(&classes);
    char *parting = describe_parting(round);
    char *remedy;
    if (round->difference == ROUND_OTHER_FUNCTION)
        remedy = format_text("make the collective calls on a %s in the same order on all of its ranks%s",
                             object != NULL ? mpilens_object_kind_name((int)object->kind) : "communicator", parting);
    else if (other_sites)
        remedy = format_text("make the same collective calls in the same order on all ranks%s; or, if these two places "
                             "belong together, %s",
                             parting, name_argument(round->difference));
    else
        remedy = copy_text(name_argument(round->difference));
    free(parting);
    round_classes_clear(&classes);
    return remedy;
}

static const struct communicator *communicator_of(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_COLLECTIVE ? subject->communicator : NULL;
}

/* A call on another communicator, in which those that have not come to this one wait for others; NULL: none. */
static const struct wait_subject *find_crossing(const struct waits *waits, const struct cause *cause)
{
    const struct wait_subject *meeting = &waits->subjects[cause->meeting];
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *other = &waits->subjects[cause->nodes[i]];
        if (communicator_of(other) != NULL && meeting->communicator != NULL &&
            other->communicator->id != meeting->communicator->id)
            return other;
    }
    return NULL;
}

char *remedy_of_missing(const struct cause_text *text, const struct cause *cause)
{
    const struct process *culprit = remedy_only_culprit(text->waits, cause);
    if (culprit != NULL && culprit->state == PROCESS_EXITED)
        return remedy_of_end(culprit);
    if (cause->communicator == NULL)
        return NULL;
    char *culprits = ranks_name(&cause->culprits);
    const char *name = find_label(text->labels, cause->communicator->id);
    const struct wait_subject *crossing = find_crossing(text->waits, cause);
    char *remedy =
        crossing != NULL
            ? format_text("make the collective calls on %s and %s in the same order on all ranks; or, if %s "
                          "left out the one on %s, call it there as well",
                          name, find_label(text->labels, crossing->communicator->id), culprits, name)
            : format_text("call it on %s as well, or on none: all members of %s must take part", culprits, name);
    free(culprits);
    return remedy;
}

static size_t count_members(const struct communicator *communicator)
{
    return (size_t)communicator->size + (size_t)communicator->remote_size;
}

static const struct known_round *find_round(const struct waits *waits, const struct wait_subject *meeting)
{
    const struct job_member one = {.communicator = meeting->communicator, .object = meeting->object};
    return known_round_find(waits->rounds, &waits->index, &one, meeting->serial);
}

/* The call of a cycle that more than half of its members have begun; NULL: there is none. */
static const struct wait_subject *find_attended(const struct waits *waits, const struct cause *cause,
                                                const struct known_round **ret_round)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (communicator_of(subject) == NULL)
            continue;
        *ret_round = find_round(waits, subject);
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
static size_t count_received(const struct process *process, const struct site *site)
{
    size_t count = 0;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct operations *completed = &process->communicators[i].completed;
        for (size_t j = 0; j < completed->count; j++)
            count += (completed->items[j].flags & MPILENS_OPERATION_RECEIVE) != 0 &&
                     is_same_place(completed->items[j].site, site);
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
    const size_t received = count_received(process, thread->site);
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        if (collective_round_has_begun(member, known->round.serial) &&
            count_received(member->process, thread->site) > received)
            return false;
    }
    return received > 0;
}

char *remedy_of_left_out(const struct cause_text *text, const struct cause *cause, bool *ret_is_likely)
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
    char *ranks = ranks_name(&missing);
    char *at = describe_at(made->site);
    char *remedy = missing.count > 0 ? format_text("call %s%s on %s as well, as %zu of %zu ranks did", made->function,
                                                   at, ranks, known->begun_count, count_members(meeting->communicator))
                                     : NULL;
    free(ranks);
    free(at);
    ranks_clear(&missing);
    *ret_is_likely = is_likely;
    return remedy;
}
