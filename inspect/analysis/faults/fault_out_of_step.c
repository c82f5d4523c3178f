/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A member that went out of step before the call in which ranks hang: whoever waits for whom there, it is to blame.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

#include <inttypes.h>

enum { MOST_COMMUNICATORS = 256 }; /* that are looked at where nothing hangs */

static bool find_member(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    struct ranks first = {0};
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct process *owner = cause_node_owner(waits, cause->nodes[i]);
        if (owner != NULL)
            ranks_add(&first, owner->rank);
    }
    ranks_finish(&first);
    const struct out_of_step step = out_of_step_find(&waits->index, meeting->communicator, &first);
    if (step.member == NULL || step.since >= meeting->serial)
        return false;
    cause->out_of_step = step;
    return true;
}

static bool try_meeting(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    if (meeting->object != NULL || meeting->communicator == NULL || !find_member(waits, meeting, cause))
        return false;
    cause->kind = FINDING_COLLECTIVE_MISMATCH;
    cause->communicator = meeting->communicator;
    meeting_add_arrived(waits, meeting, cause);
    cause_add_culprit(cause, cause->out_of_step.member->process->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return (cause->waiter_count == 0 || cause_is_of_collectives(waits, cause)) &&
           cause_look_at_meetings(waits, cause, try_meeting);
}

static const char *describe_made(const struct made_call *made)
{
    return arena_text("%s%s", made->function, describe_at(made->site));
}

static void write_step(FILE *stream, const struct cause_text *text, const struct out_of_step *step)
{
    const char *own = describe_made(&step->own), *usual = describe_made(&step->usual);
    fprintf(stream,
            "rank %d is out of step with the %zu others in the collective calls on %s: its call %" PRIu64 " was %s, "
            "theirs %s",
            step->member->process->rank, step->others, describe_order(text, step->member), step->since, own, usual);
    if (step->last_alike > 0)
        fprintf(stream, "; the last one known to be alike was call %" PRIu64, step->last_alike);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct process *process = cause->out_of_step.member->process;
    const struct thread *thread = find_first_blocked(process);
    write_step(stream, text, &cause->out_of_step);
    if (thread == NULL)
        return;
    const char *call = describe_call_and_place(text, process, thread);
    fprintf(stream, "; now it is in %s", call);
}

static const char *advise_on(const struct cause_text *text, const struct out_of_step *step)
{
    const char *place = describe_order(text, step->member);
    return arena_text("look for a collective call on %s that rank %d has made once more than the others, or "
                      "left out, %s call %" PRIu64,
                      place, step->member->process->rank, step->last_alike > 0 ? "after" : "before",
                      step->last_alike > 0 ? step->last_alike : step->since);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    return advise_on(text, &cause->out_of_step);
}

static void add_finding(const struct cause_text *text, const struct job_members *members,
                        const struct out_of_step *step, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_COLLECTIVE_MISMATCH);
    FILE *stream = arena_open();
    write_step(stream, text, step);
    const char *message = arena_close(stream);
    finding->message = message;
    finding->remedy = advise_on(text, step);
    for (size_t i = 0; i < members->count; i++)
        ranks_add(&finding->ranks, members->items[i].process->rank);
    ranks_add(&finding->culprits, step->member->process->rank);
    finding_finish(finding);
    add_process_evidence(text, step->member->process, finding);
    finding->confirmed = job_was_watched(text->waits->job);
}

void out_of_step_add(const struct cause_text *text, struct findings *findings)
{
    const struct job_index *index = &text->waits->index;
    struct job_members members;
    size_t looked = 0;
    for (size_t i = 0; i < index->member_count && looked < MOST_COMMUNICATORS; i += members.count, looked++) {
        members = job_index_members(index, index->members[i].communicator->id);
        const struct out_of_step step = out_of_step_find_running(index, index->members[i].communicator);
        if (step.member == NULL)
            continue;
        add_finding(text, &members, &step, findings);
        return;
    }
}

const struct fault fault_out_of_step = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
