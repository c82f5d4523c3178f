/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages and keys of attributes in the draft's interface.
 */
#include "tested_draft.h"

#include <criterion/criterion.h>

static const uint64_t handle = 0x2c000123;

static uint64_t message;

static void open_with_message(void)
{
    draft_open();
    struct fake_target *target = opened.job.target;
    const uint32_t probe = fake_target_function(target, "MPI_Mprobe", MPILENS_CALL_PROBE, 0);
    message = fake_target_add(target, MPILENS_TABLE_MESSAGES,
                              &(struct mpilens_message){.state = MPILENS_OBJECT_LIVE,
                                                        .function = probe,
                                                        .handle = handle,
                                                        .communicator = opened.job.split,
                                                        .source = 0,
                                                        .tag = 5,
                                                        .bytes = 40,
                                                        .site = 0x402400,
                                                        .matched_time = 12});
    fake_target_publish(target);
    draft_move_on();
}

TestSuite(mpid_messages, .init = open_with_message, .fini = draft_close);

Test(mpid_messages, message)
{
    char *function;
    int numbers[3];
    int64_t bytes;
    mpid_address_t value;
    mpid_message_handle_t *found = NULL;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_message_query(draft_process, in_c(handle), MPID_TYPE_LANG_C, &found), mpid_rc_ok);
    cr_assert_eq(mpid_message_query_basic(found, &function, &numbers[0], NULL), mpid_rc_ok);
    draft_check_text(function, "MPI_Mprobe");
    cr_assert_eq(numbers[0], MPID_INFO_HANDLE_C);
    cr_assert_eq(mpid_message_query_envelope(found, &numbers[0], &numbers[1], &numbers[2], &bytes), mpid_rc_ok);
    cr_assert(numbers[0] == 0 && numbers[1] == 3 && numbers[2] == 5 && bytes == 40);
    cr_assert_eq(mpid_message_query_comm(found, &comm), mpid_rc_ok);
    cr_assert_eq(mpid_handle_query_value((mpid_any_handle_t *)(void *)comm, NULL, &value, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(value, 0x84000002);
    mpid_comm_handle_free(comm);
    mpid_message_handle_free(found);
    cr_assert_eq(mpid_message_query(draft_process, in_c(handle + 1), MPID_TYPE_LANG_C, &found), mpid_rc_unavailable);
}

/* The library may give the same handle to the next message. */
Test(mpid_messages, message_that_was_received)
{
    mpid_message_handle_t *first = NULL;
    mpid_message_handle_t *second = NULL;
    int tag;
    cr_assert_eq(mpid_message_query(draft_process, in_c(handle), MPID_TYPE_LANG_C, &first), mpid_rc_ok);
    put_field(message, MPILENS_FIELD_message_matched_time, 13);
    put_field(message, MPILENS_FIELD_message_tag, 6);
    draft_move_on();
    cr_assert_eq(mpid_message_query(draft_process, in_c(handle), MPID_TYPE_LANG_C, &second), mpid_rc_ok);
    cr_assert_eq(mpid_message_query_envelope(first, NULL, NULL, &tag, NULL), mpid_rc_stale_handle);
    cr_assert_eq(mpid_message_query_envelope(second, NULL, NULL, &tag, NULL), mpid_rc_ok);
    cr_assert_eq(tag, 6);
    put_field(message, MPILENS_FIELD_message_state, 0);
    draft_move_on();
    mpid_comm_handle_free(draft_comm(0x44000000));
    cr_assert_eq(mpid_message_query_envelope(second, NULL, NULL, &tag, NULL), mpid_rc_stale_handle);
    mpid_message_handle_free(first);
    mpid_message_handle_free(second);
}

Test(mpid_messages, keyval)
{
    mpid_address_t addresses[3];
    int flags;
    int count;
    mpid_reference_t *users;
    mpid_keyval_handle_t *keyval = NULL;
    put_field(objects.keyval, MPILENS_FIELD_keyval_extra_state, 0x77);
    draft_move_on();
    cr_assert_eq(mpid_keyval_query(draft_process, in_c(0xa4400001), MPID_TYPE_LANG_C, &keyval), mpid_rc_ok);
    cr_assert_eq(mpid_keyval_query_basic(keyval, NULL, &flags, &addresses[0], &addresses[1], &addresses[2], NULL),
                 mpid_rc_ok);
    cr_assert(flags & MPID_INFO_COMMUNICATOR && flags & MPID_INFO_HANDLE_C);
    cr_assert_not(flags & (MPID_INFO_WINDOW | MPID_INFO_TYPE | MPID_INFO_PREDEFINED));
    cr_assert(addresses[0] == 0x401900 && addresses[1] == 0x401a00 && addresses[2] == 0x77);
    cr_assert_eq(mpid_handle_query_users((mpid_any_handle_t *)(void *)keyval, &count, &users), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(users[0].kind, MPILENS_OBJECT_COMMUNICATOR);
    mpid_debugger_free(users[0].name);
    mpid_debugger_free(users);
    mpid_keyval_handle_free(keyval);
    put_field(objects.keyval, MPILENS_FIELD_keyval_object_kind, MPILENS_ATTACHABLE_DATATYPE);
    draft_move_on();
    cr_assert_eq(mpid_keyval_query(draft_process, in_c(0xa4400001), MPID_TYPE_LANG_C, &keyval), mpid_rc_ok);
    cr_assert_eq(mpid_keyval_query_basic(keyval, NULL, &flags, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert(flags & MPID_INFO_TYPE);
    mpid_keyval_handle_free(keyval);
    cr_assert_eq(mpid_keyval_query_by_name(draft_process, "MPI_KEYVAL_INVALID", &keyval), mpid_rc_unavailable);
}
