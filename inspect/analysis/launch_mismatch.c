/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that were started together and are no ranks of one MPI_COMM_WORLD.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"

struct findings launch_mismatch_find(const struct job *job)
{
    struct findings findings = {0};
    struct finding *finding = findings_add(&findings, FINDING_LAUNCHER_MISMATCH);
    finding->message = arena_copy(job->launch_problem);
    finding->confirmed = true;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->reason != NULL)
            continue;
        ranks_add(&finding->ranks, process->rank);
        evidence_add_text(
            &finding->evidence, process->rank,
            arena_text("is process %ld, rank %d of %d", (long)process->pid, process->rank, process->size));
    }
    finding_finish(finding);
    return findings;
}
