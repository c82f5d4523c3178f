/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which communicators are listed, how they are called, and who their members are.
 */
#include "tested_job.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(communicators, .init = create_job, .fini = close_job);

static void add(const struct mpilens_communicator *communicator)
{
    fake_target_add(opened.job.target, MPILENS_TABLE_COMMUNICATORS, communicator);
}

static void check_group_of_two(const struct mpilens_range *ranges, uint32_t range_count, int code, int first,
                               int second)
{
    uint64_t group = fake_job_group(&opened.job, 0, 2, ranges, range_count);
    struct mpilens_communicator communicator = fake_job_communicator(&opened.job, group, 0, 2, "pair");
    add(&communicator);
    struct mpilens_operation operation = send_to(1, 1);
    operation.communicator = opened.job.target->tables[MPILENS_TABLE_COMMUNICATORS].chunks[0].records +
                             4 * (uint64_t)opened.job.target->tables[MPILENS_TABLE_COMMUNICATORS].record_bytes;
    add_operation(&operation);
    open_job();
    cr_assert(opened_job_go_to(&opened, "pair"));
    int ranks[2] = {-7, -7};
    cr_assert_eq(mqs_get_comm_group(opened.process, ranks), code);
    cr_assert(ranks[0] == first && ranks[1] == second, "%d, %d", ranks[0], ranks[1]);
    mqs_pending_operation got;
    struct mpilens_operation_information information;
    cr_assert(opened_job_find(&opened, mqs_pending_sends, operation.posted, &got, &information));
    cr_assert_eq(got.desired_global_rank, code == mqs_ok ? second : -1);
}

Test(communicators, have_members_out_of_one_range)
{
    check_group_of_two(&(struct mpilens_range){0, 3, 2}, 1, mqs_ok, 0, 3);
}

Test(communicators, have_members_out_of_two_ranges)
{
    check_group_of_two((const struct mpilens_range[]){{2, 1, 1}, {0, 1, 1}}, 2, mqs_ok, 2, 0);
}

Test(communicators, have_members_of_other_worlds_that_are_not_known)
{
    check_group_of_two((const struct mpilens_range[]){{2, 1, 1}, {-1, 0, 1}}, 2, mqs_ok, 2, -1);
}

Test(communicators, whose_ranges_leave_the_world_are_corrupt)
{
    check_group_of_two(&(struct mpilens_range){0, 4, 2}, 1, MPILENS_ERROR_CORRUPT, -7, -7);
}

Test(communicators, whose_ranges_go_below_zero_are_corrupt)
{
    check_group_of_two(&(struct mpilens_range){0, -1, 2}, 1, MPILENS_ERROR_CORRUPT, -7, -7);
}

Test(communicators, whose_ranges_are_too_few_are_corrupt)
{
    check_group_of_two(&(struct mpilens_range){0, 1, 1}, 1, MPILENS_ERROR_CORRUPT, -7, -7);
}

Test(communicators, whose_ranges_are_too_many_are_corrupt)
{
    check_group_of_two((const struct mpilens_range[]){{0, 1, 2}, {2, 1, 1}}, 2, MPILENS_ERROR_CORRUPT, -7, -7);
}

Test(communicators, whose_range_has_no_members_are_corrupt)
{
    check_group_of_two((const struct mpilens_range[]){{0, 1, 2}, {2, 1, 0}}, 2, MPILENS_ERROR_CORRUPT, -7, -7);
}

Test(communicators, with_many_ranges_are_read_from_outside_the_record)
{
    const struct mpilens_range ranges[] = {{3, 1, 1}, {1, 1, 1}, {0, 1, 1}, {2, 1, 1}};
    uint64_t group = fake_job_group(&opened.job, 1, 4, ranges, 4);
    struct mpilens_communicator communicator = fake_job_communicator(&opened.job, group, 1, 4, "shuffled");
    add(&communicator);
    open_job();
    cr_assert(opened_job_go_to(&opened, "shuffled"));
    int ranks[4];
    cr_assert_eq(mqs_get_comm_group(opened.process, ranks), mqs_ok);
    cr_assert_arr_eq(ranks, ((int[]){3, 1, 0, 2}), sizeof ranks);
}

/* Ranges that begin or end inside another group's ranges. */
static void check_shared_ranges(uint64_t distance)
{
    const struct mpilens_range ranges[] = {{3, 1, 1}, {1, 1, 1}, {0, 1, 1}, {2, 1, 1}};
    struct fake_target *target = opened.job.target;
    uint64_t own = fake_job_group(&opened.job, 1, 4, ranges, 4);
    uint64_t one = fake_job_group(&opened.job, 1, 4, ranges, 4);
    uint64_t other = fake_job_group(&opened.job, 1, 4, ranges, 4);
    const uint64_t groups[] = {own, one, other};
    static const char *const names[] = {"own", "one", "other"};
    uint64_t address = 0;
    memcpy(&address, fake_target_bytes(target, one + target->fields[MPILENS_FIELD_group_ranges].offset, 8), 8);
    fake_target_put_field(target, other, MPILENS_FIELD_group_ranges, address + distance);
    for (int i = 0; i < 3; i++) {
        struct mpilens_communicator communicator = fake_job_communicator(&opened.job, groups[i], 1, 4, names[i]);
        add(&communicator);
    }
    open_job();
    for (int i = 0; i < 3; i++) {
        cr_assert(opened_job_go_to(&opened, names[i]));
        cr_assert_eq(mqs_get_comm_group(opened.process, (int[4]){0}), i == 0 ? mqs_ok : MPILENS_ERROR_CORRUPT, "%s",
                     names[i]);
    }
}

Test(communicators, whose_groups_name_the_same_ranges_are_corrupt)
{
    check_shared_ranges(0);
}

Test(communicators, whose_groups_have_ranges_that_overlap_are_corrupt)
{
    check_shared_ranges(sizeof(struct mpilens_range));
}

Test(communicators, with_an_unreadable_group_say_so_and_the_rest_is_there)
{
    const struct mpilens_range ranges[] = {{3, 1, 1}, {1, 1, 1}, {0, 1, 1}, {2, 1, 1}};
    uint64_t group = fake_job_group(&opened.job, 1, 4, ranges, 4);
    fake_target_put_field(opened.job.target, group, MPILENS_FIELD_group_ranges, 0x10);
    struct mpilens_communicator communicator = fake_job_communicator(&opened.job, group, 1, 4, "broken");
    add(&communicator);
    open_job();
    cr_assert(opened_job_go_to(&opened, "broken"));
    cr_assert_eq(mqs_get_comm_group(opened.process, (int[4]){0}), MPILENS_ERROR_UNREADABLE);
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    cr_assert_eq(mqs_get_comm_group(opened.process, (int[4]){0}), mqs_ok);
}

Test(communicators, without_a_group_record_are_corrupt_as_to_their_members)
{
    struct mpilens_communicator communicator = fake_job_communicator(&opened.job, 0x4242, 1, 4, "lost");
    add(&communicator);
    open_job();
    cr_assert(opened_job_go_to(&opened, "lost"));
    cr_assert_eq(mqs_get_comm_group(opened.process, (int[4]){0}), MPILENS_ERROR_CORRUPT);
}

Test(communicators, without_a_name_are_called_by_what_made_them)
{
    struct mpilens_communicator communicator = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "");
    communicator.function = opened.job.function.split;
    communicator.parent_id = 102; /* has no name either */
    communicator.parent_handle = 0x84000002;
    add(&communicator);
    communicator = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "");
    communicator.flags = MPILENS_OBJECT_ORIGIN_UNSEEN;
    communicator.handle = 0x84000abc;
    add(&communicator);
    communicator = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "");
    communicator.function = opened.job.function.split;
    add(&communicator);
    open_job();
    cr_assert(opened_job_go_to(&opened, "MPI_Comm_split of MPI_Comm_split of MPI_COMM_WORLD"));
    cr_assert(opened_job_go_to(&opened, "communicator 0x84000abc"));
    cr_assert(opened_job_go_to(&opened, "MPI_Comm_split"));
}

Test(communicators, have_long_names_cut_in_the_old_interface_and_whole_in_the_new)
{
    char name[101];
    memset(name, 'n', 100);
    name[100] = '\0';
    struct mpilens_communicator communicator = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, name);
    add(&communicator);
    open_job();
    char cut[64];
    memset(cut, 'n', 63);
    cut[63] = '\0';
    cr_assert(opened_job_go_to(&opened, cut));
    struct mpilens_communicator_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_get_communicator(opened.process, &information), mqs_ok);
    cr_assert_str_eq(information.name, name);
}

Test(communicators, come_world_first_then_by_serial)
{
    struct mpilens_communicator communicator =
        fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "first of all");
    communicator.serial = 0;
    add(&communicator);
    open_job();
    static const char *const names[] = {"MPI_COMM_WORLD", "first of all", "MPI_COMM_SELF",
                                        "MPI_Comm_split of MPI_COMM_WORLD", "bridge"};
    int code = mqs_setup_communicator_iterator(opened.process);
    for (unsigned i = 0; i < 5; i++) {
        mqs_communicator got;
        cr_assert_eq(code, mqs_ok);
        cr_assert_eq(mqs_get_communicator(opened.process, &got), mqs_ok);
        cr_assert_str_eq(got.name, names[i]);
        code = mqs_next_communicator(opened.process);
    }
    cr_assert_eq(code, mqs_end_of_list);
}

Test(communicators, tell_everything_through_the_extension)
{
    open_job();
    cr_assert(opened_job_go_to(&opened, "MPI_Comm_split of MPI_COMM_WORLD"));
    struct mpilens_communicator_information got = {.struct_size = sizeof got};
    cr_assert_eq(mpilens_get_communicator(opened.process, &got), mqs_ok);
    cr_assert(got.id == 102 && got.handle == 0x84000002 && got.parent_id == 100);
    cr_assert(got.parent == 0x44000000 && got.rank == 1 && got.size == 2 && got.remote_size == 0);
    cr_assert(!got.predefined && !got.intercommunicator && !got.freed && got.serial == 2);
    cr_assert(got.created == 12 && got.site == 0x401500 && got.collective_calls == 0);
    cr_assert_str_eq(got.function, "MPI_Comm_split");
    cr_assert_str_eq(got.parent_name, "MPI_COMM_WORLD");
    cr_assert_str_eq(got.name, "");
    cr_assert_eq(mpilens_get_comm_remote_group(opened.process, (int[4]){0}), mqs_no_information);

    cr_assert(opened_job_go_to(&opened, "bridge"));
    got = (struct mpilens_communicator_information){.struct_size = sizeof got};
    cr_assert_eq(mpilens_get_communicator(opened.process, &got), mqs_ok);
    cr_assert(got.intercommunicator && got.remote_size == 2);
    cr_assert_str_eq(got.parent_name, "a freed communicator");
    cr_assert_str_eq(got.name, "bridge");

    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    got = (struct mpilens_communicator_information){.struct_size = sizeof got};
    cr_assert_eq(mpilens_get_communicator(opened.process, &got), mqs_ok);
    cr_assert(got.predefined && got.collective_calls == 11);
}
