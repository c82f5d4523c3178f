/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Users of an object, and its attributes.
 */
#include "tested_job.h"

#include <criterion/criterion.h>
#include <stdio.h>

TestSuite(users, .init = create_job_with_objects, .fini = close_job);

/* The users of the current object as "kind:serial " (of requests "r:serial of the operation "). */
static const char *users(void)
{
    static char text[512];
    text[0] = '\0';
    struct mpilens_user_information user = {.struct_size = sizeof user};
    int code = mpilens_setup_user_iterator(opened.process);
    cr_assert_eq(code, mqs_ok, "%d", code);
    while ((code = mpilens_next_user(opened.process, &user)) == mqs_ok) {
        static const char letters[] = "?cgdoeiksWfm??";
        const size_t used = strlen(text);
        if (user.kind == MPILENS_OBJECT_REQUEST)
            snprintf(text + used, sizeof text - used, "r:%lu ", (unsigned long)user.operation_serial);
        else
            snprintf(text + used, sizeof text - used, "%c:%u ", letters[user.kind], user.serial);
    }
    cr_assert_eq(code, mqs_end_of_list);
    return text;
}

static const char *users_of(int kind, uint64_t handle)
{
    find_object(kind, handle);
    return users();
}

static const char *requests(const uint64_t *serials, size_t count)
{
    static char text[512];
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "r:%lu ", (unsigned long)serials[i]);
    return text;
}

Test(users, of_every_kind)
{
    struct mpilens_message message = {
        .state = MPILENS_OBJECT_LIVE, .handle = 0xac000001, .communicator = opened.job.split, .matched_time = 900};
    fake_target_add(opened.job.target, MPILENS_TABLE_MESSAGES, &message);
    put_field(opened.job.inter, MPILENS_FIELD_communicator_errhandler, objects.errhandler);
    put_field(opened.job.inter, MPILENS_FIELD_communicator_session, objects.session);
    put_field(opened.job.inter, MPILENS_FIELD_communicator_info, 1);
    put_field(opened.job.self, MPILENS_FIELD_communicator_group, objects.group);
    put_field(objects.group, MPILENS_FIELD_group_session, objects.session);
    put_field(objects.window, MPILENS_FIELD_window_exposure_group, objects.group);
    put_field(objects.file, MPILENS_FIELD_file_info, 1);
    struct mpilens_operation persistent =
        fake_job_operation(&opened.job, objects.function.ibarrier, MPILENS_OPERATION_COLLECTIVE, -1, 0);
    persistent.state = MPILENS_OPERATION_PERSISTENT;
    persistent.actual_bytes = 0x98000001;
    persistent.communicator = opened.job.self;
    add_operation(&persistent);
    open_job();
    char expected[512];
    snprintf(expected, sizeof expected, "k:2 W:1 m:0 %s", requests(&objects.serial.rput, 1));
    cr_expect_str_eq(users_of(MPILENS_OBJECT_COMMUNICATOR, 0x84000002), expected);
    cr_expect_str_eq(users_of(MPILENS_OBJECT_GROUP, 0x88000001), "c:1 W:1 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_ERRHANDLER, 0x94000001), "c:3 s:1 W:1 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_INFO, 0x9c000001), "c:3 f:1 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_SESSION, 0x80000001), "c:3 g:9 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_KEYVAL, 0xa4400001), "c:2 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_WINDOW, 0xa0000001), requests(&objects.serial.rput, 1));
    cr_expect_str_eq(users_of(MPILENS_OBJECT_FILE, 0x5555000), requests(&objects.serial.iread, 1));
    cr_expect_str_eq(users_of(MPILENS_OBJECT_OP, 0x98000001), requests(&persistent.posted, 1));
    cr_expect_str_eq(users_of(MPILENS_OBJECT_DATATYPE, 0x8c000001), "f:1 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_COMMUNICATOR, 0x84000004), requests(&objects.serial.idup, 1));
    cr_expect_str_eq(users_of(MPILENS_OBJECT_MESSAGE, 0xac000001), "");
}

Test(users, of_persistent_requests_are_what_was_started)
{
    put_field(objects.partitioned, MPILENS_FIELD_operation_communicator, opened.job.self);
    put_field(objects.partitioned_send, MPILENS_FIELD_operation_communicator, opened.job.self);
    open_job();
    cr_assert_str_eq(users_of(MPILENS_OBJECT_COMMUNICATOR, 0x44000001), requests(&objects.serial.partitioned_send, 1));
}

Test(users, of_ops_and_datatypes_are_calls_under_way)
{
    const uint64_t calls =
        opened.job.inter + opened.job.target->fields[MPILENS_FIELD_communicator_recent_collectives].offset;
    struct mpilens_collective call = {
        .serial = 1, .active = 1, .op = 0x98000001, .datatype = opened.job.vector_type, .function = 1};
    fake_target_put(opened.job.target, MPILENS_STRUCT_collective, calls, &call);
    open_job();
    cr_expect_str_eq(users_of(MPILENS_OBJECT_OP, 0x98000001), "c:3 ");
    cr_expect_str_eq(users_of(MPILENS_OBJECT_DATATYPE, 0x8c000001), "c:3 f:1 ");
    call.active = 0;
    fake_target_put(opened.job.target, MPILENS_STRUCT_collective, calls, &call);
    copy_again();
    cr_expect_str_eq(users_of(MPILENS_OBJECT_OP, 0x98000001), "");
}

Test(users, of_a_freed_op_are_calls_under_way_unless_its_handle_names_another)
{
    const uint64_t calls =
        opened.job.inter + opened.job.target->fields[MPILENS_FIELD_communicator_recent_collectives].offset;
    struct mpilens_collective call = {.serial = 1, .active = 1, .op = 0x98000005, .function = 1};
    fake_target_put(opened.job.target, MPILENS_STRUCT_collective, calls, &call);
    struct mpilens_op op = {.state = MPILENS_OBJECT_FREED, .handle = 0x98000005, .serial = 71};
    fake_target_add(opened.job.target, MPILENS_TABLE_OPS, &op);
    op = (struct mpilens_op){.state = MPILENS_OBJECT_LIVE, .handle = 0x98000005, .serial = 72};
    const uint64_t younger = fake_target_add(opened.job.target, MPILENS_TABLE_OPS, &op);
    struct mpilens_object_information old = {.struct_size = sizeof old};
    open_job();
    cr_expect_str_eq(users_of(MPILENS_OBJECT_OP, 0x98000005), "c:3 ");
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_OP, 71, &old), mqs_ok);
    cr_expect_str_eq(users(), "");
    put_field(younger, MPILENS_FIELD_op_handle, 0x98000006);
    copy_again();
    cr_assert_eq(mpilens_find_object_by_serial(opened.process, MPILENS_OBJECT_OP, 71, &old), mqs_ok);
    cr_expect_str_eq(users(), "c:3 ");
}

Test(users, of_datatypes_are_those_made_of_them)
{
    const uint64_t arguments = fake_target_reserve(opened.job.target, 24);
    fake_target_put_integer(opened.job.target, arguments + 16, 8, opened.job.vector_type);
    struct mpilens_datatype outer = {.state = MPILENS_OBJECT_LIVE,
                                     .handle = 0x8c000009,
                                     .serial = 9,
                                     .datatype_count = 2,
                                     .integer_count = 1,
                                     .arguments = arguments};
    const uint64_t record = fake_target_add(opened.job.target, MPILENS_TABLE_DATATYPES, &outer);
    open_job();
    cr_expect_str_eq(users_of(MPILENS_OBJECT_DATATYPE, 0x8c000001), "d:9 f:1 ");
    put_field(record, MPILENS_FIELD_datatype_datatype_count, UINT32_MAX);
    copy_again();
    cr_expect_str_eq(users_of(MPILENS_OBJECT_DATATYPE, 0x8c000001), "f:1 ", "nonsense is passed over");
}

Test(users, end_with_the_current_object)
{
    struct mpilens_user_information user = {.struct_size = sizeof user};
    open_job();
    cr_assert_eq(mpilens_setup_user_iterator(opened.process), MPILENS_ERROR_NO_CURRENT);
    cr_assert_eq(mpilens_next_user(opened.process, &user), MPILENS_ERROR_NO_CURRENT);
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    cr_assert_eq(mpilens_next_user(opened.process, &user), mqs_end_of_list);
    find_object(MPILENS_OBJECT_GROUP, 0x88000001);
    cr_assert_eq(mpilens_setup_user_iterator(opened.process), mqs_ok);
    find_object(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_next_user(opened.process, &user), mqs_end_of_list);
    cr_assert_eq(mpilens_setup_user_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_user(opened.process, &user), mqs_ok);
    cr_assert_str_eq(user.name, "MPI_Rput");
    cr_assert_neq(user.handle, 0);
}

Test(users, attributes)
{
    struct mpilens_attribute attribute = {.state = MPILENS_OBJECT_LIVE,
                                          .object_kind = MPILENS_ATTACHABLE_WINDOW,
                                          .object = objects.window,
                                          .keyval = objects.freed_keyval,
                                          .value = 0x77,
                                          .site = 0x402500};
    fake_target_add(opened.job.target, MPILENS_TABLE_ATTRIBUTES, &attribute);
    attribute.object_kind = 99;
    fake_target_add(opened.job.target, MPILENS_TABLE_ATTRIBUTES, &attribute);
    attribute = (struct mpilens_attribute){
        .state = MPILENS_OBJECT_FREED, .object_kind = MPILENS_ATTACHABLE_COMMUNICATOR, .object = opened.job.split};
    fake_target_add(opened.job.target, MPILENS_TABLE_ATTRIBUTES, &attribute);
    memcpy(fake_target_bytes(opened.job.target,
                             objects.keyval + opened.job.target->fields[MPILENS_FIELD_keyval_name].offset, 8),
           "MPI_KEY", 8);
    open_job();
    struct mpilens_attribute_information answer = {.struct_size = sizeof answer};
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(mpilens_next_attribute(opened.process, &answer), mqs_end_of_list);
    cr_assert_eq(mpilens_setup_attribute_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_attribute(opened.process, &answer), mqs_ok);
    cr_assert_eq(answer.value, 0x1234);
    cr_assert_eq(answer.keyval_serial, 2);
    cr_assert_eq(answer.site, 0x401b00);
    cr_assert_str_eq(answer.keyval_name, "MPI_KEY");
    cr_assert_eq(mpilens_next_attribute(opened.process, &answer), mqs_end_of_list);
    find_object(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_setup_attribute_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_attribute(opened.process, &answer), mqs_ok);
    cr_assert_eq(answer.value, 0x77);
    cr_assert_eq(answer.keyval_handle, 0, "freed");
    cr_assert_eq(mpilens_next_attribute(opened.process, &answer), mqs_end_of_list);
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    cr_assert_eq(mpilens_setup_attribute_iterator(opened.process), MPILENS_ERROR_NO_CURRENT);
}
