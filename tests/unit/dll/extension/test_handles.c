/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding objects by their handles.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(ints, .init = create_job_of_ints, .fini = close_job);
TestSuite(pointers, .init = create_job_of_pointers, .fini = close_job);

static int find(int kind, int language, uint64_t handle, struct mpilens_object_information *ret_object)
{
    memset(ret_object, 0x77, sizeof *ret_object);
    ret_object->struct_size = sizeof *ret_object;
    int code = mpilens_find_object(opened.process, kind, (enum mpilens_handle_language)language, handle, ret_object);
    if (code != mqs_ok)
        cr_assert_eq(ret_object->serial, 0x77777777, "not touched");
    return code;
}

static struct mpilens_object_information found(int kind, int language, uint64_t handle)
{
    struct mpilens_object_information object;
    cr_assert_eq(find(kind, language, handle, &object), mqs_ok, "0x%lx", (unsigned long)handle);
    cr_assert_eq(object.kind, (uint32_t)kind);
    return object;
}

static void check_none(int kind, int language, uint64_t handle)
{
    struct mpilens_object_information object;
    cr_assert_eq(find(kind, language, handle, &object), mqs_no_information, "0x%lx", (unsigned long)handle);
}

enum { C = MPILENS_HANDLE_C, FORTRAN = MPILENS_HANDLE_FORTRAN };

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
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        const uint64_t handle = handles[i].handle;
        const uint64_t extended = (uint64_t)(int64_t)(int32_t)handle;
        const struct mpilens_object_information object = found(handles[i].kind, C, handle);
        cr_assert_eq(object.handle, handle);
        cr_assert_eq(found(handles[i].kind, C, extended).serial, object.serial);
        cr_assert_eq(found(handles[i].kind, FORTRAN, extended).serial, object.serial);
        check_none(handles[i].kind, C, handle + 0x100);
        check_none(handles[i].kind, C, handle | UINT64_C(1) << 40);
        check_none(handles[i].kind, FORTRAN, handle | UINT64_C(1) << 40);
        struct mpilens_handle_information information = {.struct_size = sizeof information};
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

Test(ints, of_a_size_that_no_handle_has)
{
    static const uint32_t sizes[] = {1, 16, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        opened.job.target->process.handle_bytes = opened.job.target->process.request_bytes = sizes[i];
        open_job();
        cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_COMMUNICATOR), 0);
        cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_REQUEST), 0);
        cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_KEYVAL), 4);
        fake_debugger_close(&opened.debugger);
    }
}

Test(ints, files_are_pointers_all_the_same)
{
    put_field(objects.file, MPILENS_FIELD_file_handle, 0x5555500000001000);
    put_field(objects.file, MPILENS_FIELD_file_flags, MPILENS_OBJECT_HAS_FORTRAN_HANDLE);
    put_field(objects.file, MPILENS_FIELD_file_fortran_handle, 3);
    open_job();
    cr_assert_eq(found(MPILENS_OBJECT_FILE, C, 0x5555500000001000).serial, 1);
    cr_assert_eq(found(MPILENS_OBJECT_FILE, FORTRAN, 3).serial, 1);
    check_none(MPILENS_OBJECT_FILE, C, 0x1000);
    check_none(MPILENS_OBJECT_FILE, FORTRAN, 4);
    cr_assert_eq(found(MPILENS_OBJECT_FILE, C, 0).flags & MPILENS_OBJECT_NULL, MPILENS_OBJECT_NULL);
}

/* The two messages that stand for none, in C and, where it has others, in Fortran. */
Test(pointers, of_the_message_of_nobody)
{
    struct mpilens_process *process = &opened.job.target->process;
    process->known_nulls |= 1u << MPILENS_OBJECT_MESSAGE | 1u << MPILENS_NO_PROC_PLACE;
    process->null_handles[MPILENS_OBJECT_MESSAGE] = 0x7f0000003000;
    process->fortran_null_handles[MPILENS_OBJECT_MESSAGE] = 1;
    process->null_handles[MPILENS_NO_PROC_PLACE] = 0x7f0000003100;
    process->fortran_null_handles[MPILENS_NO_PROC_PLACE] = -7;
    open_job();
    const struct {
        int language;
        uint64_t handle;
        const char *name;
    } nobodies[] = {
        {C, 0x7f0000003000, "MPI_MESSAGE_NULL"},        {FORTRAN, 1, "MPI_MESSAGE_NULL"},
        {C, 0x7f0000003100, "MPI_MESSAGE_NO_PROC"},     {FORTRAN, (uint64_t)-7, "MPI_MESSAGE_NO_PROC"},
        {FORTRAN, (uint32_t)-7, "MPI_MESSAGE_NO_PROC"},
    };
    for (size_t i = 0; i < sizeof nobodies / sizeof *nobodies; i++) {
        const bool is_null = i < 2;
        const struct mpilens_object_information object =
            found(MPILENS_OBJECT_MESSAGE, nobodies[i].language, nobodies[i].handle);
        cr_assert_str_eq(object.name, nobodies[i].name);
        cr_assert_eq(object.handle, is_null ? 0x7f0000003000 : 0x7f0000003100);
        cr_assert_eq(object.flags, MPILENS_OBJECT_NULL | MPILENS_OBJECT_PREDEFINED);
    }
    check_none(MPILENS_OBJECT_COMMUNICATOR, C, 0x7f0000003100);
}

Test(ints, that_are_null)
{
    open_job();
    for (int language = MPILENS_HANDLE_C; language <= MPILENS_HANDLE_FORTRAN; language++) {
        found(MPILENS_OBJECT_COMMUNICATOR, C, 0x44000000);
        const struct mpilens_object_information object = found(MPILENS_OBJECT_COMMUNICATOR, language, TESTED_COMM_NULL);
        cr_assert(object.flags & MPILENS_OBJECT_NULL);
        cr_assert_eq(object.serial, 0);
        cr_assert_str_eq(object.name, "MPI_COMM_NULL");
        struct mpilens_handle_information information = {.struct_size = sizeof information};
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
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        cr_assert_eq(find(kinds[i], C, 0x44000000, &object), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(find(MPILENS_OBJECT_COMMUNICATOR, 7, 0x44000000, &object), MPILENS_ERROR_BAD_ARGUMENT);
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
    put_field(objects.info, MPILENS_FIELD_info_state, MPILENS_OBJECT_FREED);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    const struct mpilens_object_information object = found(MPILENS_OBJECT_INFO, C, 0x9c000001);
    cr_assert_eq(object.serial, 2, "the last one");
    cr_assert_eq(object.freed, 1);
    struct mpilens_handle_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_get_handle(opened.process, &information), mqs_ok);
    cr_assert_eq(information.freed_site, 0x401234);
    cr_assert_str_eq(information.freed_function, "MPI_Info_create");
    put_field(record, MPILENS_FIELD_info_state, 0);
    put_field(objects.info, MPILENS_FIELD_info_state, 77);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    check_none(MPILENS_OBJECT_INFO, C, 0x9c000001);
}

Test(ints, are_the_current_object)
{
    open_job();
    struct mpilens_window_information window = {.struct_size = sizeof window};
    found(MPILENS_OBJECT_WINDOW, C, 0xa0000001);
    cr_assert_eq(mpilens_get_window(opened.process, &window), mqs_ok);
    cr_assert_eq(window.id, 555);
    /* The iterator goes on where it was, and is of its own kind. */
    struct mpilens_object_information object = {.struct_size = sizeof object};
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
    put_field(objects.freed_keyval, MPILENS_FIELD_keyval_handle, 0);
    open_job();
    cr_assert_eq(found(MPILENS_OBJECT_KEYVAL, C, 0).serial, 1);
    cr_assert_eq(found(MPILENS_OBJECT_KEYVAL, FORTRAN, 0).serial, 1);
}

Test(ints, the_empty_group_has_a_name)
{
    struct mpilens_group empty = {.state = MPILENS_OBJECT_LIVE,
                                  .flags = MPILENS_OBJECT_PREDEFINED,
                                  .handle = 0x48000000,
                                  .serial = 71,
                                  .rank = -1};
    fake_target_add(opened.job.target, MPILENS_TABLE_GROUPS, &empty);
    empty = (struct mpilens_group){.state = MPILENS_OBJECT_LIVE, .handle = 0x88000077, .serial = 72, .rank = -1};
    fake_target_add(opened.job.target, MPILENS_TABLE_GROUPS, &empty);
    open_job();
    cr_assert_str_eq(find_object(MPILENS_OBJECT_GROUP, 0x48000000).name, "MPI_GROUP_EMPTY");
    cr_assert_str_eq(find_object(MPILENS_OBJECT_GROUP, 0x88000077).name, "", "another one without members");
}

Test(ints, serials)
{
    const struct mpilens_range everybody = {0, 1, 4};
    const uint64_t group = fake_job_group(&opened.job, 1, 4, &everybody, 1);
    put_field(group, MPILENS_FIELD_group_serial, 7);
    open_job();
    struct mpilens_object_information object = {.struct_size = sizeof object};
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_GROUP, 7, &object), mqs_ok);
    cr_assert_eq(object.handle, 0);
    cr_assert_eq(object.serial, 7);
    struct mpilens_group_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_get_group(opened.process, &information), mqs_ok);
    cr_assert_eq(information.size, 4);
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_GROUP, 8, &object), mqs_no_information);
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_GROUP, 0, &object), mqs_no_information);
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_MESSAGE, 1, &object),
                 MPILENS_ERROR_BAD_ARGUMENT);
}

Test(pointers, have_integers_in_fortran)
{
    put_field(opened.job.split, MPILENS_FIELD_communicator_handle, 0x7f0000003000);
    put_field(opened.job.split, MPILENS_FIELD_communicator_flags,
              MPILENS_OBJECT_HAS_FORTRAN_HANDLE | MPILENS_OBJECT_FROM_FORTRAN);
    put_field(opened.job.split, MPILENS_FIELD_communicator_fortran_handle, 5);
    open_job();
    const uint32_t serial = found(MPILENS_OBJECT_COMMUNICATOR, C, 0x7f0000003000).serial;
    struct mpilens_handle_information information = {.struct_size = sizeof information};
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
