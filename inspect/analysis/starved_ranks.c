/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes ranks that got no processor while they were watched.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"

#include <math.h>

/* Time between two readings that is proposed: starved ranks are watched for twenty times as long. */
static const double least_interval_s = 3;

const char *starved_ranks_remark(const struct job *job, const char *remark)
{
    struct ranks ranks = {.count = 0};
    double lacked_s = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->lacked_processor_s <= 0)
            continue;
        ranks_add(&ranks, process->rank);
        lacked_s = process->lacked_processor_s > lacked_s ? process->lacked_processor_s : lacked_s;
    }
    ranks_finish(&ranks);
    if (ranks.count > 0) {
        const char *names = ranks_name(&ranks);
        const bool several = ranks.count > 1;
        const char *advice = job->snapshot != NULL ? "" : ": ask again";
        if (job->snapshot == NULL && job->part_count == 0)
            advice = arena_text(": ask again, or watch %s longer, such as with 'mpilens why --interval=%.0f'",
                                several ? "them" : "it", fmax(least_interval_s, 2 * job->interval_s));
        const char *described = arena_text("%s hardly had a processor for %s, so whether %s still is not known%s",
                                           names, describe_age(lacked_s), several ? "they stand" : "it stands", advice);
        remark = remark != NULL ? arena_text("%s; %s", remark, described) : described;
    }
    return remark;
}
