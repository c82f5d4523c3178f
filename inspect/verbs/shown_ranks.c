/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks the ranks of --rank against the job's.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"

#include <stdlib.h>

/* Which ranks the job has; all others are not below `size`. */
struct ranks_of_job {
    bool *is_there;
    int size;
};

static struct ranks_of_job list_ranks(const struct job *job)
{
    struct ranks_of_job list = {.size = job->size > 0 ? job->size : 0};
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].rank >= list.size)
            list.size = job->processes[i].rank + 1;
    list.is_there = allocate((size_t)list.size + 1);
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].rank >= 0)
            list.is_there[job->processes[i].rank] = true;
    for (size_t i = 0; i < job->absent.count; i++)
        for (int rank = job->absent.ranges[i].first; rank <= job->absent.ranges[i].last && rank < list.size; rank++)
            list.is_there[rank] = true;
    return list;
}

/* The first rank of the range that is there, or where `is_there` is false that is not; -1: none. */
static int find_rank(const struct ranks_of_job *list, const struct rank_range *range, bool is_there)
{
    for (int rank = range->first; rank <= range->last; rank += range->stride) {
        if (rank >= list->size)
            return is_there ? -1 : rank;
        if (list->is_there[rank] == is_there)
            return rank;
        if (range->stride > range->last - rank)
            break;
    }
    return -1;
}

static int describe_missing(const struct job *job, int rank, struct reason *ret_reason)
{
    if (job->size > 0 && rank < job->size)
        return reason_set(ret_reason, "rank %d of the job is not among the processes that you named", rank);
    if (job->size > 0)
        return reason_set(ret_reason, "the job has no rank %d; it has %d rank%s", rank, job->size,
                          job->size == 1 ? "" : "s");
    return reason_set(ret_reason, "the job has no rank %d that is known", rank);
}

int check_shown_ranks(const struct job *job, const struct rank_set *ranks, struct reason *ret_reason)
{
    struct ranks_of_job list = list_ranks(job);
    int missing = -1;
    for (size_t i = 0; i < ranks->count && missing < 0; i++)
        missing = find_rank(&list, &ranks->ranges[i], false);
    free(list.is_there);
    return missing < 0 ? 0 : describe_missing(job, missing, ret_reason);
}

bool has_shown_rank(const struct job *job, const struct rank_set *ranks)
{
    struct ranks_of_job list = list_ranks(job);
    bool has = ranks->count == 0;
    for (size_t i = 0; i < ranks->count && !has; i++)
        has = find_rank(&list, &ranks->ranges[i], true) >= 0;
    free(list.is_there);
    return has;
}
