/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls, message counts and probed messages of a communicator.
 */
#include "tested_job.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(collectives, .init = create_populated_job, .fini = close_job);
TestSuite(traffic, .init = create_populated_job, .fini = close_job);

static void open_at(const char *name)
{
    open_job();
    cr_assert(opened_job_go_to(&opened, name));
}

Test(collectives, come_oldest_first_with_their_arguments)
{
    open_at("MPI_COMM_WORLD");
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    struct mpilens_collective_information got = {.struct_size = sizeof got};
    for (uint64_t serial = 4; serial <= 11; serial++) {
        cr_assert_eq(mpilens_next_collective(opened.process, &got), mqs_ok);
        cr_assert(got.serial == serial && got.entered == 1000 + serial && got.site == 0x402000 + serial);
        cr_assert_str_eq(got.function, serial == 10 ? "MPI_Bcast" : "MPI_Barrier");
        cr_assert_eq(got.active, serial == 11);
        cr_assert_eq(got.has_root, serial == 10);
        cr_assert_eq(got.root, serial == 10 ? 2 : -1);
        cr_assert_eq(got.count, serial == 10 ? 100 : -1);
        cr_assert_eq(got.bytes, serial == 10 ? 400 : -1);
        cr_assert_str_eq(got.datatype, serial == 10 ? "MPI_INT" : "");
    }
    cr_assert_eq(mpilens_next_collective(opened.process, &got), mqs_end_of_list);
}

/* The tenth call of MPI_COMM_WORLD, MPI_Bcast. */
static struct mpilens_collective_information read_broadcast(void)
{
    open_at("MPI_COMM_WORLD");
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    struct mpilens_collective_information got = {.struct_size = sizeof got};
    while (got.serial != 10)
        cr_assert_eq(mpilens_next_collective(opened.process, &got), mqs_ok);
    return got;
}

Test(collectives, say_what_their_functions_are)
{
    const struct mpilens_collective_information got = read_broadcast();
    cr_expect_eq(got.purpose, MPILENS_PURPOSE_OTHER);
    cr_expect_eq(got.collective_class, MPILENS_COLLECTIVE_BROADCAST);
    cr_expect_eq(got.data_flow, MPILENS_FLOW_ROOT_TO_ALL);
    cr_expect_eq(got.agreement, MPILENS_AGREE_SAME_DATA);
    cr_expect_str_eq(got.small_count, "");
}

Test(collectives, with_large_counts_say_which_functions_they_are_variants_of)
{
    const uint32_t large = fake_target_function(opened.job.target, "MPI_Bcast_c", MPILENS_CALL_COLLECTIVE, 0);
    const uint64_t recent =
        opened.job.world + opened.job.target->fields[MPILENS_FIELD_communicator_recent_collectives].offset;
    fake_target_put_field(opened.job.target,
                          recent + UINT64_C(9) % 8 * opened.job.target->struct_size[MPILENS_STRUCT_collective],
                          MPILENS_FIELD_collective_function, large);
    const struct mpilens_collective_information got = read_broadcast();
    cr_expect_str_eq(got.function, "MPI_Bcast_c");
    cr_expect_str_eq(got.small_count, "MPI_Bcast");
    cr_expect_eq(got.data_flow, MPILENS_FLOW_ROOT_TO_ALL);
}

/* The tenth call becomes one of that name, with arrays of that many counts for each side. */
static void make_exchange(const char *name, size_t count, const int64_t *given, const int64_t *expected)
{
    struct fake_target *target = opened.job.target;
    const uint64_t call = opened.job.world + target->fields[MPILENS_FIELD_communicator_recent_collectives].offset +
                          UINT64_C(9) % 8 * target->struct_size[MPILENS_STRUCT_collective];
    const size_t width = strstr(name, "_c") != NULL ? 8 : 4;
    const struct mpilens_datatype type = {.state = MPILENS_OBJECT_LIVE,
                                          .serial = 99,
                                          .handle = 0x4c000999,
                                          .size = 4,
                                          .combiner = MPILENS_COMBINER_NAMED};
    fake_target_add(target, MPILENS_TABLE_DATATYPES, &type);
    fake_target_function(target, "MPI_Alltoallv", MPILENS_CALL_COLLECTIVE, 0);
    fake_target_put_field(target, call, MPILENS_FIELD_collective_function,
                          fake_target_function(target, name, MPILENS_CALL_COLLECTIVE, 0));
    target->process.handle_bytes = 4;
    const int64_t *const sides[] = {given, expected};
    const enum mpilens_field fields[][2] = {
        {MPILENS_FIELD_collective_send_counts, MPILENS_FIELD_collective_send_datatypes},
        {MPILENS_FIELD_collective_receive_counts, MPILENS_FIELD_collective_receive_datatypes}};
    for (size_t side = 0; side < 2; side++) {
        const uint64_t counts = fake_target_reserve(target, count * width);
        const uint64_t types = fake_target_reserve(target, count * 4);
        for (size_t i = 0; i < count; i++) {
            fake_target_put_integer(target, counts + i * width, width, (uint64_t)sides[side][i]);
            fake_target_put_integer(target, types + i * 4, 4, i < 2 ? type.handle : 0x4c000bad);
        }
        fake_target_put_field(target, call, fields[side][0], counts);
        fake_target_put_field(target, call, fields[side][1], strstr(name, "toallw") != NULL ? types : type.handle);
    }
}

static void expect_amounts(int is_expected, size_t first, size_t count, const int64_t *bytes)
{
    int64_t got[4] = {-7, -7, -7, -7};
    cr_assert_eq(mpilens_get_collective_amounts(opened.process, is_expected, first, count, got), mqs_ok);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(got[i], bytes[i], "%d, %zu: %lld", is_expected, i, (long long)got[i]);
}

static const int64_t given_counts[] = {3, 0, -1}, expected_counts[] = {5, 6, 0};

Test(collectives, say_what_each_gets_as_their_arrays_of_counts_do)
{
    make_exchange("MPI_Alltoallv", 3, given_counts, expected_counts);
    read_broadcast();
    expect_amounts(0, 0, 3, (const int64_t[]){12, 0, -1});
    expect_amounts(1, 1, 2, (const int64_t[]){24, 0});
    int64_t bytes = -7;
    cr_expect_eq(mpilens_get_collective_amounts(opened.process, 1, UINT64_C(1) << 40, 1, &bytes),
                 MPILENS_ERROR_UNREADABLE);
    cr_expect_eq(mpilens_get_collective_amounts(opened.process, 1, 0, 0, &bytes), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect_eq(bytes, -7);
}

Test(collectives, with_large_counts_have_them_eight_bytes_wide)
{
    make_exchange("MPI_Alltoallv_c", 3, (const int64_t[]){INT64_C(1) << 40, INT64_MAX, 1}, expected_counts);
    read_broadcast();
    expect_amounts(0, 0, 3, (const int64_t[]){INT64_C(1) << 42, -1, 4});
}

Test(collectives, of_a_type_for_each_need_not_know_those_of_no_elements)
{
    make_exchange("MPI_Alltoallw", 3, (const int64_t[]){3, 4, 5}, expected_counts);
    read_broadcast();
    expect_amounts(0, 0, 3, (const int64_t[]){12, 16, -1});
    expect_amounts(1, 0, 3, (const int64_t[]){20, 24, 0});
}

/* The tenth call has its first array at the beginning of the copies, the other one that far behind it. */
static void expect_kept(uint64_t distance, uint32_t is_kept)
{
    enum { COPIES = 0x10000 };
    struct fake_target *target = opened.job.target;
    make_exchange("MPI_Alltoallv", 3, given_counts, expected_counts);
    const uint64_t call = opened.job.world + target->fields[MPILENS_FIELD_communicator_recent_collectives].offset +
                          UINT64_C(9) % 8 * target->struct_size[MPILENS_STRUCT_collective];
    fake_target_put_field(target, opened.job.world, MPILENS_FIELD_communicator_count_copies, COPIES);
    fake_target_put_field(target, call, MPILENS_FIELD_collective_send_counts, COPIES);
    fake_target_put_field(target, call, MPILENS_FIELD_collective_receive_counts, COPIES + distance);
    cr_expect_eq(read_broadcast().counts_are_kept, is_kept);
}

Test(collectives, with_copies_of_their_arrays_keep_their_counts)
{
    expect_kept(16, 1);
}

Test(collectives, with_an_array_behind_the_copies_do_not)
{
    expect_kept(MPILENS_COUNT_COPIES_BYTES, 0);
}

Test(collectives, without_arrays_of_counts_say_nothing_of_each)
{
    int64_t bytes = -7;
    make_exchange("MPI_Gatherv", 3, given_counts, expected_counts);
    read_broadcast();
    expect_amounts(1, 0, 3, (const int64_t[]){20, 24, 0});
    cr_expect_eq(mpilens_get_collective_amounts(opened.process, 0, 0, 1, &bytes), mqs_no_information);
    cr_expect_eq(bytes, -7);
}

Test(collectives, that_are_being_written_are_left_out)
{
    const uint64_t recent =
        opened.job.world + opened.job.target->fields[MPILENS_FIELD_communicator_recent_collectives].offset;
    const uint32_t size = opened.job.target->struct_size[MPILENS_STRUCT_collective];
    fake_target_put_field(opened.job.target, recent + 4 * (uint64_t)size, MPILENS_FIELD_collective_serial, 0);
    fake_target_put_field(opened.job.target, recent + 5 * (uint64_t)size, MPILENS_FIELD_collective_serial, 14);
    open_at("MPI_COMM_WORLD");
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    struct mpilens_collective_information got = {.struct_size = sizeof got};
    uint64_t serials = 0;
    while (mpilens_next_collective(opened.process, &got) == mqs_ok)
        serials = serials * 100 + got.serial;
    cr_assert_eq(serials, UINT64_C(40708091011));
}

Test(collectives, have_classes_with_names)
{
    open_at("MPI_COMM_WORLD");
    struct mpilens_collective_class_information got = {.struct_size = sizeof got};
    cr_assert_eq(mpilens_get_collective_class(opened.process, MPILENS_COLLECTIVE_BARRIER, &got), mqs_ok);
    cr_assert(got.count == 9 && got.active == 1);
    cr_assert_str_eq(got.name, "barrier");
    for (int class = 0; class < MPILENS_COLLECTIVE_CLASS_COUNT; class ++) {
        cr_assert_eq(mpilens_get_collective_class(opened.process, class, &got), mqs_ok);
        cr_assert_neq(got.name[0], '\0');
    }
    cr_assert_eq(mpilens_get_collective_class(opened.process, MPILENS_COLLECTIVE_CLASS_COUNT, &got), mqs_end_of_list);
    cr_assert_eq(mpilens_get_collective_class(opened.process, -1, &got), MPILENS_ERROR_BAD_ARGUMENT);
}

Test(collectives, of_classes_that_padb_asks_for_and_nobody_knows_are_no_information)
{
    open_at("MPI_COMM_WORLD");
    int count = -7;
    int active = -7;
    cr_assert_eq(mqs_get_comm_coll_state(opened.process, MPILENS_COLLECTIVE_CLASS_COUNT, &count, &active),
                 mqs_no_information);
    cr_assert_eq(mqs_get_comm_coll_state(opened.process, -1, &count, &active), mqs_no_information);
    cr_assert(count == -7 && active == -7);
}

Test(collectives, are_counted_no_higher_than_an_int_goes)
{
    const uint64_t states =
        opened.job.world + opened.job.target->fields[MPILENS_FIELD_communicator_collective_states].offset;
    fake_target_put_field(opened.job.target, states, MPILENS_FIELD_collective_state_count, UINT64_MAX);
    open_at("MPI_COMM_WORLD");
    int count = 0;
    int active = 0;
    cr_assert_eq(mqs_get_comm_coll_state(opened.process, 0, &count, &active), mqs_ok);
    cr_assert_eq(count, 0x7fffffff);
}

Test(traffic, adds_up_what_threads_have_counted_per_peer)
{
    open_at("MPI_COMM_WORLD");
    cr_assert_eq(mpilens_setup_channel_iterator(opened.process), mqs_ok);
    struct mpilens_channel_information got = {.struct_size = sizeof got};
    cr_assert_eq(mpilens_next_channel(opened.process, &got), mqs_ok);
    cr_assert(got.peer_local == 0 && got.peer_world == 0 && got.sent == 11 && got.received == 21);
    cr_assert_eq(mpilens_next_channel(opened.process, &got), mqs_ok);
    cr_assert(got.peer_local == 3 && got.peer_world == 3 && got.sent == 22 && got.received == 42);
    cr_assert_eq(mpilens_next_channel(opened.process, &got), mqs_end_of_list, "none with the null process");
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_setup_channel_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_channel(opened.process, &got), mqs_end_of_list);
}

Test(traffic, of_a_record_s_former_communicator_is_left_out)
{
    struct mpilens_channel channel = {
        .state = 1, .peer = 0, .communicator = opened.job.self, .communicator_id = 55, .sent = 1};
    fake_target_add(opened.job.target, MPILENS_TABLE_CHANNELS, &channel);
    open_at("MPI_COMM_SELF");
    cr_assert_eq(mpilens_setup_channel_iterator(opened.process), mqs_ok);
    struct mpilens_channel_information got = {.struct_size = sizeof got};
    cr_assert_eq(mpilens_next_channel(opened.process, &got), mqs_end_of_list);
}

Test(traffic, has_the_messages_that_matched_probes_took)
{
    open_at("bridge");
    cr_assert_eq(mpilens_setup_message_iterator(opened.process), mqs_ok);
    struct mpilens_message_information got = {.struct_size = sizeof got};
    cr_assert_eq(mpilens_next_message(opened.process, &got), mqs_ok);
    cr_assert(got.handle == 0xac000001 && got.matched == 900 && got.site == 0x403000 && got.tag == 42);
    cr_assert(got.peer_local == 1 && got.peer_world == 3 && got.bytes == 4096);
    cr_assert_str_eq(got.function, "MPI_Improbe");
    cr_assert_eq(mpilens_next_message(opened.process, &got), mqs_end_of_list);
}

Test(older_minor, lacks_fields_whose_values_are_then_unknown)
{
    struct fake_options options = {.word_size = 8};
    options.missing_fields[MPILENS_STRUCT_process] = MPILENS_END_FIELD_process - MPILENS_FIELD_process_library_version;
    options.missing_fields[MPILENS_STRUCT_communicator] =
        MPILENS_END_FIELD_communicator - MPILENS_FIELD_communicator_recent_collectives;
    options.missing_fields[MPILENS_STRUCT_group] = MPILENS_END_FIELD_group - MPILENS_FIELD_group_short_ranges;
    opened_job_create(&opened, &options);
    fake_job_populate(&opened.job);
    open_at("MPI_COMM_WORLD");
    struct mpilens_process_information process = {.struct_size = sizeof process};
    cr_assert_eq(mpilens_get_process(opened.process, &process), mqs_ok);
    cr_assert_str_eq(process.library_version, "");
    cr_assert_str_eq(process.runtime_version, "");
    struct mpilens_collective_information collective = {.struct_size = sizeof collective};
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_collective(opened.process, &collective), mqs_end_of_list);
    close_job();
}

/* The tenth call becomes one with arguments that all must give. */
static uint64_t give_arguments(uint64_t serial, const char *text)
{
    struct fake_target *target = opened.job.target;
    struct mpilens_collective_arguments arguments = {.serial = serial};
    snprintf(arguments.text, sizeof arguments.text, "%s", text);
    const size_t size = target->struct_size[MPILENS_STRUCT_collective_arguments];
    const uint64_t places = fake_target_reserve(target, 8 * size);
    fake_target_put(target, MPILENS_STRUCT_collective_arguments, places + UINT64_C(9) % 8 * size, &arguments);
    fake_target_put_field(target, opened.job.world, MPILENS_FIELD_communicator_arguments, places);
    const uint64_t call = opened.job.world + target->fields[MPILENS_FIELD_communicator_recent_collectives].offset +
                          UINT64_C(9) % 8 * target->struct_size[MPILENS_STRUCT_collective];
    fake_target_put_field(target, call, MPILENS_FIELD_collective_function,
                          fake_target_function(target, "MPI_Cart_create", MPILENS_CALL_COMMUNICATOR, 0));
    return places;
}

Test(collectives, have_arguments_in_words)
{
    give_arguments(10, "dims 2 2");
    cr_expect_str_eq(read_broadcast().arguments, "dims 2 2");
}

Test(collectives, have_no_arguments_of_an_earlier_call)
{
    give_arguments(2, "dims 2 2");
    cr_expect_str_eq(read_broadcast().arguments, "");
}

Test(collectives, whose_arguments_cannot_be_read)
{
    give_arguments(10, "dims 2 2");
    fake_target_put_field(opened.job.target, opened.job.world, MPILENS_FIELD_communicator_arguments, 0x10);
    cr_expect_str_eq(read_broadcast().arguments, "");
}

Test(collectives, freed_objects_come_oldest_first)
{
    struct fake_target *target = opened.job.target;
    const size_t size = target->struct_size[MPILENS_STRUCT_freed_object];
    const uint64_t ring = fake_target_reserve(target, MPILENS_FREED_COUNT * size);
    const uint64_t last = MPILENS_FREED_COUNT + 3;
    for (uint64_t serial = 4; serial <= last; serial++) {
        const struct mpilens_freed_object freed = {.serial = serial != 6 ? serial : 0, /* it is being written */
                                                   .unique_id = 1000 + serial,
                                                   .collective_count = 7,
                                                   .kind = MPILENS_OBJECT_WINDOW,
                                                   .last_function = 1};
        fake_target_put(target, MPILENS_STRUCT_freed_object, ring + (serial - 1) % MPILENS_FREED_COUNT * size, &freed);
    }
    target->process.freed_objects = ring;
    target->process.freed_count = last;
    open_job();
    struct mpilens_freed_object_information got[MPILENS_FREED_COUNT] = {{.struct_size = sizeof got[0]}};
    size_t count = 77;
    cr_assert_eq(mpilens_get_freed_objects(opened.process, got, MPILENS_FREED_COUNT, &count), mqs_ok);
    cr_assert_eq(count, MPILENS_FREED_COUNT - 1);
    cr_expect(got[0].serial == 4 && got[0].id == 1004 && got[0].collective_calls == 7);
    cr_expect(got[2].serial == 7 && got[count - 1].serial == last && got[0].kind == MPILENS_OBJECT_WINDOW);
    cr_expect_str_eq(got[0].function, "");
}
