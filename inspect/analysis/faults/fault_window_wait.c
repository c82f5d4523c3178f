/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks that another rank holds, and epochs or fences that others have not begun or ended.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

static bool is_window_call(const struct waits *waits, const struct wait_subject *subject)
{
    const struct thread *call = wait_subject_call(subject);
    if (call != NULL)
        return call->call_class == MPILENS_CALL_SYNCHRONIZATION || call->call_class == MPILENS_CALL_ONE_SIDED;
    return meeting_is_fence(waits, subject);
}

/* Whether the call (NULL: a fence) waits for what others begin or end, not for a lock. */
static bool is_for_epoch(const struct thread *call)
{
    return call == NULL || call->purpose == MPILENS_PURPOSE_WINDOW_FENCE ||
           call->purpose == MPILENS_PURPOSE_WINDOW_START || call->purpose == MPILENS_PURPOSE_WINDOW_COMPLETE ||
           call->purpose == MPILENS_PURPOSE_WINDOW_WAIT;
}

/* Whether every waiting rank is also waited for. */
static bool all_are_culprits(const struct cause *cause)
{
    return cause->ranks.count == cause->culprits.count && cause->ranks.count > 1;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (!is_window_call(waits, subject) || !waits->graph.nodes[nodes[i]].dead)
            continue;
        const struct thread *call = wait_subject_call(subject);
        if (!found || !is_for_epoch(call))
            cause->kind = is_for_epoch(call) ? FINDING_WINDOW_WAIT : FINDING_LOCK_WAIT;
        if (call != NULL)
            ranks_add(&cause->ranks, waits->job->processes[subject->process].rank);
        meeting_add_awaited(waits, nodes[i], cause);
        found = true;
    }
    ranks_finish(&cause->ranks);
    ranks_finish(&cause->culprits);
    if (found && all_are_culprits(cause)) {
        cause->kind = FINDING_DEADLOCK;
        cause->fault = &fault_deadlock;
    }
    return found;
}

/* The call in which a thread waits for a window; NULL: none, or a fence. */
static const struct thread *find_waiting_on_window(const struct waits *waits, const struct cause *cause,
                                                   bool *ret_is_fence)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        const struct thread *call = wait_subject_call(subject);
        if (call != NULL && waits->graph.nodes[nodes[i]].dead &&
            (call->call_class == MPILENS_CALL_SYNCHRONIZATION || call->call_class == MPILENS_CALL_WINDOW))
            return call;
        if (waits->graph.nodes[nodes[i]].dead && meeting_is_fence(waits, subject)) {
            *ret_is_fence = true;
            return NULL;
        }
    }
    return NULL;
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    bool is_fence = false;
    const struct thread *call = find_waiting_on_window(text->waits, cause, &is_fence);
    if (call == NULL && !is_fence)
        return NULL;
    const uint32_t purpose = call != NULL ? call->purpose : MPILENS_PURPOSE_WINDOW_FENCE;
    const char *culprits = ranks_name(&cause->culprits);
    const char *remedy;
    if (call != NULL && is_lock_call(call))
        remedy = arena_text("have %s unlock before waiting for another rank", culprits);
    else if (purpose == MPILENS_PURPOSE_WINDOW_START || purpose == MPILENS_PURPOSE_WINDOW_COMPLETE)
        remedy = arena_text("have %s call MPI_Win_post, or leave it out of the group of MPI_Win_start", culprits);
    else if (purpose == MPILENS_PURPOSE_WINDOW_WAIT)
        remedy = arena_text("have %s call MPI_Win_complete, or leave it out of the group of MPI_Win_post", culprits);
    else
        remedy =
            arena_text("have %s call %s the same number of times as the others: all members of the window must call it",
                       culprits, call != NULL ? call->function : "MPI_Win_fence");
    return remedy;
}

const struct fault fault_window_wait = {
    .recognize = recognize,
    .describe = write_waiting_sentence,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
