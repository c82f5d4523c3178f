/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs made by hand of which some ranks can never go on.
 */
#include "wait_jobs.h"

#include "base/base.h"
#include "collect/collect.h"
#include "job_facts.h"
#include "model_builder.h"
#include "opened_dll.h"

static const struct site receive_site = {
    .module = "/opt/ring", .function = "exchange", .file = "ring.c", .path = "ring.c", .line = 41};
static const struct site barrier_site = {
    .module = "/opt/ring", .function = "step", .file = "ring.c", .path = "ring.c", .line = 63};

struct job begin_wait_job(int ranks)
{
    struct job job = build_job(ranks);
    const struct mpilens_rank_range all = {.first = 0, .stride = 1, .count = ranks};
    const struct group *world = group_pool_add_ranges(&job.groups, &all, 1);
    job.id = copy_text("1000");
    job.mpi = copy_text("MPICH 4.0.2");
    for (int rank = 0; rank < ranks; rank++) {
        struct process *process = &job.processes[rank];
        process->host = copy_text("node1");
        process->executable = copy_text("/opt/ring");
        process->place = "compute (ring.c:80)";
        process->stack = "";
        process->communicators[0].group = world;
        process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
        process->threads[0] = (struct thread){.tid = (uint32_t)process->pid,
                                              .function = "",
                                              .age_s = -1,
                                              .idle_s = -1,
                                              .peer_local = -1,
                                              .peer_world = -1};
    }
    return job;
}

static struct thread *enter(struct job *job, int rank, const char *function, uint32_t call_class,
                            const struct site *site)
{
    struct thread *thread = &job->processes[rank].threads[0];
    thread->function = function;
    thread->call_class = call_class;
    thread->site = site;
    thread->site_address = 0x401000;
    thread->age_s = 12 + rank % 7;
    thread->stalled = true;
    return thread;
}

void wait_in_recv(struct job *job, int rank, int peer, int tag)
{
    struct operation *receive = build_receive(world_of(job, rank), peer, peer, tag, BUILD_PENDING);
    struct operation_details *details = build_details(receive);
    details->function = "MPI_Recv";
    details->site = &receive_site;
    details->site_address = 0x401000;
    receive->flags |= MPILENS_OPERATION_BLOCKING;
    receive->age_s = 12 + rank % 7;
    struct thread *thread = enter(job, rank, "MPI_Recv", MPILENS_CALL_POINT_TO_POINT, &receive_site);
    thread->waiting = allocate(sizeof *thread->waiting);
    thread->waiting[0] = receive->serial;
    thread->waiting_known = 1;
    thread->waiting_count = 1;
    thread->operation_serial = receive->serial;
}

void wait_in_barrier(struct job *job, int rank)
{
    struct communicator *world = world_of(job, rank);
    enter(job, rank, "MPI_Barrier", MPILENS_CALL_COLLECTIVE, &barrier_site)->communicator_id = world->id;
    struct collective_call *call = build_collective(world, "MPI_Barrier");
    call->age_s = 12 + rank % 7;
    call->site = &barrier_site;
    call->site_address = 0x401000;
}

void end_wait_job(struct job *job)
{
    job_add_facts(job);
    complete_job(opened_dll(), job, COLLECT_SAMPLE);
    job->samples = 2;
    job->interval_s = 0.5;
}

static struct job ring(int ranks, int first_tag, int step)
{
    struct job job = begin_wait_job(ranks);
    for (int rank = 0; rank < ranks; rank++)
        wait_in_recv(&job, rank, (rank + 1) % ranks, first_tag + rank * step);
    end_wait_job(&job);
    return job;
}

struct job ring_of_receives(int ranks)
{
    return ring(ranks, 7, 0);
}

struct job ring_of_tags(int ranks)
{
    return ring(ranks, 7, 1);
}

struct job barrier_against_receive(int ranks, const char *name)
{
    struct job job = begin_wait_job(ranks);
    for (int rank = 0; rank < ranks; rank++) {
        world_of(&job, rank)->name = name;
        if (rank + 1 == ranks)
            wait_in_recv(&job, rank, 0, 7);
        else
            wait_in_barrier(&job, rank);
        if (rank % 2 == 0 && rank + 2 < ranks)
            build_details(build_send(world_of(&job, rank), rank + 1, rank + 1, 100 + rank, BUILD_RETIRED))->function =
                "MPI_Send";
    }
    end_wait_job(&job);
    return job;
}

struct analysis judge_wait_job(const struct job *job)
{
    const struct analysis_options options = analysis_default_options();
    struct analysis analysis;
    analyze(job, &options, &analysis);
    return analysis;
}

struct picture draw_wait_job(const struct job *job)
{
    struct analysis analysis = judge_wait_job(job);
    struct communicator_labels labels = label_communicators(job);
    struct picture picture = picture_make(job, &analysis, &labels);
    analysis_clear(&analysis);
    return picture;
}
