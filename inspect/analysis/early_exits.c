/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings of ranks that have called exit() before the job was over.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

/* MPI ends the process by exit(), and so does MPI_Abort. */
static bool has_raised_error(const struct process *process)
{
    for (size_t i = 0; i < process->failed_call_count; i++)
        if (process->failed_calls[i].is_under_way)
            return true;
    return false;
}

bool has_left_early(const struct process *process)
{
    const bool has_finalized = process->state == PROCESS_FINALIZED;
    return process->reason == NULL && process->has_ended && process->exit_status > (has_finalized ? 1u : 0u) &&
           !has_raised_error(process);
}

static const char *describe_exit(const struct process *process)
{
    if (process->state == PROCESS_FINALIZED)
        return arena_text("rank %d has called exit(%u) after MPI_Finalize", process->rank, process->exit_status - 1);
    return arena_text("rank %d has called exit(%u) before MPI_Finalize%s", process->rank, process->exit_status - 1,
                      describe_last_call(process));
}

void early_exits_find(const struct cause_text *text, struct findings *findings)
{
    const struct job *job = text->waits->index.job;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!has_left_early(process))
            continue;
        struct finding *finding = findings_add(findings, FINDING_RANK_DIED);
        finding->confirmed = true;
        finding->message = describe_exit(process);
        finding->remedy = process->state == PROCESS_FINALIZED
                              ? "look for what the program tests before it exits"
                              : "end every rank with MPI_Finalize, or the whole job with MPI_Abort";
        ranks_add(&finding->ranks, process->rank);
        ranks_add(&finding->culprits, process->rank);
        mpi_errors_add_others(finding, text, process);
        finding_finish(finding);
    }
}
