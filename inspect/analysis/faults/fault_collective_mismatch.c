/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that disagree about a collective call: about its function, root, operation or sizes.
 *
 * The advice follows MPI 4.0, 6.14.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"

#include <inttypes.h>
#include <string.h>

/* Earlier calls of a communicator that are also examined: a rank that took a wrong turn there may be one call ahead. */
enum { EARLIER_ROUNDS = 8 };

/* Classes that a sentence speaks of. */
enum { MOST_SPOKEN_OF = 3 };

/* The last one came so short a time ago that others may be on their way. */
static const double early_s = 10;

static bool find_difference(const struct waits *waits, const struct wait_subject *meeting,
                            struct collective_round *ret_round)
{
    const uint64_t first = meeting->serial > EARLIER_ROUNDS ? meeting->serial - EARLIER_ROUNDS : 1;
    for (uint64_t i = first; i <= meeting->serial; i++) {
        const struct collective_round *round = &meeting_find_round(waits, meeting, i)->round;
        if (round->difference == ROUND_ALIKE || round->difference >= ROUND_OTHER_AMOUNT ||
            (round->difference == ROUND_OTHER_SIZE && collective_round_is_over(round)))
            continue;
        *ret_round = *round;
        return true;
    }
    return false;
}

/* The odd ones out are to blame; where nobody is, all are that differ. */
static void blame_odd_ones(struct cause *cause)
{
    struct round_classes classes = round_classes_find(&cause->round);
    const bool has_usual = round_classes_have_usual(&classes);
    for (size_t i = 0; i < classes.count; i++) {
        ranks_add_all(&cause->ranks, &classes.items[i].ranks);
        if (i > 0 || !has_usual)
            ranks_add_all(&cause->culprits, &classes.items[i].ranks);
    }
    ranks_add_all(&cause->ranks, &classes.others);
}

static bool try_meeting(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    if (!find_difference(waits, meeting, &cause->round))
        return false;
    cause->kind = FINDING_COLLECTIVE_MISMATCH;
    cause->communicator = meeting->communicator;
    blame_odd_ones(cause);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return (cause->waiter_count == 0 || cause_is_of_collectives(waits, cause)) &&
           cause_look_at_meetings(waits, cause, try_meeting);
}

/* Ranks and communicators of each that are looked at. */
enum { MOST_LOOKED_AT = 64 };

/* Whether members disagree about a call that they have made before, and most of them agree. */
static bool find_earlier(const struct waits *waits, const struct job_member *member, struct collective_round *ret_round)
{
    for (size_t i = 0; i < member->communicator->collective_call_count; i++) {
        const struct collective_round *round =
            &known_round_find(waits->rounds, &waits->index, member, member->communicator->recent_collectives[i].serial)
                 ->round;
        if (round->difference == ROUND_ALIKE || round->difference >= ROUND_OTHER_SIZE)
            continue;
        struct round_classes classes = round_classes_find(round);
        const bool has_usual = round_classes_have_usual(&classes);
        if (!has_usual)
            continue;
        *ret_round = *round;
        return true;
    }
    return false;
}

/* Ranks that hang for another reason, by data or turns that such a call has given them. */
static bool recognize_earlier(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count && i < MOST_LOOKED_AT; i++) {
        const struct process *owner = cause_node_owner(waits, cause->nodes[i]);
        for (size_t j = 0; owner != NULL && j < owner->communicator_count && j < MOST_LOOKED_AT; j++) {
            const struct job_member member = {.process = owner, .communicator = &owner->communicators[j]};
            if (!find_earlier(waits, &member, &cause->round))
                continue;
            cause->kind = FINDING_COLLECTIVE_MISMATCH;
            cause->communicator = member.communicator;
            blame_odd_ones(cause);
            for (size_t k = 0; k < cause->node_count; k++)
                cause_add_owner(waits, cause->nodes[k], cause, false);
            return true;
        }
    }
    return false;
}

static bool is_amount(enum round_difference difference)
{
    return difference == ROUND_OTHER_SIZE || difference == ROUND_OTHER_SIGNATURE;
}

static bool is_between_groups(const struct job_member *member)
{
    return member->object == NULL && member->communicator->intercommunicator;
}

/* "root 2"; between groups, each of which gives another number, "rank 4 as root". */
static const char *name_root(const struct job_member *member, const struct collective_call *call)
{
    if (!is_between_groups(member))
        return arena_text("root %d", call->root);
    const int root = collective_named_root(member, call);
    return root >= 0 ? arena_text("rank %d as root", root) : "another rank of its group as root";
}

/* " with root 2 at f.c:14". */
static void write_arguments(FILE *stream, const struct round_class *class, enum round_difference difference)
{
    const struct collective_call *call = class->call;
    if (difference == ROUND_OTHER_ROOT)
        fprintf(stream, " with %s", name_root(class->first, call));
    if (difference == ROUND_OTHER_OP)
        fprintf(stream, " with %s", call->has_own_op ? "an op of its own" : call->op_name);
    if (difference == ROUND_OTHER_ARGUMENTS)
        fprintf(stream, " with %s", call->arguments);
    if (is_amount(difference)) {
        fprintf(stream, " with %s", describe_amount(call->count, call->bytes, call->datatype));
    }
    const char *at = describe_at(call->site);
    fprintf(stream, "%s%s", at, class->has_other_sites && at[0] != '\0' ? " and elsewhere" : "");
}

/* "calls MPI_Barrier at f.c:14". */
static void write_class(FILE *stream, const struct round_class *class, enum round_difference difference)
{
    fprintf(stream, "call%s %s", class->ranks.count == 1 ? "s" : "", class->call->function);
    write_arguments(stream, class, difference);
}

/* "rank 1 (1 of 4 ranks) calls MPI_Barrier at f.c:14 where the others call MPI_Allreduce at f.c:13". */
static void write_odd_ones(FILE *stream, const struct round_classes *classes, enum round_difference difference)
{
    const struct round_class *usual = &classes->items[0];
    for (size_t i = 1; i < classes->count && i <= MOST_SPOKEN_OF; i++) {
        const struct round_class *class = &classes->items[i];
        const char *ranks = ranks_name(&class->ranks);
        fprintf(stream, "%s%s (%zu of %zu ranks) ", i > 1 ? ", " : "", ranks, class->ranks.count, classes->size);
        write_class(stream, class, difference);
    }
    if (classes->count > MOST_SPOKEN_OF + 1)
        fputs(", and more ranks differ,", stream);
    const bool same = strcmp(usual->call->function, classes->items[1].call->function) == 0;
    fprintf(stream, " where the other%s%s call%s %s", usual->ranks.count == 1 ? "" : "s",
            classes->is_of_group ? " of that group" : "", usual->ranks.count == 1 ? "s" : "",
            same ? "it" : usual->call->function);
    write_arguments(stream, usual, difference);
}

/* "ranks [0,1] call MPI_Barrier at f.c:14, ranks [2,3] call MPI_Allreduce at f.c:13". */
static void write_sides(FILE *stream, const struct round_classes *classes, enum round_difference difference)
{
    for (size_t i = 0; i < classes->count && i <= MOST_SPOKEN_OF; i++) {
        const char *ranks = ranks_name(&classes->items[i].ranks);
        fprintf(stream, "%s%s ", i > 0 ? ", " : "", ranks);
        write_class(stream, &classes->items[i], difference);
    }
    if (classes->count > MOST_SPOKEN_OF + 1)
        fputs(", and more ranks differ", stream);
}

static void write_missing(FILE *stream, const struct round_classes *classes)
{
    if (classes->missing.count == 0)
        return;
    const char *ranks = ranks_name(&classes->missing);
    fprintf(stream, "; %s %s not reached it yet", ranks, classes->missing.count == 1 ? "has" : "have");
    if (classes->last_s < 0 || classes->last_s > early_s)
        return;
    fprintf(stream, " (the last rank arrived %s ago)", describe_age(classes->last_s));
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct collective_round *round = &cause->round;
    struct round_classes classes = round_classes_find(round);
    fprintf(stream, "the ranks disagree about collective call %llu on %s: ", (unsigned long long)round->serial,
            describe_order(text, round->one));
    if (round_classes_have_usual(&classes) && classes.count > 1)
        write_odd_ones(stream, &classes, round->difference);
    else
        write_sides(stream, &classes, round->difference);
    write_missing(stream, &classes);
}

/* ": they part after call 4, MPI_Barrier at f.c:9"; "": not known. */
static const char *describe_parting(const struct collective_round *round)
{
    const struct collective_call *last = round_last_shared(round);
    if (last == NULL)
        return "";
    return arena_text(": they diverge after call %llu, %s%s", (unsigned long long)last->serial, last->function,
                      describe_at(last->site));
}

static const char *name_argument(const struct collective_round *round, bool is_of_group)
{
    switch (round->difference) {
    case ROUND_OTHER_ROOT:
        if (is_between_groups(round->one))
            return "in the group of the root, give MPI_ROOT at the root and MPI_PROC_NULL at all others; in the other "
                   "group, give the rank that the root has in its own group";
        return "name the same root on all ranks";
    case ROUND_OTHER_OP:
        return "name the same operation on all ranks";
    case ROUND_OTHER_ARGUMENTS:
        return is_of_group ? "give the same arguments on all ranks of a group" : "give the same arguments on all ranks";
    case ROUND_OTHER_SIZE:
        return "give the same number of elements of the same types on all ranks";
    default:
        return "give the same number of elements of the same types on all ranks: the same number of bytes is not "
               "enough";
    }
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    const struct collective_round *round = &cause->round;
    const struct object *object = round->one->object;
    struct round_classes classes = round_classes_find(round);
    const bool other_sites = round_classes_are_of_other_sites(&classes);
    const char *parting = describe_parting(round);
    const char *remedy;
    if (round->difference == ROUND_OTHER_FUNCTION)
        remedy = arena_text("make the collective calls on a %s in the same order on all of its ranks%s",
                            object != NULL ? mpilens_object_kind_name((int)object->kind) : "communicator", parting);
    else if (other_sites)
        remedy = arena_text("make the same collective calls in the same order on all ranks%s; or, if these two places "
                            "belong together, %s",
                            parting, name_argument(round, classes.is_of_group));
    else
        remedy = arena_copy(name_argument(round, classes.is_of_group));
    return remedy;
}

/* It has forgotten the call, and tells by how few it made of that kind. */
static void add_against(const struct cause_text *text, const struct round_classes *classes,
                        const struct job_member *member, struct finding *finding)
{
    for (size_t i = 0; i < classes->count; i++) {
        const struct round_class *class = &classes->items[i];
        if (!ranks_has(&class->against, member->process->rank))
            continue;
        evidence_add_text(&finding->evidence, member->process->rank,
                          arena_text("made %" PRIu64 " calls on %s, %" PRIu64 " of the kind of %s",
                                     member->communicator->collective_calls, describe_order(text, member),
                                     collective_class_count(member, class->call->collective_class),
                                     class->call->function));
        return;
    }
}

static void add_round(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    struct round_classes classes = round_classes_find(&cause->round);
    for (size_t i = 0; i < cause->round.members.count; i++) {
        const struct job_member *member = &cause->round.members.items[i];
        const struct collective_call *call = collective_round_call(member, cause->round.serial);
        if (call == NULL) {
            if (member->object == NULL)
                add_against(text, &classes, member, finding);
            continue;
        }
        const char *place = describe_order(text, member);
        const char *root = call->has_root && (call->root >= 0 || call->root_side != 0)
                               ? arena_text(", %s", name_root(member, call))
                               : "";
        const char *op = call->op_name[0] != '\0' ? arena_text(", %s", call->op_name) : "";
        const char *amount = describe_amount(call->count, call->bytes, call->datatype);
        const char *arguments = call->arguments != NULL ? call->arguments : "";
        const char *said =
            arena_text("made call %llu on %s: %s%s%s%s%s%s%s", (unsigned long long)call->serial, place, call->function,
                       root, op, amount[0] != '\0' ? ", " : "", amount, arguments[0] != '\0' ? ", " : "", arguments);
        evidence_add(&finding->evidence, member->process->rank, 0, said, evidence_place(call->site, call->function),
                     call->age_s);
    }
}

/* Where the ways of the members part. */
static void add_last_shared(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct collective_call *last = round_last_shared(&cause->round);
    for (size_t i = 0; last != NULL && i < cause->round.members.count; i++) {
        const struct job_member *member = &cause->round.members.items[i];
        const struct collective_call *call = collective_round_call(member, last->serial);
        if (call == NULL)
            continue;
        const char *place = describe_order(text, member);
        evidence_add(&finding->evidence, member->process->rank, 0,
                     arena_text("made call %llu on %s: %s, the last one that all made at the same place",
                                (unsigned long long)last->serial, place, call->function),
                     evidence_place(call->site, call->function), call->age_s);
    }
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    add_round(text, cause, finding);
    add_last_shared(text, cause, finding);
    cause_add_idle(text, cause, finding);
}

/* Whether the members disagreed before the call that the thread has been in for long. */
static bool find_before(const struct waits *waits, const struct process *process, const struct thread *thread,
                        struct cause *cause)
{
    const struct object *object = NULL;
    const struct collective_call *call =
        thread_is_blocked(thread) && thread->age_s > early_s ? find_current_collective(process, thread, &object) : NULL;
    cause->communicator = find_communicator(process, thread->communicator_id);
    if (call == NULL || object != NULL || cause->communicator == NULL)
        return false;
    const struct wait_subject meeting = {
        .kind = SUBJECT_COLLECTIVE, .communicator = cause->communicator, .serial = call->serial};
    return find_difference(waits, &meeting, &cause->round);
}

static void add_finding(const struct cause_text *text, struct cause *cause, struct findings *findings)
{
    blame_odd_ones(cause);
    FILE *stream = arena_open();
    describe(stream, text, cause);
    struct finding *finding = findings_add(findings, FINDING_COLLECTIVE_MISMATCH);
    finding->message = arena_close(stream);
    finding->remedy = advise(text, cause);
    ranks_add_all(&finding->ranks, &cause->ranks);
    ranks_add_all(&finding->culprits, &cause->culprits);
    finding_finish(finding);
    add_round(text, cause, finding);
    add_last_shared(text, cause, finding);
    finding->confirmed = job_was_watched(text->waits->job);
}

void collective_mismatch_add(const struct cause_text *text, struct findings *findings)
{
    const struct job *job = text->waits->job;
    struct cause cause = {.kind = FINDING_COLLECTIVE_MISMATCH};
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].thread_count; j++)
            if (find_before(text->waits, &job->processes[i], &job->processes[i].threads[j], &cause)) {
                add_finding(text, &cause, findings);
                return;
            }
}

const struct fault fault_earlier_mismatch = {
    .recognize = recognize_earlier,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};

const struct fault fault_collective_mismatch = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
