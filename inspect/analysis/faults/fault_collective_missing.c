/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that have not reached a collective call.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"

#include <string.h>

/* Calls that one communicator may have more than another of its kind. */
enum { MOST_AHEAD = 8 };

/* The processes that the node, a collective call, waits for. */
static size_t count_missing(const struct waits *waits, uint32_t node)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    size_t count = 0;
    for (uint32_t i = 0; i < self->edge_count; i++)
        count += waits->graph.nodes[waits->graph.successors[self->first_edge + i]].dead;
    return count;
}

static size_t count_begun(const struct waits *waits, const struct wait_subject *meeting)
{
    return meeting_find_round(waits, meeting, meeting->serial)->begun_count;
}

static size_t count_arrived(const struct waits *waits, const struct wait_subject *meeting)
{
    const struct job_members members = meeting_find_round(waits, meeting, meeting->serial)->round.members;
    size_t count = 0;
    for (size_t i = 0; i < members.count; i++)
        count += meeting_has_member(&members.items[i], meeting);
    return count;
}

/* Whether that is the same communicator, or may have as many calls as it. */
static bool is_in_pace(const struct communicator *theirs, const struct wait_subject *call)
{
    return theirs->id == call->communicator->id || theirs->collective_calls < call->serial + MOST_AHEAD;
}

/* How many are in the later call and have begun the earlier one, as those do that make both in that order; or what is
 * the earlier one on a communicator of their own. */
static size_t count_in_order(const struct waits *waits, const struct wait_subject *earlier,
                             const struct wait_subject *later)
{
    const struct job_members members = meeting_find_round(waits, later, later->serial)->round.members;
    size_t count = 0;
    for (size_t i = 0; i < members.count && earlier->object == NULL && earlier->communicator != NULL; i++) {
        const struct collective_call *call = collective_round_call(&members.items[i], later->serial);
        const struct communicator *theirs =
            call != NULL && call->active ? communicator_counterpart(members.items[i].process, earlier->communicator)
                                         : NULL;
        count += theirs != NULL && theirs->collective_calls >= earlier->serial && is_in_pace(theirs, earlier);
    }
    return count;
}

/* Whether members came from it to the other one; or if nobody has made both, more have come to it. */
static bool comes_first(const struct waits *waits, const struct wait_subject *meeting, const struct wait_subject *other)
{
    const size_t before = count_in_order(waits, meeting, other), after = count_in_order(waits, other, meeting);
    return before != after ? before > after : count_begun(waits, meeting) > count_begun(waits, other);
}

/* Whether others also made this call before a call of the cause. */
static bool is_usually_first(const struct waits *waits, const struct cause *cause, uint32_t node)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *other = &waits->subjects[cause->nodes[i]];
        if (cause->nodes[i] != node && other->kind == SUBJECT_COLLECTIVE && other->communicator != NULL &&
            waits->subjects[node].communicator != NULL &&
            count_in_order(waits, &waits->subjects[node], other) > count_in_order(waits, other, &waits->subjects[node]))
            return true;
    }
    return false;
}

/* The call that comes first, of those that the cause is about. */
static uint32_t find_meeting(const struct waits *waits, const struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    uint32_t best = NO_NODE;
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE || !waits->graph.nodes[nodes[i]].dead ||
            meeting_is_fence(waits, subject))
            continue;
        if (best == NO_NODE || comes_first(waits, subject, &waits->subjects[best]))
            best = nodes[i];
    }
    return best;
}

/* Whether every wait of a cycle is for members to come to a call. */
static bool is_of_meetings(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++)
        if (wait_subject_is_message(&waits->subjects[cause->nodes[i]]))
            return false;
    return true;
}

/* Whether one of the polls that the thread makes in turn is at this place. */
static bool polls_at(const struct process *process, const struct site *site)
{
    const struct thread *thread = find_first_blocked(process);
    for (size_t i = 0; thread != NULL && thread->polling && i <= thread->other_poll_count; i++)
        if (is_same_place(find_poll(thread, i)->site, site))
            return true;
    return false;
}

/* Whether ranks that have come to the call also poll at this place. */
static bool is_polled_in_call(const struct waits *waits, const struct cause *cause, const struct known_round *known,
                              const struct site *site)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct process *owner = cause_node_owner(waits, cause->nodes[i]);
        const struct job_member *member = owner != NULL ? job_members_find(&known->round.members, owner->rank) : NULL;
        if (member != NULL && collective_round_has_begun(member, known->round.serial) && polls_at(owner, site))
            return true;
    }
    return false;
}

/* Whether all of them are in the same loop, in which they take the messages of anyone until the call is over: those
 * that have come wait for those that have not. */
static bool is_of_one_loop(const struct waits *waits, const struct cause *cause, const struct wait_subject *meeting)
{
    const struct known_round *known = meeting_find_round(waits, meeting, meeting->serial);
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        const struct thread *call = wait_subject_call(subject);
        if (!wait_subject_is_message(subject))
            continue;
        if (call == NULL || !call->polling || call->peer_local >= 0 ||
            !is_polled_in_call(waits, cause, known, call->site))
            return false;
    }
    return true;
}

static void add_missing(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        if (waits->graph.nodes[next].dead && waits->subjects[next].kind == SUBJECT_PROCESS)
            cause_add_culprit(cause, waits->job->processes[waits->subjects[next].process].rank);
    }
}

/* Ranks that wait in the call, and as culprits those that have not come to it: of members that are gone all at once. */
static void add_meeting(const struct waits *waits, uint32_t node, bool gone, struct cause *cause)
{
    const struct wait_subject *meeting = &waits->subjects[node];
    if (!gone)
        add_missing(waits, node, cause);
    for (uint32_t i = meeting_find_round(waits, meeting, meeting->serial)->last_node; gone && i != NO_NODE;
         i = waits->subjects[i].other_of_round)
        if (waits->graph.nodes[i].dead)
            add_missing(waits, i, cause);
    meeting_add_arrived(waits, meeting, cause);
}

/* The call of the other side of an intercommunicator, for which the one waits whose members have all come; the call
 * itself where it waits for members of its own. */
static uint32_t find_other_side(const struct waits *waits, uint32_t node)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    const uint32_t next = self->edge_count == 1 ? waits->graph.successors[self->first_edge] : node;
    return waits->graph.nodes[next].dead && waits->subjects[next].kind == SUBJECT_COLLECTIVE ? next : node;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    const bool gone = cause->waiter_count > 0;
    if (gone && !cause_is_of_collectives(waits, cause))
        return false;
    const uint32_t first = find_meeting(waits, cause);
    if (first == NO_NODE ||
        (!gone && !is_of_meetings(waits, cause) && !is_of_one_loop(waits, cause, &waits->subjects[first])))
        return false;
    const uint32_t node = find_other_side(waits, first);
    const struct wait_subject *meeting = &waits->subjects[node];
    const size_t arrived =
        count_arrived(waits, meeting) + (node != first ? count_arrived(waits, &waits->subjects[first]) : 0);
    if (!gone && count_missing(waits, node) >= arrived && !is_usually_first(waits, cause, node))
        return false;
    cause->kind = FINDING_COLLECTIVE_MISSING;
    cause->meeting = node;
    cause->communicator = meeting->communicator;
    add_meeting(waits, node, gone, cause);
    if (node != first)
        meeting_add_arrived(waits, &waits->subjects[first], cause);
    return true;
}

/* A call on another communicator, in which those that have not come to this one wait for others; NULL: none. */
static const struct wait_subject *find_crossing(const struct waits *waits, const struct cause *cause)
{
    const struct wait_subject *meeting = &waits->subjects[cause->meeting];
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *other = &waits->subjects[cause->nodes[i]];
        if (other->kind == SUBJECT_COLLECTIVE && other->communicator != NULL && meeting->communicator != NULL &&
            other->communicator->id != meeting->communicator->id)
            return other;
    }
    return NULL;
}

static bool is_over_for_all(const struct waits *waits, const struct cause *cause)
{
    bool is_over = cause->culprits.count > 0;
    for (size_t i = 0; is_over && i < cause->culprits.count; i++) {
        const struct process *culprit = job_index_process(&waits->index, cause->culprits.items[i]);
        is_over = culprit != NULL && (meeting_is_over_for(cause->communicator, culprit) ||
                                      meeting_find_freed(&waits->subjects[cause->meeting], culprit) != NULL);
    }
    return is_over;
}

/* A rank that has freed a communicator has made all its calls on it. */
static const char *advise_on_freed(const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *meeting = &text->waits->subjects[cause->meeting];
    if (meeting->is_exchange)
        return arena_text("give both ends of every edge of %s: each source of a rank must have that rank among its "
                          "destinations, as often",
                          find_label(text->labels, cause->communicator->id));
    const struct job_members members = meeting_find_round(text->waits, meeting, meeting->serial)->round.members;
    const char *order = members.count > 0 ? describe_order(text, &members.items[0])
                                          : arena_copy(find_label(text->labels, cause->communicator->id));
    return arena_text("make the same collective calls on %s on all of its ranks before one %s it", order,
                      meeting->object != NULL && meeting->object->file != NULL ? "closes" : "frees");
}

static bool are_the_same(const struct collective_call *left, const struct collective_call *right)
{
    return strcmp(left->function, right->function) == 0 && left->has_root == right->has_root &&
           left->root == right->root && left->count == right->count && left->bytes == right->bytes;
}

/* A call that the others made meanwhile and the rank did not: its own call on another communicator. */
struct elsewhere {
    struct ranks ranks; /* the ranks that made it */
    const struct communicator *communicator;
    const struct collective_call *call; /* of the first of them */
};

static void look_on(const struct waits *waits, const struct process *process, const struct communicator *communicator,
                    const struct collective_call *own, struct elsewhere *ret_elsewhere)
{
    const struct job_member one = {.process = process, .communicator = communicator};
    const uint64_t serial = communicator->collective_calls + 1;
    const struct known_round *known = known_round_find(waits->rounds, &waits->index, &one, serial);
    struct elsewhere elsewhere = {.communicator = communicator};
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        const struct collective_call *call = collective_round_call(member, serial);
        if (call == NULL || !are_the_same(call, own))
            continue;
        ranks_add(&elsewhere.ranks, member->process->rank);
        elsewhere.call = elsewhere.call != NULL ? elsewhere.call : call;
    }
    if (elsewhere.ranks.count * 2 > (size_t)communicator->size && ret_elsewhere->call == NULL)
        *ret_elsewhere = elsewhere;
}

/* Where the rank's call, which nobody else has made on its communicator, was meant to be made. Where the others wait in
 * it, it may as well be one of two calls in the wrong order. */
static struct elsewhere find_elsewhere(const struct waits *waits, const struct cause *cause,
                                       const struct process *process, const struct wait_subject *crossing)
{
    struct elsewhere elsewhere = {.call = NULL};
    const struct known_round *known = meeting_find_round(waits, crossing, crossing->serial);
    const struct job_member *self = job_members_find(&known->round.members, process->rank);
    const struct collective_call *own = self != NULL ? collective_round_call(self, crossing->serial) : NULL;
    if (own == NULL || known->begun_count != 1)
        return elsewhere;
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].id != crossing->communicator->id &&
            process->communicators[i].id != cause->communicator->id)
            look_on(waits, process, &process->communicators[i], own, &elsewhere);
    ranks_finish(&elsewhere.ranks);
    return elsewhere;
}

/* NULL: the call is on the right communicator, as far as is known. */
static const char *advise_on_communicator(const struct cause_text *text, const struct cause *cause,
                                          const struct process *culprit, const struct wait_subject *crossing)
{
    struct elsewhere elsewhere = find_elsewhere(text->waits, cause, culprit, crossing);
    if (elsewhere.call == NULL)
        return NULL;
    const char *others = ranks_name(&elsewhere.ranks);
    const char *at = describe_at(elsewhere.call->site);
    const char *name = find_label(text->labels, elsewhere.communicator->id);
    const char *remedy =
        arena_text("have rank %d call %s on %s, not on %s: %s %s made it there%s, and rank %d has not", culprit->rank,
                   elsewhere.call->function, name, find_label(text->labels, crossing->communicator->id), others,
                   elsewhere.ranks.count == 1 ? "has" : "have", at, culprit->rank);
    return remedy;
}

/* The first call that one of the members has made there; NULL: none is remembered. */
static const struct collective_call *find_call(const struct waits *waits, const struct wait_subject *meeting)
{
    const struct known_round *known = meeting_find_round(waits, meeting, meeting->serial);
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct collective_call *call = collective_round_call(&known->round.members.items[i], meeting->serial);
        if (call != NULL)
            return call;
    }
    return NULL;
}

/* A call that only this rank has begun, on another communicator, and that resembles the call in which the others wait;
 * NULL: none. */
static const struct collective_call *find_misplaced(const struct waits *waits, const struct cause *cause,
                                                    const struct process *culprit, uint64_t *ret_communicator_id)
{
    const struct wait_subject *meeting = &waits->subjects[cause->meeting];
    const struct collective_call *theirs = meeting->object == NULL ? find_call(waits, meeting) : NULL;
    for (size_t i = 0; i < culprit->communicator_count && theirs != NULL; i++) {
        const struct communicator *communicator = &culprit->communicators[i];
        const struct job_member self = {.process = culprit, .communicator = communicator};
        for (size_t j = 0; j < communicator->collective_call_count && communicator->id != cause->communicator->id;
             j++) {
            const struct collective_call *own = &communicator->recent_collectives[j];
            if (!own->active || !are_the_same(own, theirs) ||
                known_round_find(waits->rounds, &waits->index, &self, own->serial)->begun_count != 1)
                continue;
            *ret_communicator_id = communicator->id;
            return own;
        }
    }
    return NULL;
}

/* The requests that the rank waits for at once; 0: it is in another call. */
static uint64_t count_awaited(const struct process *process)
{
    uint64_t count = 0;
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].call_class == MPILENS_CALL_WAIT && process->threads[i].waiting_count > count)
            count = process->threads[i].waiting_count;
    return count;
}

/* Calls that are begun at once have no order among communicators. NULL: they are no such. */
static const char *advise_on_requests(const struct cause_text *text, const struct cause *cause,
                                      const struct process *culprit, const struct wait_subject *crossing)
{
    const uint64_t awaited = count_awaited(culprit);
    const char *name = find_label(text->labels, cause->communicator->id);
    const char *other = find_label(text->labels, crossing->communicator->id);
    uint64_t misplaced_id = 0;
    const struct collective_call *misplaced = find_misplaced(text->waits, cause, culprit, &misplaced_id);
    if (awaited > 0 && misplaced != NULL) {
        const char *at = describe_at(misplaced->site);
        const char *remedy =
            arena_text("have rank %d call %s on %s, as the others do, not on %s%s%s", culprit->rank,
                       misplaced->function, name, find_label(text->labels, misplaced_id), at,
                       awaited > 1 ? "" : "; or wait on all ranks for the calls on both in the same order");
        return remedy;
    }
    return awaited > 1 ? arena_text("make the same collective calls on %s and on %s on all ranks", name, other) : NULL;
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    const struct process *culprit = cause_only_culprit(text->waits, cause);
    if (culprit != NULL && culprit->state == PROCESS_EXITED)
        return advise_on_exit(culprit);
    if (cause->communicator == NULL)
        return NULL;
    if (is_over_for_all(text->waits, cause))
        return advise_on_freed(text, cause);
    const struct wait_subject *crossing = find_crossing(text->waits, cause);
    const char *remedy =
        crossing != NULL && culprit != NULL ? advise_on_communicator(text, cause, culprit, crossing) : NULL;
    if (remedy == NULL && crossing != NULL && culprit != NULL)
        remedy = advise_on_requests(text, cause, culprit, crossing);
    if (remedy != NULL)
        return remedy;
    const char *culprits = ranks_name(&cause->culprits);
    const char *name = find_label(text->labels, cause->communicator->id);
    remedy = crossing != NULL
                 ? arena_text("make the collective calls on %s and %s in the same order on all ranks; or, if %s "
                              "left out the one on %s, call it there as well",
                              name, find_label(text->labels, crossing->communicator->id), culprits, name)
                 : arena_text("call it on %s as well, or on none: all members of %s must take part", culprits, name);
    return remedy;
}

/* Adds the last calls of members that have freed the object. */
static void add_freed(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct wait_subject *meeting = &text->waits->subjects[cause->meeting];
    for (size_t i = 0; i < cause->culprits.count; i++) {
        const struct process *culprit = job_index_process(&text->waits->index, cause->culprits.items[i]);
        const struct freed_object *freed = culprit != NULL ? meeting_find_freed(meeting, culprit) : NULL;
        if (freed != NULL && freed->last_function[0] != '\0')
            evidence_add(&finding->evidence, culprit->rank, 0,
                         arena_text("made call %llu there before it %s it: %s",
                                    (unsigned long long)freed_object_calls(freed, false),
                                    freed->kind == MPILENS_OBJECT_FILE ? "closed" : "freed", freed->last_function),
                         evidence_place(freed->last_site, freed->last_function), -1);
    }
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    add_freed(text, cause, finding);
    cause_add_idle(text, cause, finding);
}

const struct fault fault_collective_missing = {
    .recognize = recognize,
    .describe = write_waiting_sentence,
    .advise = advise,
    .add_evidence = add_evidence,
};
