/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the ranks of a job have made and not freed, by the place where they made it.
 *
 * Live objects are normal while a job runs. They are a finding at ranks that are in MPI_Finalize or beyond, where
 * nobody can free them any more, and where a rank has more of one place than a limit.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_LEAKS_H
#define MPILENS_INSPECT_ANALYSIS_LEAKS_H

#include "analysis/findings/finding.h"
#include "base/rank_set.h"
#include "model/model.h"

/* One rank's share. */
struct leak_rank {
    int rank;
    bool has_finalized;
    uint64_t count;
};

/* All objects of one kind that one call in the source has made. */
struct leak {
    uint32_t kind;           /* enum mpilens_object_kind, MPILENS_OBJECT_REQUEST too */
    bool is_released;        /* requests that MPI_Request_free was called for and that are not known to be complete */
    bool is_active;          /* requests under way at ranks that have not finalized: most likely no leak */
    const char *function;    /* that made them */
    const struct site *site; /* NULL: not known */
    uint64_t site_address;   /* in the first of the ranks */
    uint64_t count;          /* at all ranks: how often something must still be freed */
    double oldest_s;         /* -1: not known */
    struct leak_rank *ranks; /* by rank */
    size_t rank_count;
};

/* Most first, active requests last. Texts and sites are the job's. */
struct leaks {
    struct leak **items;
    size_t count;
};

/* Those of the ranks of the set. Predefined objects are none; neither is what the application has freed. */
struct leaks find_leaks(const struct job *job, const struct rank_set *ranks);
/* What was found of each rank by itself: every part is of one rank. Puts the parts in the order of ranks; texts and
 * sites stay theirs. */
struct leaks merge_leaks(struct leak *parts, size_t count);
void leaks_clear(struct leaks *leaks);

/* Those that are findings; `limit`: live objects of one place that a rank may have while the job runs. */
struct findings judge_leaks(const struct leaks *leaks, uint64_t limit);

/* "communicators", "request", "released requests", "active requests". The caller frees it. */
char *describe_leak_kind(const struct leak *leak, uint64_t count);

#endif
