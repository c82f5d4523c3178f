/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A whole dump of the usual state, every field, from targets of all layouts that the DLL must be able to read.
 */
#include "opened_job.h"

#include <criterion/criterion.h>

static void open_dump(struct opened_job *dump, const struct fake_options *options)
{
    opened_job_create(dump, options);
    fake_job_populate(&dump->job);
    cr_assert_eq(opened_job_open(dump), mqs_ok);
}

static void close_dump(struct opened_job *dump)
{
    cr_assert_eq(dump->debugger.type_lookups, 0);
    cr_assert_eq(opened_job_close(dump), 0, "the DLL frees what it has allocated");
}

static void check_communicator(struct opened_job *dump, const mqs_communicator *wanted, const int *group)
{
    mqs_communicator got;
    memset(&got, 0x77, sizeof got);
    cr_assert_eq(mqs_get_communicator(dump->process, &got), mqs_ok);
    cr_assert_str_eq(got.name, wanted->name);
    cr_assert_eq(got.unique_id, wanted->unique_id);
    cr_assert_eq(got.local_rank, wanted->local_rank);
    cr_assert_eq(got.size, wanted->size);
    int ranks[4] = {-9, -9, -9, -9};
    cr_assert_eq(mqs_get_comm_group(dump->process, ranks), mqs_ok);
    cr_assert_arr_eq(ranks, group, (size_t)wanted->size * sizeof(int));
}

static void check_no_more(struct opened_job *dump)
{
    mqs_pending_operation operation;
    cr_assert_eq(mqs_next_operation(dump->process, &operation), mqs_end_of_list);
    cr_assert_eq(mqs_next_operation(dump->process, &operation), mqs_end_of_list, "and again");
}

static void check_empty(struct opened_job *dump, int op_class)
{
    cr_assert_eq(mqs_setup_operation_iterator(dump->process, op_class), mqs_ok);
    check_no_more(dump);
}

/* Compares everything but `extra_text`, of which `text` are the lines. */
static void check_operation(struct opened_job *dump, const mqs_pending_operation *wanted, const char *const text[5])
{
    mqs_pending_operation got;
    memset(&got, 0x77, sizeof got);
    cr_assert_eq(mqs_next_operation(dump->process, &got), mqs_ok);
    cr_expect_eq(got.status, wanted->status);
    cr_expect_eq(got.desired_local_rank, wanted->desired_local_rank);
    cr_expect_eq(got.desired_global_rank, wanted->desired_global_rank);
    cr_expect_eq(got.tag_wild, wanted->tag_wild);
    if (!wanted->tag_wild)
        cr_expect_eq(got.desired_tag, wanted->desired_tag);
    cr_expect_eq(got.desired_length, wanted->desired_length);
    cr_expect_eq(got.system_buffer, wanted->system_buffer);
    cr_expect_eq(got.buffer, wanted->buffer);
    cr_expect_eq(got.actual_local_rank, wanted->actual_local_rank);
    cr_expect_eq(got.actual_global_rank, wanted->actual_global_rank);
    cr_expect_eq(got.actual_tag, wanted->actual_tag);
    cr_expect_eq(got.actual_length, wanted->actual_length);
    for (int line = 0; line < 5; line++) {
        cr_expect_str_eq(got.extra_text[line], text[line] ? text[line] : "");
        if (text[line] == NULL)
            break;
    }
}

static void check_world(struct opened_job *dump)
{
    check_communicator(dump,
                       &(mqs_communicator){.unique_id = 100, .local_rank = 1, .size = 4, .name = "MPI_COMM_WORLD"},
                       (int[]){0, 1, 2, 3});
    cr_assert_eq(mqs_setup_operation_iterator(dump->process, mqs_pending_sends), mqs_ok);
    check_operation(dump,
                    &(mqs_pending_operation){.status = mqs_st_pending,
                                             .desired_local_rank = 2,
                                             .desired_global_rank = 2,
                                             .desired_tag = 7,
                                             .desired_length = 40,
                                             .buffer = 0x7001,
                                             .actual_local_rank = 2,
                                             .actual_global_rank = 2,
                                             .actual_tag = 7,
                                             .actual_length = 40},
                    (const char *[5]){"MPI_Issend, synchronous, nonblocking", "10 x MPI_INT, request 0x98000001",
                                      "called from 0x401001"});
    check_no_more(dump);
    cr_assert_eq(mqs_setup_operation_iterator(dump->process, mqs_pending_receives), mqs_ok);
    check_operation(
        dump,
        &(mqs_pending_operation){.status = mqs_st_pending,
                                 .desired_local_rank = -1,
                                 .desired_global_rank = -1,
                                 .tag_wild = 1,
                                 .desired_length = 40,
                                 .buffer = 0x7002,
                                 .actual_local_rank = -1,
                                 .actual_global_rank = -1,
                                 .actual_tag = -1,
                                 .actual_length = -1},
        (const char *[5]){"MPI_Irecv, nonblocking", "10 x MPI_INT, request 0x98000002", "called from 0x401002"});
    check_no_more(dump);
    cr_assert_eq(mqs_setup_operation_iterator(dump->process, mqs_unexpected_messages), mqs_no_information);
    check_no_more(dump);
    int count = -7;
    int active = -7;
    cr_assert_eq(mqs_get_comm_coll_state(dump->process, MPILENS_COLLECTIVE_BARRIER, &count, &active), mqs_ok);
    cr_assert(count == 9 && active == 1);
    cr_assert_eq(mqs_get_comm_coll_state(dump->process, MPILENS_COLLECTIVE_GATHER, &count, &active), mqs_ok);
    cr_assert(count == 0 && active == 0);
}

static void check_others(struct opened_job *dump)
{
    cr_assert_eq(mqs_next_communicator(dump->process), mqs_ok);
    check_communicator(dump, &(mqs_communicator){.unique_id = 101, .local_rank = 0, .size = 1, .name = "MPI_COMM_SELF"},
                       (int[]){1});
    check_empty(dump, mqs_pending_sends);
    check_empty(dump, mqs_pending_receives);

    cr_assert_eq(mqs_next_communicator(dump->process), mqs_ok);
    check_communicator(
        dump,
        &(mqs_communicator){.unique_id = 102, .local_rank = 1, .size = 2, .name = "MPI_Comm_split of MPI_COMM_WORLD"},
        (int[]){3, 1});
    cr_assert_eq(mqs_setup_operation_iterator(dump->process, mqs_pending_receives), mqs_ok);
    check_operation(
        dump,
        &(mqs_pending_operation){.status = mqs_st_pending,
                                 .desired_local_rank = 0,
                                 .desired_global_rank = 3,
                                 .desired_tag = 9,
                                 .desired_length = 240,
                                 .buffer = 0x7003,
                                 .actual_local_rank = -1,
                                 .actual_global_rank = -1,
                                 .actual_tag = -1,
                                 .actual_length = -1},
        (const char *[5]){"MPI_Irecv, nonblocking", "10 x 0x8c000001, request 0x98000003", "called from 0x401003"});
    check_no_more(dump);

    cr_assert_eq(mqs_next_communicator(dump->process), mqs_ok);
    check_communicator(dump, &(mqs_communicator){.unique_id = 103, .local_rank = 1, .size = 2, .name = "bridge"},
                       (int[]){0, 1});
    cr_assert_eq(mqs_setup_operation_iterator(dump->process, mqs_pending_sends), mqs_ok);
    check_operation(
        dump,
        &(mqs_pending_operation){.status = mqs_st_complete,
                                 .desired_local_rank = 1,
                                 .desired_global_rank = 3,
                                 .desired_tag = 3,
                                 .desired_length = 40,
                                 .buffer = 0x7005,
                                 .actual_local_rank = 1,
                                 .actual_global_rank = 3,
                                 .actual_tag = 3,
                                 .actual_length = 40},
        (const char *[5]){"MPI_Isend, nonblocking", "10 x MPI_INT, request 0x98000005", "called from 0x401005"});
    check_no_more(dump);
    int remote[2];
    cr_assert_eq(mpilens_get_comm_remote_group(dump->process, remote), mqs_ok);
    cr_assert(remote[0] == 2 && remote[1] == 3);
    cr_assert_eq(mqs_next_communicator(dump->process), mqs_end_of_list);
    cr_assert_eq(mqs_next_communicator(dump->process), mqs_end_of_list, "and again");
    cr_assert_eq(mqs_get_communicator(dump->process, &(mqs_communicator){.size = 0}), MPILENS_ERROR_NO_CURRENT);
}

static void check_whole_dump(const struct fake_options *options)
{
    struct opened_job dump;
    open_dump(&dump, options);
    cr_assert_eq(mqs_get_global_rank(dump.process), 1);
    for (int pass = 0; pass < 2; pass++) {
        cr_assert_eq(mqs_setup_communicator_iterator(dump.process), mqs_ok);
        check_world(&dump);
        check_others(&dump);
    }
    close_dump(&dump);
}

Test(dump, is_right_where_the_target_has_our_layout)
{
    check_whole_dump(&(struct fake_options){.word_size = 8});
}

Test(dump, is_right_for_the_other_byte_order)
{
    check_whole_dump(&(struct fake_options){.big_endian = true});
}

Test(dump, is_right_for_a_32_bit_target)
{
    check_whole_dump(&(struct fake_options){.word_size = 4});
}

Test(dump, is_right_for_a_32_bit_target_of_the_other_byte_order)
{
    check_whole_dump(&(struct fake_options){.word_size = 4, .big_endian = true});
}

Test(dump, is_right_for_a_newer_minor_with_longer_structs_and_more_of_them)
{
    check_whole_dump(&(struct fake_options){.minor = 3, .appended_bytes = 24, .extra_structs = 3, .extra_tables = 2});
}

Test(dump, is_right_where_fields_stand_in_another_order_with_room_between_records)
{
    check_whole_dump(&(struct fake_options){.reversed = true, .record_padding = 40});
}

Test(dump, is_right_where_everything_is_different)
{
    check_whole_dump(&(struct fake_options){.big_endian = true,
                                            .word_size = 4,
                                            .minor = 1,
                                            .reversed = true,
                                            .appended_bytes = 8,
                                            .record_padding = 8,
                                            .extra_structs = 1,
                                            .chunk_capacity = 1});
}

Test(dump, is_right_where_records_are_spread_over_many_chunks)
{
    check_whole_dump(&(struct fake_options){.chunk_capacity = 1});
}

Test(dump, is_right_for_an_older_minor_that_lacks_the_last_fields)
{
    struct fake_options options = {.word_size = 8};
    options.missing_fields[MPILENS_STRUCT_operation] =
        MPILENS_END_FIELD_operation - MPILENS_FIELD_operation_actual_bytes;
    options.missing_fields[MPILENS_STRUCT_thread] = MPILENS_END_FIELD_thread - MPILENS_FIELD_thread_untracked;
    options.missing_fields[MPILENS_STRUCT_message] = 1;
    options.missing_fields[MPILENS_STRUCT_process] = MPILENS_END_FIELD_process - MPILENS_FIELD_process_buffer;
    options.missing_fields[MPILENS_STRUCT_communicator] =
        MPILENS_END_FIELD_communicator - MPILENS_FIELD_communicator_recent_collectives;
    options.missing_fields[MPILENS_STRUCT_channel] = 1;
    check_whole_dump(&options);
}

Test(dump, works_without_the_optional_callbacks)
{
    struct opened_job dump;
    opened_job_create(&dump, &(struct fake_options){.word_size = 8});
    fake_job_populate(&dump.job);
    dump.debugger.no_optional_callbacks = true;
    cr_assert_eq(fake_debugger_open(&dump.debugger), mqs_ok);
    cr_assert_eq(mqs_setup_communicator_iterator(dump.process), mqs_ok, "it takes the first copy by itself");
    check_world(&dump);
    check_others(&dump);
    close_dump(&dump);
}

Test(dump, takes_few_callbacks)
{
    struct opened_job dump;
    open_dump(&dump, &(struct fake_options){.word_size = 8});
    uint64_t before = dump.debugger.reads;
    cr_assert_eq(mqs_update_communicator_list(dump.process), mqs_ok);
    uint64_t for_copy = dump.debugger.reads - before;
    cr_assert_leq(for_copy, 20, "%lu reads", (unsigned long)for_copy);
    cr_assert_eq(dump.debugger.symbol_lookups, 1);
    cr_assert_eq(mqs_setup_communicator_iterator(dump.process), mqs_ok);
    check_world(&dump);
    check_others(&dump);
    cr_assert_eq(dump.debugger.reads, before + for_copy, "iterating reads nothing");
    close_dump(&dump);
}
