/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What handles name.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

enum { COMM_NULL = 0x04000000, REQUEST_NULL = 0x2c000000 };

/* Of the fake job: handles are ints, also Fortran's. */
static void create_job_of_ints(void)
{
    create_job_with_objects();
    struct mpilens_process *process = &opened.job.target->process;
    process->handle_bytes = 4;
    process->request_bytes = 4;
    process->request_null = REQUEST_NULL;
    process->fortran_is_c = 1;
    process->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_FILE | 1u << MPILENS_OBJECT_REQUEST;
    process->null_handles[MPILENS_OBJECT_COMMUNICATOR] = COMM_NULL;
    process->null_handles[MPILENS_OBJECT_REQUEST] = REQUEST_NULL;
    process->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = COMM_NULL;
}

/* Handles are pointers; Fortran has other integers. */
static void create_job_of_pointers(void)
{
    create_job_with_objects();
    struct mpilens_process *process = &opened.job.target->process;
    process->handle_bytes = 8;
    process->request_bytes = 8;
    process->request_null = 0x7f0000001000;
    process->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_REQUEST;
    process->null_handles[MPILENS_OBJECT_COMMUNICATOR] = 0x7f0000002000;
    process->null_handles[MPILENS_OBJECT_REQUEST] = 0x7f0000001000;
    process->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = 2;
    process->fortran_null_handles[MPILENS_OBJECT_REQUEST] = 0;
}

TestSuite(ints, .init = create_job_of_ints, .fini = close_job);
TestSuite(pointers, .init = create_job_of_pointers, .fini = close_job);

static void put(uint64_t record, enum mpilens_field field, uint64_t value)
{
    fake_target_put_field(opened.job.target, record, field, value);
}

static int find(int kind, enum mpilens_handle_language language, uint64_t handle,
                struct mpilens_object_information *ret_object)
{
    memset(ret_object, 0x77, sizeof(*ret_object));
    ret_object->struct_size = sizeof(*ret_object);
    int code = mpilens_find_object(opened.process, kind, language, handle, ret_object);
    if (code != mqs_ok)
        cr_assert_eq(ret_object->serial, 0x77777777, "not touched");
    return code;
}

static struct mpilens_object_information found(int kind, enum mpilens_handle_language language, uint64_t handle)
{
    struct mpilens_object_information object;
    cr_assert_eq(find(kind, language, handle, &object), mqs_ok, "0x%lx", (unsigned long)handle);
    cr_assert_eq(object.kind, (uint32_t)kind);
    return object;
}

static void check_none(int kind, enum mpilens_handle_language language, uint64_t handle)
{
    struct mpilens_object_information object;
    cr_assert_eq(find(kind, language, handle, &object), mqs_no_information, "0x%lx", (unsigned long)handle);
}

static const enum mpilens_handle_language C = MPILENS_HANDLE_C;
static const enum mpilens_handle_language FORTRAN = MPILENS_HANDLE_FORTRAN;

Test(ints, of_every_kind)
{
    static const struct {
        int kind;
        uint64_t handle;
    } handles[] = {
        {MPILENS_OBJECT_COMMUNICATOR, 0x44000000}, {MPILENS_OBJECT_GROUP, 0x88000001},
        {MPILENS_OBJECT_DATATYPE, 0x8c000001},     {MPILENS_OBJECT_OP, 0x98000001},
        {MPILENS_OBJECT_ERRHANDLER, 0x94000001},   {MPILENS_OBJECT_INFO, 0x9c000001},
        {MPILENS_OBJECT_KEYVAL, 0xa4400001},       {MPILENS_OBJECT_SESSION, 0x80000001},
        {MPILENS_OBJECT_WINDOW, 0xa0000001},
    };
    open_job();
    for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++) {
        const uint64_t handle = handles[i].handle;
        const uint64_t extended = (uint64_t)(int64_t)(int32_t)handle;
        const struct mpilens_object_information object = found(handles[i].kind, C, handle);
        cr_assert_eq(object.handle, handle);
        cr_assert_eq(found(handles[i].kind, C, extended).serial, object.serial);
        cr_assert_eq(found(handles[i].kind, FORTRAN, extended).serial, object.serial);
        check_none(handles[i].kind, C, handle + 0x100);
        check_none(handles[i].kind, C, handle | UINT64_C(1) << 40);
        check_none(handles[i].kind, FORTRAN, handle | UINT64_C(1) << 40);
        struct mpilens_handle_information information = {.struct_size = sizeof(information)};
        found(handles[i].kind, C, handle);
        cr_assert_eq(mpilens_get_handle(opened.process, &information), mqs_ok);
        cr_assert_eq(information.has_fortran_handle, 1);
        cr_assert_eq(information.fortran_handle, (int32_t)handle);
    }
    check_none(MPILENS_OBJECT_COMMUNICATOR, C, 0x88000001);
    check_none(MPILENS_OBJECT_GROUP, C, 0);
    cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_COMMUNICATOR), 4);
    cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_FILE), 8);
    cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_KEYVAL), 4);
    cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_ATTRIBUTE), 0);
    cr_assert_eq(mpilens_handle_bytes(opened.process, 1000), 0);
}

Test(ints, files_are_pointers_all_the_same)
{
    put(objects.file, MPILENS_FIELD_file_handle, 0x5555500000001000);
    put(objects.file, MPILENS_FIELD_file_flags, MPILENS_OBJECT_HAS_FORTRAN_HANDLE);
    put(objects.file, MPILENS_FIELD_file_fortran_handle, 3);
    open_job();
    cr_assert_eq(found(MPILENS_OBJECT_FILE, C, 0x5555500000001000).serial, 1);
    cr_assert_eq(found(MPILENS_OBJECT_FILE, FORTRAN, 3).serial, 1);
    check_none(MPILENS_OBJECT_FILE, C, 0x1000);
    check_none(MPILENS_OBJECT_FILE, FORTRAN, 4);
    cr_assert_eq(found(MPILENS_OBJECT_FILE, C, 0).flags & MPILENS_OBJECT_NULL, MPILENS_OBJECT_NULL);
}

Test(ints, that_are_null)
{
    open_job();
    for (int language = MPILENS_HANDLE_C; language <= MPILENS_HANDLE_FORTRAN; language++) {
        found(MPILENS_OBJECT_COMMUNICATOR, C, 0x44000000);
        const struct mpilens_object_information object =
            found(MPILENS_OBJECT_COMMUNICATOR, (enum mpilens_handle_language)language, COMM_NULL);
        cr_assert(object.flags & MPILENS_OBJECT_NULL);
        cr_assert_eq(object.serial, 0);
        cr_assert_str_eq(object.name, "MPI_COMM_NULL");
        struct mpilens_handle_information information = {.struct_size = sizeof(information)};
        cr_assert_eq(mpilens_get_handle(opened.process, &information), MPILENS_ERROR_NO_CURRENT);
    }
    check_none(MPILENS_OBJECT_DATATYPE, C, 0);
}

Test(ints, that_cannot_be_asked_for)
{
    open_job();
    struct mpilens_object_information object;
    const int kinds[] = {MPILENS_OBJECT_NONE, MPILENS_OBJECT_ATTRIBUTE, MPILENS_OBJECT_REQUEST, MPILENS_OBJECT_STATUS,
                         -1};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        cr_assert_eq(find(kinds[i], C, 0x44000000, &object), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(find(MPILENS_OBJECT_COMMUNICATOR, (enum mpilens_handle_language)7, 0x44000000, &object),
                 MPILENS_ERROR_BAD_ARGUMENT);
}

Test(ints, that_were_used_again)
{
    const struct mpilens_info old = {.state = MPILENS_OBJECT_FREED,
                                     .handle = 0x9c000001,
                                     .serial = 2,
                                     .freed_site = 0x401234,
                                     .freed_function = objects.function.info_create};
    const uint64_t record = fake_target_add(opened.job.target, MPILENS_TABLE_INFOS, &old);
    open_job();
    cr_assert_eq(found(MPILENS_OBJECT_INFO, C, 0x9c000001).serial, 1, "the one that is alive");
    put(objects.info, MPILENS_FIELD_info_state, MPILENS_OBJECT_FREED);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    const struct mpilens_object_information object = found(MPILENS_OBJECT_INFO, C, 0x9c000001);
    cr_assert_eq(object.serial, 2, "the last one");
    cr_assert_eq(object.freed, 1);
    struct mpilens_handle_information information = {.struct_size = sizeof(information)};
    cr_assert_eq(mpilens_get_handle(opened.process, &information), mqs_ok);
    cr_assert_eq(information.freed_site, 0x401234);
    cr_assert_str_eq(information.freed_function, "MPI_Info_create");
    put(record, MPILENS_FIELD_info_state, 0);
    put(objects.info, MPILENS_FIELD_info_state, 77);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    check_none(MPILENS_OBJECT_INFO, C, 0x9c000001);
}

Test(ints, are_the_current_object)
{
    open_job();
    struct mpilens_window_information window = {.struct_size = sizeof(window)};
    found(MPILENS_OBJECT_WINDOW, C, 0xa0000001);
    cr_assert_eq(mpilens_get_window(opened.process, &window), mqs_ok);
    cr_assert_eq(window.unique_id, 555);
    /* The iterator goes on where it was, and is of its own kind. */
    struct mpilens_object_information object = {.struct_size = sizeof(object)};
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, MPILENS_OBJECT_KEYVAL), mqs_ok);
    cr_assert_eq(mpilens_next_object(opened.process, &object), mqs_ok);
    found(MPILENS_OBJECT_WINDOW, C, 0xa0000001);
    cr_assert_eq(mpilens_next_object(opened.process, &object), mqs_ok);
    cr_assert_eq(object.kind, MPILENS_OBJECT_KEYVAL);
    cr_assert_eq(object.serial, 2);
    cr_assert_eq(mpilens_get_window(opened.process, &window), MPILENS_ERROR_NO_CURRENT);
}

Test(ints, key_of_zero)
{
    put(objects.freed_keyval, MPILENS_FIELD_keyval_handle, 0);
    open_job();
    cr_assert_eq(found(MPILENS_OBJECT_KEYVAL, C, 0).serial, 1);
    cr_assert_eq(found(MPILENS_OBJECT_KEYVAL, FORTRAN, 0).serial, 1);
}

Test(ints, serials)
{
    const struct mpilens_range everybody = {0, 1, 4};
    const uint64_t group = fake_job_group(&opened.job, 1, 4, &everybody, 1);
    put(group, MPILENS_FIELD_group_serial, 7);
    open_job();
    struct mpilens_object_information object = {.struct_size = sizeof(object)};
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_GROUP, 7, &object), mqs_ok);
    cr_assert_eq(object.handle, 0);
    cr_assert_eq(object.serial, 7);
    struct mpilens_group_information information = {.struct_size = sizeof(information)};
    cr_assert_eq(mpilens_get_group(opened.process, &information), mqs_ok);
    cr_assert_eq(information.size, 4);
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_GROUP, 8, &object), mqs_no_information);
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_GROUP, 0, &object), mqs_no_information);
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_MESSAGE, 1, &object),
                 MPILENS_ERROR_BAD_ARGUMENT);
}

Test(pointers, have_integers_in_fortran)
{
    put(opened.job.split, MPILENS_FIELD_communicator_handle, 0x7f0000003000);
    put(opened.job.split, MPILENS_FIELD_communicator_flags,
        MPILENS_OBJECT_HAS_FORTRAN_HANDLE | MPILENS_OBJECT_FROM_FORTRAN);
    put(opened.job.split, MPILENS_FIELD_communicator_fortran_handle, 5);
    open_job();
    const uint32_t serial = found(MPILENS_OBJECT_COMMUNICATOR, C, 0x7f0000003000).serial;
    struct mpilens_handle_information information = {.struct_size = sizeof(information)};
    cr_assert_eq(mpilens_get_handle(opened.process, &information), mqs_ok);
    cr_assert_eq(information.has_fortran_handle, 1);
    cr_assert_eq(information.fortran_handle, 5);
    cr_assert_eq(information.from_fortran, 1);
    cr_assert_eq(found(MPILENS_OBJECT_COMMUNICATOR, FORTRAN, 5).serial, serial);
    check_none(MPILENS_OBJECT_COMMUNICATOR, FORTRAN, 6);
    check_none(MPILENS_OBJECT_COMMUNICATOR, FORTRAN, 0);
    check_none(MPILENS_OBJECT_COMMUNICATOR, FORTRAN, 0x7f0000003000);
    check_none(MPILENS_OBJECT_COMMUNICATOR, C, 0x3000);
    cr_assert_str_eq(found(MPILENS_OBJECT_COMMUNICATOR, FORTRAN, 2).name, "MPI_COMM_NULL");
    cr_assert_str_eq(found(MPILENS_OBJECT_COMMUNICATOR, C, 0x7f0000002000).name, "MPI_COMM_NULL");
    found(MPILENS_OBJECT_INFO, C, 0x9c000001);
    cr_assert_eq(mpilens_get_handle(opened.process, &information), mqs_ok);
    cr_assert_eq(information.has_fortran_handle, 0);
}

static int find_request(enum mpilens_handle_language language, uint64_t handle,
                        struct mpilens_request_information *ret_request)
{
    memset(ret_request, 0x77, sizeof(*ret_request));
    ret_request->struct_size = sizeof(*ret_request);
    return mpilens_find_request(opened.process, language, handle, ret_request);
}

Test(ints, requests)
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
    struct mpilens_request_information request;
    cr_assert_eq(find_request(C, handle, &request), mqs_ok);
    cr_assert_eq(request.serial, serial, "the oldest");
    cr_assert_eq(request.peer_local, 2);
    cr_assert_eq(request.active, 1);
    cr_assert_eq(find_request(FORTRAN, handle, &request), mqs_ok);
    cr_assert_eq(find_request(C, retired, &request), mqs_no_information);
    cr_assert_eq(request.serial, UINT64_C(0x7777777777777777), "not touched");
    cr_assert_eq(find_request(C, 0, &request), mqs_no_information);
    cr_assert_eq(find_request(C, REQUEST_NULL, &request), mqs_ok);
    cr_assert_eq(request.flags, 0);
    cr_assert_eq(request.serial, 0);
    cr_assert_str_eq(request.function, "MPI_REQUEST_NULL");
}

/* The request of the operation with this serial. */
static uint64_t request_of(uint64_t serial)
{
    struct mpilens_request_information request = {.struct_size = sizeof(request)};
    cr_assert_eq(mpilens_setup_request_iterator(opened.process), mqs_ok);
    while (mpilens_next_request(opened.process, &request) == mqs_ok)
        if (request.serial == serial)
            return request.request;
    cr_assert(false, "no request");
    return 0;
}

Test(ints, requests_that_are_persistent)
{
    open_job();
    struct mpilens_request_information request;
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

Test(pointers, requests_of_fortran)
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
    struct mpilens_request_information request;
    cr_assert_eq(find_request(FORTRAN, 1, &request), mqs_ok);
    cr_assert_eq(request.serial, send.posted);
    cr_assert_eq(find_request(FORTRAN, 2, &request), mqs_no_information, "retired");
    cr_assert_eq(find_request(FORTRAN, 3, &request), mqs_no_information);
    cr_assert_eq(find_request(FORTRAN, 4, &request), mqs_no_information);
    cr_assert_eq(find_request(FORTRAN, UINT64_MAX, &request), mqs_no_information);
    cr_assert_eq(find_request(FORTRAN, 0, &request), mqs_ok);
    cr_assert_str_eq(request.function, "MPI_REQUEST_NULL");
    cr_assert_eq(find_request(C, 0x7f0000001000, &request), mqs_ok);
    cr_assert_str_eq(request.function, "MPI_REQUEST_NULL");
    put(opened.job.target->root, MPILENS_FIELD_process_fortran_request_count, UINT64_MAX);
    put(opened.job.target->root, MPILENS_FIELD_process_fortran_requests, UINT64_MAX - 100);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_geq(find_request(FORTRAN, 3, &request), mqs_first_user_code);
    cr_assert_geq(find_request(FORTRAN, INT32_MAX, &request), mqs_first_user_code);
}
