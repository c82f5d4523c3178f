/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills a fake target with a usual state.
 */
#include "fake_job.h"

#include <string.h>

static void add_functions(struct fake_job *job)
{
    struct fake_target *target = job->target;
    const uint32_t send = MPILENS_OPERATION_SEND;
    const uint32_t receive = MPILENS_OPERATION_RECEIVE;
    const uint32_t blocking = MPILENS_OPERATION_BLOCKING;
    job->function.send = fake_target_function(target, "MPI_Send", MPILENS_CALL_POINT_TO_POINT, send | blocking);
    job->function.recv = fake_target_function(target, "MPI_Recv", MPILENS_CALL_POINT_TO_POINT, receive | blocking);
    job->function.isend = fake_target_function(target, "MPI_Isend", MPILENS_CALL_POINT_TO_POINT, send);
    job->function.issend =
        fake_target_function(target, "MPI_Issend", MPILENS_CALL_POINT_TO_POINT, send | MPILENS_OPERATION_SYNCHRONOUS);
    job->function.irecv = fake_target_function(target, "MPI_Irecv", MPILENS_CALL_POINT_TO_POINT, receive);
    job->function.send_init = fake_target_function(target, "MPI_Send_init", MPILENS_CALL_PERSISTENT_INIT, send);
    job->function.mrecv = fake_target_function(target, "MPI_Mrecv", MPILENS_CALL_POINT_TO_POINT, receive | blocking);
    job->function.sendrecv = fake_target_function(target, "MPI_Sendrecv", MPILENS_CALL_POINT_TO_POINT, blocking);
    job->function.waitall = fake_target_function(target, "MPI_Waitall", MPILENS_CALL_WAIT, 0);
    job->function.test = fake_target_function(target, "MPI_Test", MPILENS_CALL_TEST, 0);
    job->function.iprobe = fake_target_function(target, "MPI_Iprobe", MPILENS_CALL_IPROBE, 0);
    job->function.improbe = fake_target_function(target, "MPI_Improbe", MPILENS_CALL_IPROBE, 0);
    job->function.probe = fake_target_function(target, "MPI_Probe", MPILENS_CALL_PROBE, 0);
    job->function.barrier = fake_target_function(target, "MPI_Barrier", MPILENS_CALL_COLLECTIVE, 0);
    job->function.bcast = fake_target_function(target, "MPI_Bcast", MPILENS_CALL_COLLECTIVE, 0);
    job->function.split = fake_target_function(target, "MPI_Comm_split", MPILENS_CALL_COMMUNICATOR, 0);
    job->function.intercomm_create = fake_target_function(target, "MPI_Intercomm_create", MPILENS_CALL_COMMUNICATOR, 0);
    job->function.type_vector = fake_target_function(target, "MPI_Type_vector", MPILENS_CALL_DATATYPE, 0);
}

uint64_t fake_job_group(struct fake_job *job, int32_t rank, int32_t size, const struct mpilens_range *ranges,
                        uint32_t range_count)
{
    struct mpilens_group group = {.state = MPILENS_OBJECT_LIVE,
                                  .serial = 100 + job->group_count++,
                                  .users = 1,
                                  .size = size,
                                  .rank = rank,
                                  .range_count = range_count};
    const size_t shorts = sizeof group.short_ranges / sizeof group.short_ranges[0];
    if (range_count <= shorts) {
        memcpy(group.short_ranges, ranges, range_count * sizeof *ranges);
        uint64_t address = fake_target_add(job->target, MPILENS_TABLE_GROUPS, &group);
        fake_target_put_field(job->target, address, MPILENS_FIELD_group_ranges,
                              address + job->target->fields[MPILENS_FIELD_group_short_ranges].offset);
        return address;
    }
    const uint32_t range_size = job->target->struct_size[MPILENS_STRUCT_range];
    group.ranges = fake_target_reserve(job->target, (size_t)range_count * range_size);
    for (uint32_t i = 0; i < range_count; i++)
        fake_target_put(job->target, MPILENS_STRUCT_range, group.ranges + (uint64_t)i * range_size, &ranges[i]);
    return fake_target_add(job->target, MPILENS_TABLE_GROUPS, &group);
}

struct mpilens_communicator fake_job_communicator(struct fake_job *job, uint64_t group, int32_t rank, int32_t size,
                                                  const char *name)
{
    struct mpilens_communicator communicator = {
        .state = MPILENS_OBJECT_LIVE,
        .handle = 0x84000000 + job->communicator_count,
        .unique_id = 100 + job->communicator_count,
        .rank = rank,
        .size = size,
        .serial = (uint32_t)job->communicator_count,
        .group = group,
        .created = 10 + job->communicator_count,
    };
    strncpy(communicator.name, name, sizeof communicator.name - 1);
    job->communicator_count++;
    return communicator;
}

static void add_communicators(struct fake_job *job)
{
    const struct mpilens_range everybody = {0, 1, 4};
    job->world_group = fake_job_group(job, 1, 4, &everybody, 1);
    struct mpilens_communicator world = fake_job_communicator(job, job->world_group, 1, 4, "MPI_COMM_WORLD");
    world.flags = MPILENS_OBJECT_PREDEFINED;
    world.handle = 0x44000000;

    const struct mpilens_range myself = {1, 1, 1};
    struct mpilens_communicator self =
        fake_job_communicator(job, fake_job_group(job, 0, 1, &myself, 1), 0, 1, "MPI_COMM_SELF");
    self.flags = MPILENS_OBJECT_PREDEFINED;
    self.handle = 0x44000001;

    const struct mpilens_range odd[] = {{3, -2, 2}};
    struct mpilens_communicator split = fake_job_communicator(job, fake_job_group(job, 1, 2, odd, 1), 1, 2, "");
    split.parent_id = world.unique_id;
    split.parent_handle = world.handle;
    split.function = job->function.split;
    split.site = 0x401500;

    const struct mpilens_range low = {0, 1, 2};
    const struct mpilens_range high[] = {{2, 1, 1}, {3, 1, 1}};
    struct mpilens_communicator inter = fake_job_communicator(job, fake_job_group(job, 1, 2, &low, 1), 1, 2, "bridge");
    inter.flags = MPILENS_COMMUNICATOR_INTER | MPILENS_COMMUNICATOR_NAME_SET;
    inter.remote_group = fake_job_group(job, -1, 2, high, 2);
    inter.remote_size = 2;
    inter.function = job->function.intercomm_create;
    inter.parent_handle = 0x84000077;
    inter.parent_id = 9999;

    world.collective_count = 11;
    world.collective_states[MPILENS_COLLECTIVE_BARRIER] = (struct mpilens_collective_state){9, 1, 0};
    world.collective_states[MPILENS_COLLECTIVE_BROADCAST] = (struct mpilens_collective_state){2, 0, 0};
    for (uint64_t serial = 4; serial <= 11; serial++)
        world.recent_collectives[(serial - 1) % 8] = (struct mpilens_collective){
            .serial = serial,
            .entered = 1000 + serial,
            .site = 0x402000 + serial,
            .function = serial == 10 ? job->function.bcast : job->function.barrier,
            .active = serial == 11,
            .root = serial == 10 ? 2 : 0,
            .has_root = serial == 10,
            .count = serial == 10 ? 100 : -1,
            .datatype = serial == 10 ? job->int_type : 0,
            .buffer = serial == 10 ? 0x5000 : 0,
        };

    /* Not in the order in which they are to be listed. */
    job->inter = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &inter);
    job->split = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &split);
    job->self = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &self);
    job->world = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &world);
}

static void add_datatypes(struct fake_job *job)
{
    struct mpilens_datatype datatype = {
        .state = MPILENS_OBJECT_LIVE, .flags = MPILENS_OBJECT_PREDEFINED, .handle = 0x4c000405, .size = 4};
    strncpy(datatype.name, "MPI_INT", sizeof datatype.name - 1);
    job->int_type = fake_target_add(job->target, MPILENS_TABLE_DATATYPES, &datatype);
    datatype = (struct mpilens_datatype){.state = MPILENS_OBJECT_LIVE,
                                         .handle = 0x8c000001,
                                         .size = 24,
                                         .site = 0x401600,
                                         .function = job->function.type_vector,
                                         .serial = 1};
    job->vector_type = fake_target_add(job->target, MPILENS_TABLE_DATATYPES, &datatype);
}

void fake_job_create(struct fake_job *job, const struct fake_options *options)
{
    memset(job, 0, sizeof *job);
    job->target = fake_target_create(options);
    strncpy(job->target->process.library_version, "MPICH Version: 4.0.2",
            sizeof job->target->process.library_version - 1);
    strncpy(job->target->process.runtime_version, "0.1.0", sizeof job->target->process.runtime_version - 1);
    strncpy(job->target->process.job_identity, "pmix 897581057", sizeof job->target->process.job_identity - 1);
    add_functions(job);
    add_datatypes(job);
    add_communicators(job);
}

struct mpilens_operation fake_job_operation(struct fake_job *job, uint32_t function, uint32_t flags, int32_t peer,
                                            int32_t tag)
{
    job->serial++;
    return (struct mpilens_operation){
        .state = MPILENS_OPERATION_PENDING,
        .function = function,
        .posted = job->serial,
        .posted_time = 5000 + job->serial,
        .communicator = job->world,
        .datatype = job->int_type,
        .count = 10,
        .buffer = 0x7000 + job->serial,
        .peer = peer,
        .tag = tag,
        .request = flags & MPILENS_OPERATION_BLOCKING ? 0 : 0x98000000 + job->serial,
        .site = 0x401000 + job->serial,
        .flags = flags,
        .actual_source = FAKE_ANY_SOURCE,
        .actual_tag = FAKE_ANY_TAG,
        .posted_check = job->serial,
    };
}

uint64_t fake_job_add(struct fake_job *job, const struct mpilens_operation *operation)
{
    return fake_target_add(job->target, MPILENS_TABLE_OPERATIONS, operation);
}

static uint64_t add_requests(struct fake_job *job, const uint32_t *handles, size_t count)
{
    uint64_t address = fake_target_reserve(job->target, count * sizeof *handles);
    for (size_t i = 0; i < count; i++)
        fake_target_put_integer(job->target, address + i * sizeof *handles, sizeof *handles, handles[i]);
    return address;
}

static void add_traffic(struct fake_job *job)
{
    const int32_t peers[] = {3, 0, 3, FAKE_PROC_NULL};
    for (unsigned i = 0; i < 4; i++) {
        struct mpilens_channel channel = {.state = 1,
                                          .peer = peers[i],
                                          .communicator = job->world,
                                          .communicator_id = 100,
                                          .sent = 10 + i,
                                          .received = 20 + i};
        fake_target_add(job->target, MPILENS_TABLE_CHANNELS, &channel);
    }
    struct mpilens_message message = {.state = MPILENS_OBJECT_LIVE,
                                      .function = job->function.improbe,
                                      .handle = 0xac000001,
                                      .communicator = job->inter,
                                      .source = 1,
                                      .tag = 42,
                                      .bytes = 4096,
                                      .site = 0x403000,
                                      .matched_time = 900};
    fake_target_add(job->target, MPILENS_TABLE_MESSAGES, &message);
}

void fake_job_populate(struct fake_job *job)
{
    struct mpilens_operation operation =
        fake_job_operation(job, job->function.issend, MPILENS_OPERATION_SEND | MPILENS_OPERATION_SYNCHRONOUS, 2, 7);
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, job->function.irecv, MPILENS_OPERATION_RECEIVE, FAKE_ANY_SOURCE, FAKE_ANY_TAG);
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, job->function.irecv, MPILENS_OPERATION_RECEIVE, 0, 9);
    operation.communicator = job->split;
    operation.datatype = job->vector_type;
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, job->function.isend, MPILENS_OPERATION_SEND, FAKE_PROC_NULL, 9);
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, job->function.isend, MPILENS_OPERATION_SEND, 1, 3);
    operation.communicator = job->inter;
    operation.state = MPILENS_OPERATION_COMPLETE;
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, job->function.recv, MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_BLOCKING,
                                   FAKE_ANY_SOURCE, 5);
    operation.state = MPILENS_OPERATION_RETIRED;
    operation.actual_source = 3;
    operation.actual_tag = 5;
    operation.actual_bytes = 16;
    fake_job_add(job, &operation);

    const uint32_t handles[] = {0x98000002, 0x2c000000, 0x98000001};
    struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                    .index = 0,
                                    .tid = 4711,
                                    .function = job->function.waitall,
                                    .site = 0x404000,
                                    .entered = 6000,
                                    .requests = add_requests(job, handles, 3),
                                    .request_count = 3,
                                    .operations = job->serial,
                                    .completions = 17};
    fake_target_add(job->target, MPILENS_TABLE_THREADS, &thread);
    thread = (struct mpilens_thread){.state = MPILENS_THREAD_ALIVE,
                                     .index = 1,
                                     .tid = 4712,
                                     .function = job->function.probe,
                                     .site = 0x405000,
                                     .entered = 6100,
                                     .communicator = job->split,
                                     .peer = 0,
                                     .tag = FAKE_ANY_TAG};
    fake_target_add(job->target, MPILENS_TABLE_THREADS, &thread);
    add_traffic(job);
    fake_target_publish(job->target);
}
