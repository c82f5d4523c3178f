/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills a fake job with the records that sends and receives do not need.
 */
#include "fake_objects.h"

#include <string.h>

static void add_functions(struct fake_objects *objects, struct fake_target *target)
{
    const uint32_t collective = MPILENS_OPERATION_COLLECTIVE;
    const struct {
        uint32_t *number;
        const char *name;
        enum mpilens_call_class call_class;
        uint32_t flags;
    } functions[] = {
        {&objects->function.ibarrier, "MPI_Ibarrier", MPILENS_CALL_COLLECTIVE_START, collective},
        {&objects->function.ibcast, "MPI_Ibcast", MPILENS_CALL_COLLECTIVE_START, collective},
        {&objects->function.barrier_init, "MPI_Barrier_init", MPILENS_CALL_COLLECTIVE_START, collective},
        {&objects->function.rput, "MPI_Rput", MPILENS_CALL_ONE_SIDED, MPILENS_OPERATION_ONE_SIDED},
        {&objects->function.iread, "MPI_File_iread_at", MPILENS_CALL_FILE_DATA, MPILENS_OPERATION_FILE},
        {&objects->function.idup, "MPI_Comm_idup", MPILENS_CALL_COMMUNICATOR, MPILENS_OPERATION_COMMUNICATOR},
        {&objects->function.grequest_start, "MPI_Grequest_start", MPILENS_CALL_OTHER, MPILENS_OPERATION_GENERALIZED},
        {&objects->function.iflush, "MPI_Buffer_iflush", MPILENS_CALL_BUFFER, MPILENS_OPERATION_BUFFER},
        {&objects->function.psend_init, "MPI_Psend_init", MPILENS_CALL_PERSISTENT_INIT, MPILENS_OPERATION_SEND},
        {&objects->function.win_lock, "MPI_Win_lock", MPILENS_CALL_SYNCHRONIZATION, 0},
        {&objects->function.win_create, "MPI_Win_create", MPILENS_CALL_WINDOW, 0},
        {&objects->function.win_fence, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION, 0},
        {&objects->function.win_test, "MPI_Win_test", MPILENS_CALL_SYNCHRONIZATION, 0},
        {&objects->function.file_open, "MPI_File_open", MPILENS_CALL_FILE, 0},
        {&objects->function.read_all, "MPI_File_read_all", MPILENS_CALL_FILE_DATA, 0},
        {&objects->function.read_begin, "MPI_File_read_all_begin", MPILENS_CALL_FILE_DATA, 0},
        {&objects->function.op_create, "MPI_Op_create", MPILENS_CALL_OBJECT, 0},
        {&objects->function.errhandler_create, "MPI_Comm_create_errhandler", MPILENS_CALL_OBJECT, 0},
        {&objects->function.info_create, "MPI_Info_create", MPILENS_CALL_OBJECT, 0},
        {&objects->function.keyval_create, "MPI_Comm_create_keyval", MPILENS_CALL_OBJECT, 0},
        {&objects->function.session_init, "MPI_Session_init", MPILENS_CALL_SESSION, 0},
        {&objects->function.group_incl, "MPI_Group_incl", MPILENS_CALL_GROUP, 0},
        {&objects->function.wait, "MPI_Wait", MPILENS_CALL_WAIT, 0},
        {&objects->function.start, "MPI_Start", MPILENS_CALL_START, 0},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        *functions[i].number =
            fake_target_function(target, functions[i].name, functions[i].call_class, functions[i].flags);
}

/* The common head of records of all kinds. */
#define COMMON(number, handle_value, function_number)                                                                  \
    .state = MPILENS_OBJECT_LIVE, .handle = (handle_value), .site = 0x410000 + (handle_value) % 0x1000,                \
    .created = 700 + (number), .function = (function_number), .serial = (number), .references = 1

static void add_small(struct fake_objects *objects, struct fake_job *job)
{
    struct fake_target *target = job->target;
    struct mpilens_op sum = {.state = MPILENS_OBJECT_LIVE,
                             .flags = MPILENS_OBJECT_PREDEFINED,
                             .handle = 0x58000003,
                             .commutative = 1,
                             .name = "MPI_SUM"};
    fake_target_add(target, MPILENS_TABLE_OPS, &sum);
    struct mpilens_op op = {COMMON(2, 0x98000001, objects->function.op_create), .user_function = 0x401700};
    objects->op = fake_target_add(target, MPILENS_TABLE_OPS, &op);
    struct mpilens_errhandler errhandler = {COMMON(1, 0x94000001, objects->function.errhandler_create),
                                            .user_function = 0x401800, .object_kind = MPILENS_ATTACHABLE_COMMUNICATOR};
    objects->errhandler = fake_target_add(target, MPILENS_TABLE_ERRHANDLERS, &errhandler);
    struct mpilens_info info = {COMMON(1, 0x9c000001, objects->function.info_create)};
    objects->info = fake_target_add(target, MPILENS_TABLE_INFOS, &info);
    struct mpilens_keyval keyval = {COMMON(2, 0xa4400001, objects->function.keyval_create),
                                    .users = 1,
                                    .copy_function = 0x401900,
                                    .delete_function = 0x401a00,
                                    .extra_state = 0x42,
                                    .object_kind = MPILENS_ATTACHABLE_COMMUNICATOR};
    objects->keyval = fake_target_add(target, MPILENS_TABLE_KEYVALS, &keyval);
    keyval = (struct mpilens_keyval){COMMON(1, 0xa4400000, objects->function.keyval_create)};
    keyval.state = MPILENS_OBJECT_FREED;
    keyval.references = 0;
    objects->freed_keyval = fake_target_add(target, MPILENS_TABLE_KEYVALS, &keyval);
    struct mpilens_attribute attribute = {.state = MPILENS_OBJECT_LIVE,
                                          .object_kind = MPILENS_ATTACHABLE_COMMUNICATOR,
                                          .object = job->split,
                                          .keyval = objects->keyval,
                                          .value = 0x1234,
                                          .site = 0x401b00};
    objects->attribute = fake_target_add(target, MPILENS_TABLE_ATTRIBUTES, &attribute);
    struct mpilens_session session = {COMMON(1, 0x80000001, objects->function.session_init), .thread_level = 3,
                                      .buffer = 0x9000, .buffer_bytes = 512, .errhandler = objects->errhandler};
    objects->session = fake_target_add(target, MPILENS_TABLE_SESSIONS, &session);
    struct mpilens_group group = {COMMON(9, 0x88000001, objects->function.group_incl), .size = 0, .rank = -1};
    objects->group = fake_target_add(target, MPILENS_TABLE_GROUPS, &group);
}

static void add_window(struct fake_objects *objects, struct fake_job *job)
{
    struct fake_target *target = job->target;
    const struct mpilens_range three = {3, 1, 1};
    objects->started_group = fake_job_group(job, -1, 1, &three, 1);
    const uint32_t lock_bytes = target->struct_size[MPILENS_STRUCT_window_lock];
    struct mpilens_window window = {
        COMMON(1, 0xa0000001, objects->function.win_create),
        .users = 1,
        .communicator = job->split,
        .base = 0x8000,
        .bytes = 4096,
        .unique_id = 555,
        .displacement_unit = 8,
        .flavor = MPILENS_WINDOW_CREATE,
        .access_epoch = MPILENS_EPOCH_LOCK,
        .exposure_epoch = MPILENS_EPOCH_NONE,
        .access_group = objects->started_group,
        .locks = fake_target_reserve(target, (size_t)2 * lock_bytes),
        .lock_count = 2,
        .synchronization = objects->function.win_lock,
        .synchronization_site = 0x402000,
        .synchronization_time = 900,
        .synchronizations = 7,
        .operations = 20,
        .operations_since = 3,
        .name = "halo",
        .errhandler = objects->errhandler,
    };
    const struct mpilens_window_lock locks[] = {
        {.target = 0, .type = MPILENS_LOCK_EXCLUSIVE, .site = 0x402100, .locked = 880},
        {.target = 1, .type = MPILENS_LOCK_SHARED, .site = 0x402200, .locked = 890}};
    for (uint64_t i = 0; i < 2; i++)
        fake_target_put(target, MPILENS_STRUCT_window_lock, window.locks + i * lock_bytes, &locks[i]);
    objects->window = fake_target_add(target, MPILENS_TABLE_WINDOWS, &window);
}

static void add_file(struct fake_objects *objects, struct fake_job *job)
{
    struct mpilens_file file = {
        COMMON(1, 0x5555000, objects->function.file_open),
        .users = 1,
        .communicator = job->world,
        .unique_id = 777,
        .mode = MPILENS_FILE_CREATE | MPILENS_FILE_READ_WRITE,
        .atomicity = 1,
        .view_displacement = 64,
        .view_etype = job->int_type,
        .view_filetype = job->vector_type,
        .view_representation = "native",
        .split_collective = objects->function.read_begin,
        .split_site = 0x402300,
        .operations = 12,
        .name = "out/restart.dat",
        .collective_count = 2,
        .recent_collectives = {{.serial = 1, .function = objects->function.file_open, .site = 0x402400, .count = -1},
                               {.serial = 2, .function = objects->function.read_begin, .active = 1, .count = -1}},
    };
    objects->file = fake_target_add(job->target, MPILENS_TABLE_FILES, &file);
}

static uint64_t add_operation(struct fake_job *job, uint32_t function, uint32_t flags, int32_t peer, uint64_t detail,
                              uint64_t object)
{
    struct mpilens_operation operation = fake_job_operation(job, function, flags, peer, 0);
    operation.actual_bytes = detail;
    operation.object = object;
    if (flags & MPILENS_OPERATION_COLLECTIVE)
        operation.tag = peer >= 0;
    if (flags & MPILENS_OPERATION_ONE_SIDED)
        operation.communicator = job->split;
    if (flags & (MPILENS_OPERATION_GENERALIZED | MPILENS_OPERATION_BUFFER)) {
        operation.communicator = 0;
        operation.datatype = 0;
        operation.count = 0;
    }
    fake_job_add(job, &operation);
    return job->serial;
}

static void add_operations(struct fake_objects *objects, struct fake_job *job)
{
    /* Without root, and the value of MPI_PROC_NULL where a peer would be: it needs the others all the same. */
    objects->serial.ibarrier =
        add_operation(job, objects->function.ibarrier, MPILENS_OPERATION_COLLECTIVE, FAKE_PROC_NULL, 12, 0);
    objects->serial.ibcast = add_operation(job, objects->function.ibcast, MPILENS_OPERATION_COLLECTIVE, 3, 13, 0);
    objects->serial.rput =
        add_operation(job, objects->function.rput, MPILENS_OPERATION_ONE_SIDED, 0, 0, objects->window);
    objects->serial.iread =
        add_operation(job, objects->function.iread, MPILENS_OPERATION_FILE, -1, 4096, objects->file);
    objects->serial.idup = add_operation(job, objects->function.idup, MPILENS_OPERATION_COMMUNICATOR, -1, 0,
                                         objects->pending_communicator);
    objects->serial.grequest =
        add_operation(job, objects->function.grequest_start, MPILENS_OPERATION_GENERALIZED, -1, 0, 0);
    objects->serial.iflush = add_operation(job, objects->function.iflush, MPILENS_OPERATION_BUFFER, -1, 0, 0);
    struct mpilens_operation operation =
        fake_job_operation(job, objects->function.barrier_init, MPILENS_OPERATION_COLLECTIVE, -1, 0);
    operation.state = MPILENS_OPERATION_PERSISTENT;
    objects->serial.barrier_init = job->serial;
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, job->function.send_init, MPILENS_OPERATION_SEND, 2, 8);
    operation.state = MPILENS_OPERATION_PERSISTENT;
    objects->serial.send_init = job->serial;
    fake_job_add(job, &operation);
    operation = fake_job_operation(job, objects->function.ibarrier, MPILENS_OPERATION_COLLECTIVE, -1, 0);
    operation.flags |= MPILENS_OPERATION_FINISHED;
    operation.actual_bytes = 11;
    objects->serial.finished = job->serial;
    fake_job_add(job, &operation);
}

static void add_partitioned(struct fake_objects *objects, struct fake_job *job)
{
    struct fake_target *target = job->target;
    struct mpilens_partitions partitions = {
        .state = MPILENS_OBJECT_LIVE, .count = 8, .marks = fake_target_reserve(target, 8)};
    for (uint64_t i = 0; i < 8; i += 3)
        fake_target_put_integer(target, partitions.marks + i, 1, 1);
    objects->partitions = fake_target_add(target, MPILENS_TABLE_PARTITIONS, &partitions);
    const uint32_t flags = MPILENS_OPERATION_SEND | MPILENS_OPERATION_PARTITIONED;
    struct mpilens_operation operation = fake_job_operation(job, objects->function.psend_init, flags, 2, 8);
    const uint64_t request = operation.request;
    operation.state = MPILENS_OPERATION_PERSISTENT;
    operation.actual_bytes = objects->partitions;
    objects->partitioned = fake_job_add(job, &operation);
    operation = fake_job_operation(job, objects->function.psend_init, flags | MPILENS_OPERATION_FROM_PERSISTENT, 2, 8);
    operation.request = request;
    objects->serial.partitioned_send = job->serial;
    objects->partitioned_send = fake_job_add(job, &operation);
    fake_target_put_field(target, objects->partitioned, MPILENS_FIELD_operation_second, objects->partitioned_send);
}

void fake_objects_add(struct fake_objects *objects, struct fake_job *job)
{
    memset(objects, 0, sizeof *objects);
    add_functions(objects, job->target);
    add_small(objects, job);
    add_window(objects, job);
    add_file(objects, job);
    struct mpilens_communicator pending = fake_job_communicator(job, job->world_group, 1, 4, "");
    pending.flags = MPILENS_COMMUNICATOR_PENDING;
    pending.function = objects->function.idup;
    objects->pending_communicator = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &pending);
    add_operations(objects, job);
    add_partitioned(objects, job);
    job->target->process.buffer = 0xb000;
    job->target->process.buffer_bytes = 65536;
}
