/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sentences about ranks that wait for others: who waits where, what the others have not done, what they do instead.
 */
#include "analysis/cause_text.h"
#include "analysis/rank_groups.h"
#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

static int compare_ranks(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return a < b ? -1 : a > b;
}

/* Who waits, and for whom. */
struct sides {
    int *waiting, *awaited; /* in order */
    size_t waiting_count, awaited_count;
    const struct process *waiter; /* the first that is in a call, NULL: none */
    const struct thread *thread;  /* of it */
};

static struct sides find_sides(const struct cause_text *text, const struct cause *cause)
{
    struct sides sides = {.waiting_count = 0};
    sides.awaited = sort_ranks(cause->culprits, cause->culprit_count, &sides.awaited_count);
    sides.waiting = sort_ranks(cause->ranks, cause->rank_count, &sides.waiting_count);
    size_t count = 0;
    for (size_t i = 0; i < sides.waiting_count; i++)
        if (sides.awaited_count == 0 || bsearch(&sides.waiting[i], sides.awaited, sides.awaited_count,
                                                sizeof *sides.awaited, compare_ranks) == NULL)
            sides.waiting[count++] = sides.waiting[i];
    sides.waiting_count = count;
    for (size_t i = 0; i < count && sides.thread == NULL; i++) {
        sides.waiter = job_index_process(&text->waits->index, sides.waiting[i]);
        sides.thread = sides.waiter != NULL ? find_first_blocked(sides.waiter) : NULL;
    }
    return sides;
}

/* "has not unlocked target 2 since MPI_Win_lock at a.c:22", "has not called MPI_Win_post", of what the call needs of
 * that process; NULL: only that it comes. */
static char *describe_omission(const struct sides *sides, const struct process *awaited)
{
    const uint32_t purpose = sides->thread->purpose;
    if (thread_polls_in_turn(sides->thread))
        return NULL;
    if (purpose == MPILENS_PURPOSE_WINDOW_START || purpose == MPILENS_PURPOSE_WINDOW_COMPLETE)
        return copy_text("has not called MPI_Win_post");
    if (purpose == MPILENS_PURPOSE_WINDOW_WAIT)
        return copy_text("has not called MPI_Win_complete");
    const struct window_lock *lock = find_hindering_lock(sides->waiter, sides->thread, awaited);
    if (lock == NULL)
        return NULL;
    char *at = describe_at(lock->site);
    char *said = lock->target_local < 0
                     ? format_text("has not called MPI_Win_unlock_all since MPI_Win_lock_all%s", at)
                     : format_text("has not unlocked target %d since MPI_Win_lock%s", lock->target_local, at);
    free(at);
    return said;
}

/* "has not called MPI_Win_post and is in MPI_Recv(...) at a.c:7". */
static char *describe_awaited(const struct cause_text *text, const struct sides *sides, const struct process *process)
{
    char *omission = sides->thread != NULL ? describe_omission(sides, process) : NULL;
    char *doing = describe_doing(text, process);
    if (omission == NULL)
        return doing;
    char *both = format_text("%s and %s", omission, doing);
    free(omission);
    free(doing);
    return both;
}

/* ", which is in MPI_Recv(...) at a.c:7", for several ranks only where it is the same of all. */
static void write_awaited(FILE *stream, const struct cause_text *text, const struct sides *sides)
{
    char *same = NULL;
    for (size_t i = 0; i < sides->awaited_count; i++) {
        const struct process *process = job_index_process(&text->waits->index, sides->awaited[i]);
        char *said = process != NULL ? describe_awaited(text, sides, process) : NULL;
        const bool differs = said == NULL || (same != NULL && strcmp(said, same) != 0);
        if (differs || same != NULL)
            free(said);
        else
            same = said;
        if (differs) {
            free(same);
            return;
        }
    }
    if (same != NULL && sides->awaited_count == 1)
        fprintf(stream, ", which %s", same);
    else if (same != NULL)
        fprintf(stream, ", each of which %s", same);
    free(same);
}

void cause_write_waiters(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct sides sides = find_sides(text, cause);
    struct rank_groups groups = rank_groups_find(text, sides.waiting, sides.waiting_count);
    char *awaited = name_ranks(sides.awaited, sides.awaited_count);
    rank_groups_write_waiting(stream, &groups);
    fprintf(stream, " for %s", awaited);
    write_awaited(stream, text, &sides);
    rank_groups_clear(&groups);
    free(sides.waiting);
    free(sides.awaited);
    free(awaited);
}

void cause_write_silent(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct process *process = job_index_process(&text->waits->index, cause->ranks[0]);
    char *doing = describe_doing(text, process);
    char *at = describe_at(cause->communicator->site);
    fprintf(stream, "rank %d %s and waits for rank %d, whose destinations in %s%s do not include it", process->rank,
            doing, cause->silent->rank, find_label(text->labels, cause->communicator->id), at);
    free(doing);
    free(at);
}
