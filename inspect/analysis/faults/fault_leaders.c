/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Leaders that do not find each other. Which of the two is wrong cannot be known: both are to blame.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

static bool try_meeting(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    if (meeting->object != NULL)
        return false;
    const struct leaders leaders =
        leaders_find(&waits->index, &meeting_find_round(waits, meeting, meeting->serial)->round);
    if (leaders.state != LEADERS_DISAGREE)
        return false;
    cause->kind = FINDING_COLLECTIVE_MISMATCH;
    cause->leaders = leaders;
    cause_add_culprit(cause, leaders.process->rank);
    cause_add_culprit(cause, leaders.other_process->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_meetings(waits, cause, try_meeting);
}

static bool have_other_tags(const struct leaders *leaders)
{
    return leaders->thread->tag != leaders->other_thread->tag;
}

static bool have_other_communicators(const struct leaders *leaders)
{
    return leaders->thread->peer_communicator_id != leaders->other_thread->peer_communicator_id;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct leaders *leaders = &cause->leaders;
    const char *what = have_other_communicators(leaders) ? "look for each other in different communicators"
                       : have_other_tags(leaders)        ? "look for each other with different tags"
                                                         : "do not look for each other";
    const char *call = describe_call_and_place(text, leaders->process, leaders->thread);
    const char *other_call = describe_call_and_place(text, leaders->other_process, leaders->other_thread);
    fprintf(stream, "ranks %d and %d, the leaders of the two sides, %s: rank %d is in %s; rank %d is in %s",
            leaders->process->rank, leaders->other_process->rank, what, leaders->process->rank, call,
            leaders->other_process->rank, other_call);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    const struct leaders *leaders = &cause->leaders;
    if (have_other_communicators(leaders))
        return "give both leaders the same peer communicator";
    if (have_other_tags(leaders))
        return "give both leaders the same tag";
    return "name as remote leader on each side who leads the other one";
}

const struct fault fault_leaders = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
