/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that are neither sends nor receives, and inactive persistent requests.
 */
#include "threads.h"

#include <criterion/criterion.h>

TestSuite(requests, .init = create_job_with_objects, .fini = close_job);

/* The request with this serial. */
static struct mpilens_operation_information find(uint64_t serial)
{
    struct mpilens_operation_information request;
    memset(&request, 0x77, sizeof request);
    request.struct_size = sizeof request;
    cr_assert_eq(mpilens_setup_request_iterator(opened.process), mqs_ok);
    while (mpilens_next_request(opened.process, &request) == mqs_ok)
        if (request.serial == serial)
            return request;
    cr_assert(false, "no request %lu", (unsigned long)serial);
    return request;
}

static size_t count_requests(void)
{
    size_t count = 0;
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    cr_assert_eq(mpilens_setup_request_iterator(opened.process), mqs_ok);
    uint64_t last = 0;
    for (; mpilens_next_request(opened.process, &request) == mqs_ok; count++) {
        cr_assert_gt(request.serial, last, "in order");
        last = request.serial;
    }
    return count;
}

Test(requests, queues_hold_messages_only)
{
    open_job();
    uint64_t serials[8];
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_sends, serials, 8), 1);
    cr_assert_eq(serials[0], objects.serial.partitioned_send);
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_receives, serials, 8), 0);
    cr_assert_not(opened_job_go_to(&opened, "unknown communicator"), "generalized requests belong to none");
}

Test(requests, the_recorder_holds_messages_only)
{
    struct mpilens_operation operation = fake_job_operation(&opened.job, objects.function.ibarrier,
                                                            MPILENS_OPERATION_COLLECTIVE, FAKE_PROC_NULL + 10, 0);
    operation.state = MPILENS_OPERATION_RETIRED;
    add_operation(&operation);
    open_job();
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    struct mpilens_operation_information completed = {.struct_size = sizeof completed};
    cr_assert_eq(mpilens_setup_completed_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_completed(opened.process, &completed), mqs_end_of_list);
}

Test(requests, come_in_order)
{
    open_job();
    cr_assert_eq(count_requests(), 10);
}

Test(requests, collectives)
{
    open_job();
    struct mpilens_operation_information request = find(objects.serial.ibarrier);
    cr_assert_eq(request.operation_class, MPILENS_OPERATION_COLLECTIVE);
    cr_assert_str_eq(request.function, "MPI_Ibarrier");
    cr_assert_eq(request.active, 1);
    cr_assert_eq(request.persistent, 0);
    cr_assert_eq(request.complete, 0);
    cr_assert_eq(request.communicator_id, 100);
    cr_assert_eq(request.collective, 12);
    cr_assert_eq(request.has_root, 0);
    cr_assert_eq(request.peer_local, -1);
    cr_assert_eq(request.object_kind, MPILENS_OBJECT_NONE);
    request = find(objects.serial.ibcast);
    cr_assert_eq(request.has_root, 1);
    cr_assert_eq(request.peer_local, 3);
    cr_assert_eq(request.peer_world, 3);
    cr_assert_eq(request.count, 10);
    cr_assert_eq(request.bytes, 40);
    cr_assert_str_eq(request.datatype, "MPI_INT");
    request = find(objects.serial.barrier_init);
    cr_assert_eq(request.active, 0);
    cr_assert_eq(request.persistent, 1);
    cr_assert_eq(request.collective, 0, "it has no number before it is started");
    cr_assert_eq(find(objects.serial.finished).complete, 1);
}

Test(requests, one_sided)
{
    open_job();
    struct mpilens_operation_information request = find(objects.serial.rput);
    cr_assert_eq(request.object_kind, MPILENS_OBJECT_WINDOW);
    cr_assert_eq(request.object_serial, 1);
    cr_assert_eq(request.object_id, 555);
    cr_assert_eq(request.peer_local, 0);
    cr_assert_eq(request.peer_world, 3);
    cr_assert_eq(request.offset, -1);
}

Test(requests, files)
{
    open_job();
    struct mpilens_operation_information request = find(objects.serial.iread);
    cr_assert_eq(request.object_kind, MPILENS_OBJECT_FILE);
    cr_assert_eq(request.object_id, 777);
    cr_assert_eq(request.offset, 4096);
    cr_assert_eq(request.peer_local, -1);
}

Test(requests, others)
{
    open_job();
    struct mpilens_operation_information request = find(objects.serial.idup);
    cr_assert_eq(request.object_kind, MPILENS_OBJECT_COMMUNICATOR);
    cr_assert_eq(request.communicator_id, 100);
    cr_assert_neq(request.object_id, request.communicator_id);
    request = find(objects.serial.grequest);
    cr_assert_eq(request.count, -1, "it has no data");
    cr_assert_eq(request.operation_class, MPILENS_OPERATION_GENERALIZED);
    cr_assert_eq(request.communicator_id, 0);
    cr_assert_eq(find(objects.serial.iflush).operation_class, MPILENS_OPERATION_BUFFER);
}

Test(requests, persistent_messages_that_are_not_active)
{
    open_job();
    struct mpilens_operation_information request = find(objects.serial.send_init);
    cr_assert_eq(request.operation_class, MPILENS_OPERATION_SEND);
    cr_assert_eq(request.active, 0);
    cr_assert_eq(request.peer_local, 2);
    cr_assert_eq(request.tag, 8);
    cr_assert_eq(request.tag_wild, 0);
}

Test(requests, a_persistent_one_to_nobody)
{
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND, FAKE_PROC_NULL, 8);
    operation.state = MPILENS_OPERATION_PERSISTENT;
    add_operation(&operation);
    const uint64_t serial = opened.job.serial;
    open_job();
    cr_assert_eq(find(serial).peer_local, -1);
}

Test(requests, older_callers_get_what_they_know)
{
    open_job();
    unsigned char bytes[sizeof(struct mpilens_operation_information)];
    memset(bytes, 0x77, sizeof bytes);
    const size_t known = offsetof(struct mpilens_operation_information, function);
    memcpy(bytes, &known, sizeof known);
    cr_assert_eq(mpilens_setup_request_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_request(opened.process, (struct mpilens_operation_information *)(void *)bytes), mqs_ok);
    for (size_t i = known; i < sizeof bytes; i++)
        cr_assert_eq(bytes[i], 0x77);
    cr_assert_eq(mpilens_next_request(opened.process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
}

static struct mpilens_operation_information partitioned(void)
{
    mqs_pending_operation pending;
    struct mpilens_operation_information operation;
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    cr_assert(opened_job_find(&opened, mqs_pending_sends, objects.serial.partitioned_send, &pending, &operation));
    return operation;
}

Test(requests, partitions_of_an_active_send)
{
    open_job();
    struct mpilens_operation_information operation = partitioned();
    cr_assert_eq(operation.partition_count, 8);
    cr_assert_eq(operation.partitions_marked, 3);
}

Test(requests, runs_of_partitions)
{
    static const struct mpilens_partition_run expected[] = {{0, 1, 1, 0}, {1, 2, 0, 0}, {3, 1, 1, 0},
                                                            {4, 2, 0, 0}, {6, 1, 1, 0}, {7, 1, 0, 0}};
    struct mpilens_partition_run runs[6] = {{77, 77, 77, 77}, {77, 77, 77, 77}, {77, 77, 77, 77}};
    const uint64_t serial = objects.serial.partitioned_send;
    size_t count = 77;
    open_job();
    cr_assert_eq(mpilens_get_partitions(opened.process, serial, NULL, 1, &count), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_get_partitions(opened.process, serial, runs, 6, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_get_partitions(opened.process, objects.serial.iread, runs, 6, &count), mqs_no_information);
    cr_assert_eq(mpilens_get_partitions(opened.process, serial - 1, runs, 6, &count), mqs_no_information, "inactive");
    cr_assert_eq(count, 77);
    cr_assert_eq(mpilens_get_partitions(opened.process, serial, runs, 2, &count), mqs_ok);
    cr_assert_eq(count, 6);
    cr_assert_arr_eq(runs, expected, 2 * sizeof runs[0]);
    cr_assert_eq(runs[2].first, 77);
    cr_assert_eq(mpilens_get_partitions(opened.process, serial, runs, 6, &count), mqs_ok);
    cr_assert_arr_eq(runs, expected, sizeof expected);
}

Test(requests, partitions_of_an_inactive_request)
{
    fake_target_put_field(opened.job.target, objects.partitioned, MPILENS_FIELD_operation_second, 0);
    open_job();
    cr_assert_eq(partitioned().partition_count, -1);
    cr_assert_eq(count_requests(), 11);
    cr_assert_eq(find(objects.serial.partitioned_send - 1).partition_count, 8);
}

Test(requests, marks_that_cannot_be_read)
{
    fake_target_put_field(opened.job.target, objects.partitions, MPILENS_FIELD_partitions_marks, 0x10);
    open_job();
    cr_assert_eq(partitioned().partition_count, 8);
    cr_assert_eq(partitioned().partitions_marked, -1);
    size_t count = 77;
    cr_assert_eq(mpilens_get_partitions(opened.process, objects.serial.partitioned_send, NULL, 0, &count),
                 MPILENS_ERROR_UNREADABLE);
    cr_assert_eq(count, 77);
}

Test(requests, partitions_that_are_too_many)
{
    fake_target_put_field(opened.job.target, objects.partitions, MPILENS_FIELD_partitions_count, UINT32_MAX);
    open_job();
    cr_assert_eq(partitioned().partition_count, UINT32_MAX);
    cr_assert_eq(partitioned().partitions_marked, -1);
    size_t count = 77;
    cr_assert_eq(mpilens_get_partitions(opened.process, objects.serial.partitioned_send, NULL, 0, &count),
                 mqs_no_information);
    cr_assert_lt(opened.debugger.bytes_read, 1u << 20);
}

Test(requests, are_what_calls_wait_for)
{
    const uint32_t handles[] = {
        0x98000000 + (uint32_t)objects.serial.ibarrier, 0x98000000 + (uint32_t)objects.serial.iread,
        0x98000000 + (uint32_t)objects.serial.finished, 0x98000000 + (uint32_t)objects.serial.barrier_init};
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, handles, 4);
    add_thread(&thread);
    open_first_thread();
    /* Requests that are over or inactive keep no thread waiting. */
    CHECK_WAITING(objects.serial.ibarrier, objects.serial.iread);
}

Test(requests, a_thread_that_waits_for_one)
{
    struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE, .function = objects.function.wait};
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, objects.function.rput, MPILENS_OPERATION_ONE_SIDED, 1, 0);
    operation.object = objects.partitioned_send; /* not a window: nothing of it counts */
    thread.operation = add_operation(&operation);
    add_thread(&thread);
    cr_assert_eq(open_first_thread().waiting_count, 1);
    cr_assert_eq(find(operation.posted).object_kind, MPILENS_OBJECT_NONE);
    cr_assert_neq(find(operation.posted).request, partitioned().request);
}

Test(requests, hostile_classes_are_torn)
{
    const uint32_t flags[] = {0, MPILENS_OPERATION_SEND | MPILENS_OPERATION_RECEIVE,
                              MPILENS_OPERATION_SEND | MPILENS_OPERATION_FILE,
                              MPILENS_OPERATION_COLLECTIVE | MPILENS_OPERATION_ONE_SIDED, MPILENS_OPERATION_BLOCKING};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        struct mpilens_operation operation = fake_job_operation(&opened.job, objects.function.rput, flags[i], 1, 0);
        add_operation(&operation);
    }
    open_job();
    struct mpilens_process_information process = {.struct_size = sizeof process};
    cr_assert_eq(mpilens_get_process(opened.process, &process), mqs_ok);
    cr_assert_eq(process.torn_records, 5);
    cr_assert_eq(process.buffer, 0xb000);
    cr_assert_eq(process.buffer_bytes, 65536);
    cr_assert_eq(count_requests(), 10);
}
