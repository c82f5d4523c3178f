/* SPDX-License-Identifier: BSD-3-Clause */
#include "judged_job.h"

#include "base/base.h"
#include "collect/collect.h"
#include "job_facts.h"
#include "model_builder.h"
#include "opened_dll.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct thread *add_judged_thread(struct job *job, int rank, const char *function, uint32_t call_class)
{
    struct process *process = &job->processes[rank];
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    struct thread *thread = &process->threads[process->thread_count - 1];
    *thread = (struct thread){.index = (uint32_t)process->thread_count - 1,
                              .tid = (uint32_t)(1000 + rank),
                              .function = function,
                              .call_class = call_class,
                              .age_s = 5,
                              .peer_local = -1,
                              .peer_world = -1,
                              .stalled = function[0] != '\0'};
    return thread;
}

/* A thread that waits for these operations. */
void wait_for(struct job *job, int rank, const char *function, uint32_t call_class, uint64_t first, uint64_t second)
{
    struct thread *thread = add_judged_thread(job, rank, function, call_class);
    thread->waiting_count = thread->waiting_known = second != 0 ? 2 : 1;
    thread->waiting = allocate(2 * sizeof *thread->waiting);
    thread->waiting[0] = first;
    thread->waiting[1] = second;
}

void receive_from(struct job *job, int rank, int source, int tag)
{
    struct operation *receive = build_receive(world_of(job, rank), source, source, tag, BUILD_PENDING);
    build_details(receive)->function = "MPI_Recv";
    receive->flags |= MPILENS_OPERATION_BLOCKING;
    wait_for(job, rank, "MPI_Recv", MPILENS_CALL_POINT_TO_POINT, receive->serial, 0);
}

struct job new_judged_job(int size)
{
    struct job job = build_job(size);
    int *ranks = allocate((size_t)size * sizeof *ranks);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    for (int i = 0; i < size; i++)
        world_of(&job, i)->group = group_pool_add_ranks(&job.groups, ranks, (size_t)size);
    free(ranks);
    return job;
}

struct analysis judge_job(struct job *job)
{
    struct analysis analysis;
    const struct analysis_options options = analysis_default_options();
    job_add_facts(job);
    complete_job(opened_dll(), job, COLLECT_SAMPLE);
    job->samples = 2;
    job->interval_s = 0.5;
    analyze(job, &options, &analysis);
    return analysis;
}

void expect_one_finding(const struct analysis *analysis, enum finding_kind kind, size_t count, const int *culprits)
{
    cr_assert_eq(analysis->findings.count, 1, "%zu findings", analysis->findings.count);
    const struct finding *finding = &analysis->findings.items[0];
    cr_expect_eq(finding->kind, kind, "%s: %s", finding_kind_name(finding->kind), finding->message);
    cr_assert_eq(finding->culprits.count, count, "%s", finding->message);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(finding->culprits.items[i], culprits[i], "%s", finding->message);
}

void end_judged_job(struct job *job, struct analysis *analysis)
{
    analysis_clear(analysis);
    job_clear(job);
}

void expect_evidence(const struct analysis *analysis, int rank, const char *text)
{
    const struct finding *finding = &analysis->findings.items[0];
    bool found = false;
    for (size_t i = 0; i < finding->evidence.count; i++)
        for (size_t j = 0; j < finding->evidence.items[i].ranks.count; j++)
            found = found || (finding->evidence.items[i].ranks.items[j] == rank &&
                              strcmp(finding->evidence.items[i].text, text) == 0);
    cr_expect(found, "rank %d: %s", rank, text);
}
