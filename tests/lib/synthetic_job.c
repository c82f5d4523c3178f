/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that nobody has run.
 */
#include "synthetic_job.h"

#include "base/base.h"
#include "job_facts.h"

#include <stdlib.h>
#include <string.h>

enum { WORLD = 1, RIGHT_TAG = 7, WRONG_TAG = 8, HISTORY = 100, LEAVES = 10 };

static const struct site call_site = {
    .module = "/home/user/solver", .function = "exchange", .file = "exchange.c", .path = "exchange.c", .line = 41};

const char *synthetic_name(enum synthetic_pattern pattern)
{
    static const char *const names[] = {[SYNTHETIC_RING] = "ring of receives",
                                        [SYNTHETIC_BARRIER] = "barrier but one",
                                        [SYNTHETIC_MASTER] = "master, any source",
                                        [SYNTHETIC_ALLTOALL] = "alltoall, Waitall",
                                        [SYNTHETIC_SCAN] = "scan that some left out",
                                        [SYNTHETIC_STENCIL] = "stencil that some left out",
                                        [SYNTHETIC_LEFT] = "receives of ranks that left",
                                        [SYNTHETIC_SLOW] = "barrier, half are slow"};
    return names[pattern];
}

/* One rank that is being made. */
struct maker {
    struct job *job;
    const struct synthetic_plan *plan;
    struct process *process;
    struct communicator *world;
    int rank;
    uint64_t serial; /* of the last operation */
};

static int after(const struct maker *maker, int distance)
{
    return (maker->rank + distance) % maker->plan->ranks;
}

static int before(const struct maker *maker, int distance)
{
    return (maker->rank + maker->plan->ranks - distance) % maker->plan->ranks;
}

static struct operation *add(struct maker *maker, struct operations *operations, uint32_t flags, const char *function,
                             int peer, int tag)
{
    struct operation *operation = &operations->items[operations->count++];
    const struct operation_details details = {
        .function = function,
        .datatype = "MPI_DOUBLE",
        .site_address = 0x401000,
        .site = &call_site,
        .count = 512,
        .bytes = 4096,
        .actual_bytes = -1,
    };
    *operation = (struct operation){
        .serial = ++maker->serial,
        .posted = maker->serial * 1000,
        .age_s = 300,
        .request = 0x98000000 + maker->serial,
        .buffer = 0x7f0000000000 + maker->serial * 4096,
        .state = MPILENS_OPERATION_PENDING,
        .flags = flags,
        .status = mqs_st_pending,
        .peer_local = peer,
        .peer_world = peer,
        .tag = tag,
        .actual_local = -1,
        .actual_world = -1,
        .details = operation_details_share(&maker->job->details, &details),
    };
    return operation;
}

static void add_send(struct maker *maker, int peer, int tag)
{
    add(maker, &maker->world->sends, MPILENS_OPERATION_SEND, "MPI_Isend", peer, tag);
}

static void add_receive(struct maker *maker, int peer, int tag)
{
    add(maker, &maker->world->receives, MPILENS_OPERATION_RECEIVE, "MPI_Irecv", peer, tag);
}

static void add_sent(struct maker *maker, int peer, int tag)
{
    struct operation *send = add(maker, &maker->world->completed, MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING,
                                 "MPI_Send", peer, tag);
    send->state = MPILENS_OPERATION_RETIRED;
    send->status = mqs_st_complete;
}

/* The messages between a rank and a peer. Only the last of them would be remembered, here none. */
static void add_channel(struct maker *maker, int peer, uint64_t sent, uint64_t received)
{
    maker->world->channels[maker->world->channel_count++] =
        (struct channel){.peer_local = peer, .peer_world = peer, .sent = sent, .received = received};
}

static struct thread *enter(struct maker *maker, uint32_t call_class, const char *function)
{
    maker->process->threads = allocate(sizeof *maker->process->threads);
    maker->process->thread_count = 1;
    struct thread *thread = maker->process->threads;
    *thread = (struct thread){.tid = (uint32_t)maker->process->pid,
                              .call_class = call_class,
                              .function = function,
                              .site_address = 0x402000,
                              .site = &call_site,
                              .entered = 1000000000,
                              .age_s = 299,
                              .idle_s = -1,
                              .peer_local = -1,
                              .peer_world = -1,
                              .completions = HISTORY,
                              .operation_serial = maker->serial,
                              .stalled = true};
    return thread;
}

static void wait_for(struct maker *maker, struct thread *thread, uint64_t first_serial)
{
    const size_t count = maker->serial >= first_serial ? (size_t)(maker->serial - first_serial) + 1 : 0;
    thread->waiting = allocate(count * sizeof *thread->waiting);
    for (size_t i = 0; i < count; i++)
        thread->waiting[i] = first_serial + i;
    thread->waiting_known = thread->waiting_count = count;
}

/* Waits in MPI_Recv. */
static void receive(struct maker *maker, int peer, int tag)
{
    add(maker, &maker->world->receives, MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_BLOCKING, "MPI_Recv", peer, tag);
    wait_for(maker, enter(maker, MPILENS_CALL_POINT_TO_POINT, "MPI_Recv"), maker->serial);
}

static void wait_for_all(struct maker *maker)
{
    wait_for(maker, enter(maker, MPILENS_CALL_WAIT, "MPI_Waitall"), 1);
}

static void enter_collective(struct maker *maker, const char *function)
{
    enter(maker, MPILENS_CALL_COLLECTIVE, function)->communicator_id = WORLD;
    maker->world->collective_calls = 1;
    maker->world->recent_collectives = allocate(sizeof *maker->world->recent_collectives);
    maker->world->collective_call_count = 1;
    maker->world->recent_collectives[0] = (struct collective_call){.serial = 1,
                                                                   .age_s = 299,
                                                                   .site_address = 0x402000,
                                                                   .site = &call_site,
                                                                   .function = function,
                                                                   .datatype = "",
                                                                   .op_name = "",
                                                                   .count = -1,
                                                                   .bytes = -1,
                                                                   .root = -1,
                                                                   .active = true};
}

static void enter_barrier(struct maker *maker)
{
    enter_collective(maker, "MPI_Barrier");
    maker->world->collectives = allocate(sizeof *maker->world->collectives);
    maker->world->class_count = 1;
    maker->world->collectives[0] = (struct collective_class){.class = "barrier", .count = 1, .active = 1};
}

static void enter_finalize(struct maker *maker)
{
    enter(maker, MPILENS_CALL_ENVIRONMENT, "MPI_Finalize");
    maker->process->state = PROCESS_FINALIZING;
}

static void make_ring(struct maker *maker)
{
    for (int i = 0; i < maker->plan->operations; i++)
        add_receive(maker, before(maker, 1), i);
    add_channel(maker, before(maker, 1), 0, HISTORY);
    add_channel(maker, after(maker, 1), HISTORY, 0);
    wait_for_all(maker);
}

static void make_barrier(struct maker *maker)
{
    const int half = maker->plan->operations / 2;
    for (int i = 0; i < half; i++) {
        add_send(maker, after(maker, 1), i);
        add_receive(maker, before(maker, 1), i);
    }
    add_channel(maker, before(maker, 1), 0, HISTORY);
    add_channel(maker, after(maker, 1), HISTORY + (uint64_t)half, 0);
    if (maker->rank == maker->plan->ranks - 1)
        receive(maker, 0, WRONG_TAG);
    else
        enter_barrier(maker);
}

static void make_master(struct maker *maker)
{
    if (maker->rank == 0) {
        for (int i = 0; i < maker->plan->operations; i++)
            add_receive(maker, -1, RIGHT_TAG);
        receive(maker, -1, WRONG_TAG);
        return;
    }
    for (int i = 0; i < maker->plan->operations; i++)
        add_sent(maker, 0, RIGHT_TAG);
    add_channel(maker, 0, (uint64_t)maker->plan->operations, 0);
    receive(maker, 0, RIGHT_TAG);
}

static void make_alltoall(struct maker *maker)
{
    if (maker->rank == 0) {
        enter_barrier(maker);
        return;
    }
    for (int i = 1; i <= maker->plan->operations / 2; i++) {
        add_receive(maker, before(maker, i), RIGHT_TAG);
        add_send(maker, after(maker, i), RIGHT_TAG);
        add_channel(maker, after(maker, i), 1, 0);
    }
    wait_for_all(maker);
}

static void receive_from_before(struct maker *maker)
{
    for (int i = 0; i < maker->plan->operations; i++)
        add_receive(maker, before(maker, 1), i);
}

static void make_scan(struct maker *maker)
{
    receive_from_before(maker);
    if (maker->rank % LEAVES == 0)
        enter_finalize(maker);
    else
        enter_collective(maker, "MPI_Scan");
}

static void make_stencil(struct maker *maker)
{
    const int neighbours[] = {before(maker, 1), after(maker, 1)};
    maker->world->sources = group_pool_add_ranks(&maker->job->groups, neighbours, 2);
    maker->world->destinations = maker->world->sources;
    receive_from_before(maker);
    if (maker->rank % LEAVES == 0)
        enter_finalize(maker);
    else
        enter_collective(maker, "MPI_Neighbor_alltoall");
}

static void make_left(struct maker *maker)
{
    if (maker->rank % 2 == 1) {
        enter_finalize(maker);
        return;
    }
    for (int i = 0; i < maker->plan->operations; i++)
        add_receive(maker, after(maker, 1), i);
    wait_for_all(maker);
}

static void make_slow(struct maker *maker)
{
    receive_from_before(maker);
    if (maker->rank % 2 == 1)
        enter_barrier(maker);
    else
        enter(maker, MPILENS_CALL_OTHER, "")->stalled = false;
}

/* Gives back the memory that was not needed after all. */
static void fit(struct operations *operations)
{
    struct operation *items = allocate(operations->count * sizeof *items);
    memcpy(items, operations->items, operations->count * sizeof *items);
    free(operations->items);
    operations->items = items;
}

static void make_process(const struct synthetic_plan *plan, int rank, struct job *job, const struct group *group)
{
    static void (*const make[])(struct maker *) = {
        [SYNTHETIC_RING] = make_ring,         [SYNTHETIC_BARRIER] = make_barrier, [SYNTHETIC_MASTER] = make_master,
        [SYNTHETIC_ALLTOALL] = make_alltoall, [SYNTHETIC_SCAN] = make_scan,       [SYNTHETIC_STENCIL] = make_stencil,
        [SYNTHETIC_LEFT] = make_left,         [SYNTHETIC_SLOW] = make_slow};
    const size_t most = (size_t)plan->operations + 2;
    struct process *process = &job->processes[rank];
    struct communicator *world = allocate(sizeof *world);
    *process = (struct process){.rank = rank,
                                .size = plan->ranks,
                                .pid = 1000 + rank,
                                .host = format_text("node%d", rank / 128),
                                .executable = copy_text("/home/user/solver"),
                                .state = PROCESS_RUNNING,
                                .library_version = "MPICH Version:\t4.0.2\n",
                                .runtime_version = "",
                                .place = "",
                                .called = "",
                                .waits_for = "",
                                .stack = "",
                                .communicators = world,
                                .communicator_count = 1};
    *world = (struct communicator){.id = WORLD,
                                   .handle = 0x44000000,
                                   .age_s = 1000,
                                   .name = "MPI_COMM_WORLD",
                                   .function = "",
                                   .parent_name = "",
                                   .rank = rank,
                                   .size = plan->ranks,
                                   .serial = 1,
                                   .predefined = true,
                                   .group = group,
                                   .sends.items = allocate(most * sizeof(struct operation)),
                                   .receives.items = allocate(most * sizeof(struct operation)),
                                   .completed.items = allocate(most * sizeof(struct operation)),
                                   .channels = allocate(most * sizeof(struct channel))};
    struct maker maker = {.job = job, .plan = plan, .process = process, .world = world, .rank = rank};
    make[plan->pattern](&maker);
    fit(&world->sends);
    fit(&world->receives);
    fit(&world->completed);
}

struct job synthetic_job(const struct synthetic_plan *plan)
{
    struct job job = {.size = plan->ranks, .id = copy_text("synthetic")};
    job.processes = allocate((size_t)plan->ranks * sizeof *job.processes);
    job.process_count = (size_t)plan->ranks;
    const struct group *group = group_pool_add_ranges(&job.groups, &(struct mpilens_rank_range){0, 1, plan->ranks}, 1);
    for (int rank = 0; rank < plan->ranks; rank++)
        make_process(plan, rank, &job, group);
    job_add_facts(&job);
    return job;
}
