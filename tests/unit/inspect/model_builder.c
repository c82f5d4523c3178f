/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs made by hand for unit tests of the command.
 */
#include "model_builder.h"

#include "base/base.h"

static uint64_t next_serial;

struct communicator *build_communicator(struct process *process, uint64_t id, int rank, int size, int remote_size)
{
    process->communicators =
        array_append(process->communicators, &process->communicator_count, sizeof *process->communicators);
    struct communicator *communicator = &process->communicators[process->communicator_count - 1];
    communicator->id = id;
    communicator->rank = rank;
    communicator->size = size;
    communicator->remote_size = remote_size;
    communicator->intercommunicator = remote_size > 0;
    communicator->name = id == 1 ? "MPI_COMM_WORLD" : "";
    communicator->function = id == 1 ? "" : "MPI_Comm_split";
    communicator->parent_name = id == 1 ? "" : "MPI_COMM_WORLD";
    communicator->predefined = id == 1;
    return communicator;
}

struct job build_job(int size)
{
    struct job job = {.size = size};
    for (int rank = 0; rank < size; rank++) {
        job.processes = array_append(job.processes, &job.process_count, sizeof *job.processes);
        struct process *process = &job.processes[rank];
        process->rank = rank;
        process->size = size;
        process->pid = 5001000 + rank; /* above all that Linux gives */
        process->state = PROCESS_RUNNING;
        process->library_version = "";
        process->runtime_version = "";
        process->place = "";
        process->stack = "";
        process->called = "";
        process->waits_for = "";
        process->locked_circle = "";
        process->lock_holder = -1;
        process->job_identity = "";
        build_communicator(process, 1, rank, size, 0);
    }
    return job;
}

struct communicator *world_of(struct job *job, int rank)
{
    return &job->processes[rank].communicators[0];
}

static struct channel *channel_to(struct communicator *communicator, int peer, int peer_world)
{
    for (size_t i = 0; i < communicator->channel_count; i++)
        if (communicator->channels[i].peer_local == peer)
            return &communicator->channels[i];
    communicator->channels =
        array_append(communicator->channels, &communicator->channel_count, sizeof *communicator->channels);
    struct channel *channel = &communicator->channels[communicator->channel_count - 1];
    channel->peer_local = peer;
    channel->peer_world = peer_world;
    return channel;
}

/* The details of all operations that were ever built. */
static struct operation_details_pool all_details;

struct operation_details *build_details(struct operation *operation)
{
    static struct operation_details **items;
    static size_t count;
    struct operation_details *details = allocate(sizeof *details);
    *details = *operation->details;
    items = array_append(items, &count, sizeof *items);
    items[count - 1] = details;
    operation->details = details;
    return details;
}

static struct operation *build(struct operations *operations, uint32_t flags, const char *function, int peer,
                               int peer_world, int tag, enum build_status status)
{
    operations->items = array_append(operations->items, &operations->count, sizeof *operations->items);
    struct operation *operation = &operations->items[operations->count - 1];
    next_serial++;
    const struct operation_details details = {
        .function = function, .datatype = "MPI_INT", .count = 1, .bytes = 4, .actual_bytes = -1};
    *operation = (struct operation){
        .serial = next_serial,
        .posted = next_serial,
        .age_s = 1000.0 - (double)next_serial,
        .flags = flags,
        .state = status == BUILD_RETIRED    ? MPILENS_OPERATION_RETIRED
                 : status == BUILD_COMPLETE ? MPILENS_OPERATION_COMPLETE
                                            : MPILENS_OPERATION_PENDING,
        .status = status == BUILD_PENDING ? mqs_st_pending : mqs_st_complete,
        .peer_local = peer,
        .peer_world = peer_world,
        .tag = tag,
        .tag_wild = tag < 0,
        .actual_local = -1,
        .actual_world = -1,
        .details = operation_details_share(&all_details, &details),
    };
    return operation;
}

struct operation *build_send(struct communicator *communicator, int peer, int peer_world, int tag,
                             enum build_status status)
{
    channel_to(communicator, peer, peer_world)->sent++;
    return build(status == BUILD_RETIRED ? &communicator->completed : &communicator->sends, MPILENS_OPERATION_SEND,
                 "MPI_Isend", peer, peer_world, tag, status);
}

void build_actual(struct communicator *communicator, struct operation *receive, int source, int source_world, int tag)
{
    if (receive->state == MPILENS_OPERATION_RETIRED)
        channel_to(communicator, source, source_world)->received++;
    receive->actual_local = source;
    receive->actual_world = source_world;
    receive->actual_tag = tag;
    build_details(receive)->actual_bytes = 4;
}

struct operation *build_exact(struct communicator *communicator, int source, int source_world, int tag)
{
    struct operation *message =
        build(&communicator->unexpected, MPILENS_OPERATION_SEND, "", source, source_world, tag, BUILD_PENDING);
    message->exact = true;
    message->serial = 0;
    message->match_rank = -1;
    message->actual_local = source;
    message->actual_world = source_world;
    message->actual_tag = tag;
    struct operation_details *details = build_details(message);
    details->datatype = "";
    details->count = -1;
    details->actual_bytes = details->bytes;
    return message;
}

struct operation *build_receive(struct communicator *communicator, int peer, int peer_world, int tag,
                                enum build_status status)
{
    struct operation *receive = build(status == BUILD_RETIRED ? &communicator->completed : &communicator->receives,
                                      MPILENS_OPERATION_RECEIVE, "MPI_Irecv", peer, peer_world, tag, status);
    if (status != BUILD_PENDING && peer >= 0 && tag >= 0)
        build_actual(communicator, receive, peer, peer_world, tag);
    return receive;
}

void build_forgotten(struct communicator *communicator, int peer, int peer_world, uint64_t sent, uint64_t received)
{
    struct channel *channel = channel_to(communicator, peer, peer_world);
    channel->sent += sent;
    channel->received += received;
}

struct collective_call *build_collective(struct communicator *communicator, const char *function)
{
    communicator->recent_collectives =
        array_append(communicator->recent_collectives, &communicator->collective_call_count,
                     sizeof *communicator->recent_collectives);
    struct collective_call *call = &communicator->recent_collectives[communicator->collective_call_count - 1];
    *call = (struct collective_call){.serial = ++communicator->collective_calls,
                                     .function = function,
                                     .datatype = "",
                                     .op_name = "",
                                     .count = -1,
                                     .bytes = -1,
                                     .root = -1,
                                     .active = true};
    return call;
}
