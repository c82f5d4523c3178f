/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes sentences about ranks that wait for others: where they wait, and what the others do instead.
 */
#include "analysis/causes/causes.h"

#include "analysis/calls/calls.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

#include <string.h>

/* The waiting and the awaited ranks. */
struct sides {
    struct ranks waiting;
    const struct ranks *awaited;
    const struct process *waiter;            /* the first that is in a call, NULL: none */
    const struct thread *thread;             /* of it */
    const struct communicator *communicator; /* of the collective call that members have not come to; NULL: none */
    const struct wait_subject *meeting;      /* that call; NULL: none */
};

static struct sides find_sides(const struct cause_text *text, const struct cause *cause)
{
    struct sides sides = {
        .awaited = &cause->culprits,
        .communicator = cause->kind == FINDING_COLLECTIVE_MISSING ? cause->communicator : NULL,
        .meeting = cause->kind == FINDING_COLLECTIVE_MISSING ? &text->waits->subjects[cause->meeting] : NULL,
    };
    for (size_t i = 0; i < cause->ranks.count; i++)
        if (!ranks_has(sides.awaited, cause->ranks.items[i]))
            ranks_add(&sides.waiting, cause->ranks.items[i]);
    for (size_t i = 0; i < sides.waiting.count && sides.thread == NULL; i++) {
        sides.waiter = job_index_process(&text->waits->index, sides.waiting.items[i]);
        sides.thread = sides.waiter != NULL ? find_first_blocked(sides.waiter) : NULL;
    }
    return sides;
}

/* "has freed it after 6 collective calls by MPI_Comm_free at a.c:20". */
static const char *describe_freed(const struct freed_object *freed)
{
    const uint64_t calls = freed_object_calls(freed, false);
    return arena_text("has %s it after %llu collective call%s%s%s%s",
                      freed->kind == MPILENS_OBJECT_FILE ? "closed" : "freed", (unsigned long long)calls,
                      calls == 1 ? "" : "s", freed->function[0] != '\0' ? " by " : "", freed->function,
                      freed->function[0] != '\0' ? describe_at(freed->site) : "");
}

/* "has not unlocked target 2 since MPI_Win_lock at a.c:22", "has not called MPI_Win_post", of what the call needs of
 * that process; NULL: only that it comes. */
static const char *describe_omission(const struct sides *sides, const struct process *awaited)
{
    const uint32_t purpose = sides->thread->purpose;
    const struct freed_object *freed = sides->meeting != NULL ? meeting_find_freed(sides->meeting, awaited) : NULL;
    if (freed != NULL)
        return describe_freed(freed);
    if (meeting_is_over_for(sides->communicator, awaited))
        return "has freed it";
    if (thread_polls_in_turn(sides->thread))
        return NULL;
    if (purpose == MPILENS_PURPOSE_WINDOW_START || purpose == MPILENS_PURPOSE_WINDOW_COMPLETE)
        return "has not called MPI_Win_post";
    if (purpose == MPILENS_PURPOSE_WINDOW_WAIT)
        return "has not called MPI_Win_complete";
    const struct window_lock *lock = find_hindering_lock(sides->waiter, sides->thread, awaited);
    if (lock == NULL)
        return NULL;
    const char *at = describe_at(lock->site);
    return lock->target_local < 0
               ? arena_text("has not called MPI_Win_unlock_all since MPI_Win_lock_all%s", at)
               : arena_text("has not unlocked target %d since MPI_Win_lock%s", lock->target_local, at);
}

/* "has not called MPI_Win_post and is in MPI_Recv(...) at a.c:7". */
static const char *describe_awaited(const struct cause_text *text, const struct sides *sides,
                                    const struct process *process)
{
    const char *omission = sides->thread != NULL ? describe_omission(sides, process) : NULL;
    const char *doing = describe_doing(text, process);
    if (omission == NULL)
        return doing;
    return arena_text("%s and %s", omission, doing);
}

/* ", which is in MPI_Recv(...) at a.c:7", for several ranks only where it is the same of all. */
static void write_awaited(FILE *stream, const struct cause_text *text, const struct sides *sides)
{
    const char *same = NULL;
    for (size_t i = 0; i < sides->awaited->count; i++) {
        const struct process *process = job_index_process(&text->waits->index, sides->awaited->items[i]);
        const char *said = process != NULL ? describe_awaited(text, sides, process) : NULL;
        const bool differs = said == NULL || (same != NULL && strcmp(said, same) != 0);
        if (differs)
            return;
        same = same == NULL ? said : same;
    }
    if (same != NULL && sides->awaited->count == 1)
        fprintf(stream, ", which %s", same);
    else if (same != NULL)
        fprintf(stream, ", each of which %s", same);
}

void write_waiting_sentence(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct sides sides = find_sides(text, cause);
    struct evidence_list groups = rank_groups_find(text, &sides.waiting);
    const char *awaited = ranks_name(sides.awaited);
    rank_groups_write_waiting(stream, &groups);
    fprintf(stream, " for %s", awaited);
    write_awaited(stream, text, &sides);
}
