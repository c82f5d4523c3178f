/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that were not read, those with the same reason together.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_UNREAD_RANKS_H
#define MPILENS_INSPECT_RENDER_TEXT_UNREAD_RANKS_H

#include "model/model.h"

struct unread_ranks {
    const struct process *first; /* whose state and reason are those of all; NULL: those of job.absent */
    char *ranks;                 /* "3" or "[3-7]", "?" where no rank is known */
    size_t count;                /* of ranks */
};

struct unread_list {
    struct unread_ranks *items; /* by first rank */
    size_t count;
};

/* Those of the processes that `is_wanted` says, and those that have no process; only ranks of the set. */
struct unread_list unread_list_make(const struct job *job, const struct rank_set *ranks,
                                    bool (*is_wanted)(const struct process *process));
void unread_list_clear(struct unread_list *list);

#endif
