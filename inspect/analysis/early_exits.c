/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings of ranks that have called exit() before the job was over.
 */
#include "analysis/analysis_internal.h"

#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

/* The call of the process that began last, as far as known; `function` NULL: none is. */
struct last_call {
    const char *function;
    const struct site *site;
    uint64_t ticks;
};

static void look_at(struct last_call *last, const char *function, const struct site *site, uint64_t ticks)
{
    if (last->function == NULL || ticks > last->ticks)
        *last = (struct last_call){.function = function, .site = site, .ticks = ticks};
}

static struct last_call find_last_call(const struct process *process)
{
    struct last_call last = {.function = NULL};
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        for (size_t j = 0; j < communicator->collective_call_count; j++)
            look_at(&last, communicator->collectives[j].function, communicator->collectives[j].site,
                    communicator->collectives[j].entered);
        for (size_t j = 0; j < communicator->completed.count; j++) {
            const struct operation *message = &communicator->completed.items[j];
            look_at(&last, message->details->function, message->details->site, message->posted);
        }
    }
    return last;
}

const char *describe_last_call(const struct process *process)
{
    const struct last_call last = find_last_call(process);
    return last.function != NULL ? arena_text(", after %s%s", last.function, describe_at(last.site)) : "";
}

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
