/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes processes outside MPI in words.
 */
#include "words/words.h"

#include "base/base.h"
#include "stack/stack.h"

#define OUTSIDE "not in MPI"

const char *describe_outside_briefly(const struct process *process)
{
    return process->state == PROCESS_RUNNING ? arena_copy(OUTSIDE)
                                             : arena_text(OUTSIDE " (%s)", describe_state(process->state));
}

const char *describe_outside(const struct process *process)
{
    const bool waits = process->activity == ACTIVITY_SLEEPING && process->waits_for[0] != '\0';
    const char *activity = waits ? process->waits_for : describe_activity(process->activity);
    const char *place = process->place;
    if (process->activity == ACTIVITY_SLEEPING && process->place_has_called && !waits)
        return arena_text(OUTSIDE ": %s in %s, called by %s", activity, process->called, place);
    if (activity[0] == '\0' && place[0] == '\0')
        return arena_copy(OUTSIDE);
    return arena_text(OUTSIDE ": %s%s%s", activity,
                      activity[0] == '\0' ? "in "
                      : place[0] != '\0'  ? " in "
                                          : "",
                      place);
}

const char *describe_without_call(const struct process *process)
{
    if (process->reason != NULL)
        return arena_text("not read: %s", process->reason);
    switch (process->state) {
    case PROCESS_EXITED:
        return "has exited";
    case PROCESS_FINALIZED:
        return "has left MPI_Finalize";
    case PROCESS_RUNNING:
        return describe_outside(process);
    default:
        return describe_outside_briefly(process);
    }
}
