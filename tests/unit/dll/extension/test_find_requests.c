/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding requests by their handles.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(requests_of_ints, .init = create_job_of_ints, .fini = close_job);
TestSuite(requests_of_pointers, .init = create_job_of_pointers, .fini = close_job);

enum { C = MPILENS_HANDLE_C, FORTRAN = MPILENS_HANDLE_FORTRAN };

static int find_request(int language, uint64_t handle, struct mpilens_operation_information *ret_request)
{
    memset(ret_request, 0x77, sizeof *ret_request);
    ret_request->struct_size = sizeof *ret_request;
    return mpilens_find_request(opened.process, (enum mpilens_handle_language)language, handle, ret_request);
}

Test(requests_of_ints, requests)
{
    struct mpilens_operation send = send_to(2, 7);
    const uint64_t serial = send.posted;
    const uint64_t handle = send.request;
    add_operation(&send);
    send = send_to(3, 8);
    send.request = handle;
    add_operation(&send);
    struct mpilens_operation done = send_to(1, 9);
    done.state = MPILENS_OPERATION_RETIRED;
    const uint64_t retired = done.request;
    add_operation(&done);
    open_job();
    struct mpilens_operation_information request;
    cr_assert_eq(find_request(C, handle, &request), mqs_ok);
    cr_assert_eq(request.serial, serial, "the oldest");
    cr_assert_eq(request.peer_local, 2);
    cr_assert_eq(request.active, 1);
    cr_assert_eq(request.has_fortran_handle, 1);
    cr_assert_eq(request.fortran_handle, (int32_t)(uint32_t)handle);
    cr_assert_eq(find_request(FORTRAN, handle, &request), mqs_ok);
    cr_assert_eq(find_request(C, retired, &request), mqs_no_information);
    cr_assert_eq(request.serial, UINT64_C(0x7777777777777777), "not touched");
    cr_assert_eq(find_request(C, 0, &request), mqs_no_information);
    cr_assert_eq(find_request(C, TESTED_REQUEST_NULL, &request), mqs_ok);
    cr_assert_eq(request.flags, 0);
    cr_assert_eq(request.serial, 0);
    cr_assert_str_eq(request.function, "MPI_REQUEST_NULL");
}

/* The request of the operation with this serial. */
static uint64_t request_of(uint64_t serial)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    cr_assert_eq(mpilens_setup_request_iterator(opened.process), mqs_ok);
    while (mpilens_next_request(opened.process, &request) == mqs_ok)
        if (request.serial == serial)
            return request.request;
    cr_assert(false, "no request");
    return 0;
}

Test(requests_of_ints, requests_that_are_persistent)
{
    open_job();
    struct mpilens_operation_information request;
    cr_assert_eq(find_request(C, request_of(objects.serial.send_init), &request), mqs_ok);
    cr_assert_eq(request.serial, objects.serial.send_init);
    cr_assert_eq(request.active, 0);
    cr_assert_eq(request.persistent, 1);
    fake_target_put_field(opened.job.target, objects.partitioned_send, MPILENS_FIELD_operation_request, 0x98001234);
    fake_target_put_field(opened.job.target, objects.partitioned, MPILENS_FIELD_operation_request, 0x98001234);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(find_request(C, 0x98001234, &request), mqs_ok);
    cr_assert_eq(request.serial, objects.serial.partitioned_send, "what was started with it");
    cr_assert_eq(request.active, 1);
}

/* MPICH has one handle for all that is complete at once; Open MPI one for all that goes to nobody. */
Test(requests_of_ints, requests_that_share_a_handle)
{
    struct mpilens_operation operation = send_to(2, 8);
    operation.request = 0x6c000000;
    operation.state = MPILENS_OPERATION_COMPLETE;
    const uint64_t oldest = operation.posted;
    add_operation(&operation);
    operation = receive_from(FAKE_PROC_NULL, 7);
    operation.request = 0x6c000000;
    operation.state = MPILENS_OPERATION_COMPLETE;
    const uint64_t last = add_operation(&operation);
    open_job();
    struct mpilens_operation_information request;
    char text[256];
    cr_assert_eq(find_request(C, 0x6c000000, &request), mqs_ok);
    cr_assert_eq(request.serial, oldest);
    cr_assert_eq(request.sharers, 2);
    cr_assert_eq(request.to_nobody, 0);
    cr_assert_eq(mpilens_summarize_request(opened.process, &request, text, sizeof text), mqs_ok);
    cr_assert_str_eq(text, "request 0x6c000000: one of 2 operations with this handle, the oldest of them a complete "
                           "send, 10 x MPI_INT, to rank 2, tag 8, on MPI_COMM_WORLD, made by MPI_Isend");
    put_field(last, MPILENS_FIELD_operation_request, 0x6c000001);
    copy_again();
    cr_assert_eq(find_request(C, 0x6c000000, &request), mqs_ok);
    cr_assert_eq(request.sharers, 1);
    cr_assert_eq(find_request(C, 0x6c000001, &request), mqs_ok);
    cr_assert_eq(request.to_nobody, 1);
    cr_assert_eq(mpilens_summarize_request(opened.process, &request, text, sizeof text), mqs_ok);
    cr_assert_not_null(strstr(text, ", from MPI_PROC_NULL, "), "%s", text);
}

/* The handle of a request that was freed while it was active, until another request has had it. */
Test(requests_of_ints, requests_that_were_freed)
{
    struct mpilens_operation operation = receive_from(2, 7);
    const uint64_t handle = operation.request = 0x98004321;
    operation.state = MPILENS_OPERATION_RELEASED;
    const uint64_t freed_serial = operation.posted;
    add_operation(&operation);
    operation = send_to(2, 8);
    operation.request = handle;
    const uint64_t send = add_operation(&operation);
    open_job();
    struct mpilens_operation_information request;
    cr_assert_eq(find_request(C, handle, &request), mqs_ok);
    cr_assert_eq(request.serial, operation.posted, "what it names now");
    put_field(send, MPILENS_FIELD_operation_state, MPILENS_OPERATION_RETIRED);
    copy_again();
    cr_assert_eq(find_request(C, handle, &request), mqs_no_information, "the freed one is over");
    put_field(send, MPILENS_FIELD_operation_request, handle + 1);
    copy_again();
    cr_assert_eq(find_request(C, handle, &request), mqs_ok);
    cr_assert_eq(request.serial, freed_serial);
    cr_assert_eq(request.state, MPILENS_OPERATION_RELEASED);
    cr_assert_eq(request.request, 0);
    cr_assert_eq(find_request(C, handle + 1, &request), mqs_no_information, "it was not freed while it was active");
    put_field(send, MPILENS_FIELD_operation_request, handle);
    put_field(send, MPILENS_FIELD_operation_flags, MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING);
    copy_again();
    cr_assert_eq(find_request(C, handle, &request), mqs_ok, "a blocking call has no request");
}

/* Fortran's requests are numbers in a table of their own. */
static uint64_t add_fortran_requests(const struct mpilens_fortran_request *requests, size_t count)
{
    struct fake_target *target = opened.job.target;
    const uint32_t size = target->struct_size[MPILENS_STRUCT_fortran_request];
    target->process.fortran_requests = fake_target_reserve(target, count * size);
    target->process.fortran_request_count = count;
    for (size_t i = 0; i < count; i++)
        fake_target_put(target, MPILENS_STRUCT_fortran_request, target->process.fortran_requests + i * size,
                        &requests[i]);
    return target->process.fortran_requests;
}

Test(requests_of_pointers, requests_of_fortran)
{
    struct mpilens_operation send = send_to(2, 7);
    send.request = 0x7f0000004000;
    add_operation(&send);
    struct mpilens_operation done = send_to(2, 8);
    done.state = MPILENS_OPERATION_RETIRED;
    add_operation(&done);
    const struct mpilens_fortran_request requests[] = {
        {0, 0}, {0x7f0000004000, send.posted}, {done.request, done.posted}, {0x7f0000004000, 999999}};
    add_fortran_requests(requests, 4);
    open_job();
    struct mpilens_operation_information request;
    cr_assert_eq(find_request(FORTRAN, 1, &request), mqs_ok);
    cr_assert_eq(request.serial, send.posted);
    cr_assert_eq(find_request(C, 0x7f0000004000, &request), mqs_ok);
    cr_assert_eq(request.has_fortran_handle, 1);
    cr_assert_eq(request.fortran_handle, 1);
    cr_assert_eq(find_request(FORTRAN, 2, &request), mqs_no_information, "retired");
    cr_assert_eq(find_request(FORTRAN, 3, &request), mqs_no_information);
    cr_assert_eq(find_request(FORTRAN, 4, &request), mqs_no_information);
    cr_assert_eq(find_request(FORTRAN, UINT64_MAX, &request), mqs_no_information);
    cr_assert_eq(find_request(FORTRAN, 0, &request), mqs_ok);
    cr_assert_str_eq(request.function, "MPI_REQUEST_NULL");
    cr_assert_eq(find_request(C, 0x7f0000001000, &request), mqs_ok);
    cr_assert_str_eq(request.function, "MPI_REQUEST_NULL");
    put_field(opened.job.target->root, MPILENS_FIELD_process_fortran_request_count, UINT64_MAX);
    put_field(opened.job.target->root, MPILENS_FIELD_process_fortran_requests, UINT64_MAX - 100);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_geq(find_request(FORTRAN, 3, &request), mqs_first_user_code);
    cr_assert_geq(find_request(FORTRAN, INT32_MAX, &request), mqs_first_user_code);
}
