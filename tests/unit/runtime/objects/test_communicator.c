/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators: their records and their ends.
 */
#include "constructors.h"
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(communicator, .init = begin_mpi);

static const struct mpilens_group *group_of(uint64_t address)
{
    return (const struct mpilens_group *)(uintptr_t)address;
}

Test(communicator, predefined_ones_are_there_after_initialization)
{
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    const struct mpilens_communicator *self = shadow_communicator(MPI_COMM_SELF);
    cr_assert_str_eq(world->name, "MPI_COMM_WORLD");
    cr_assert_eq(world->rank, 1);
    cr_assert_eq(world->size, 4);
    cr_assert(world->flags & MPILENS_OBJECT_PREDEFINED);
    cr_assert_eq(group_of(world->group)->range_count, 1);
    cr_assert_str_eq(self->name, "MPI_COMM_SELF");
    cr_assert_eq(self->rank, 0);
    cr_assert_eq(self->size, 1);
    cr_assert_eq(group_of(self->group)->short_ranges[0].first, 1);
    end_mpi();
}

Test(communicator, tells_its_messages_from_those_of_the_record_s_former_one)
{
    int value = 0;
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    MPI_Send(&value, 1, MPI_INT, 2, 3, communicator);
    MPI_Comm_free(&communicator);
    communicator = duplicate_as(MPI_COMM_WORLD, 0x84000003);
    MPI_Send(&value, 1, MPI_INT, 2, 4, communicator);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert_eq(record->made_by, shadow_thread()->index + 1);
    cr_assert_eq(record->posted_before, shadow_thread()->operations - 1);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(communicator, remembers_where_it_comes_from)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    cr_assert_eq(record->parent_id, world->unique_id);
    cr_assert_eq(record->parent_handle, (uint32_t)MPI_COMM_WORLD);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Comm_dup");
    cr_assert(site_is_in(record->site, CODE_OF(duplicate_as)));
    cr_assert_eq(record->group, world->group, "the same group record");
    cr_assert_eq(record->rank, 1);
    cr_assert_eq(record->size, 4);
    cr_assert_eq(world->children, 1);
    cr_assert_gt(record->serial, world->serial);
    cr_assert_eq(strlen(record->name), 0);
    MPI_Comm_set_name(communicator, "mine");
    cr_assert_str_eq(record->name, "mine");
    cr_assert(record->flags & MPILENS_COMMUNICATOR_NAME_SET);
    char name[MPI_MAX_OBJECT_NAME + 100];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    MPI_Comm_set_name(communicator, name); /* longer than MPI keeps */
    cr_assert_eq(strnlen(record->name, sizeof record->name), sizeof record->name - 1);
    MPI_Comm_free(&communicator);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(communicator, of_some_ranks_has_their_group)
{
    static const int ranks[] = {3, 1};
    fake_communicator_define((MPI_Comm)0x84000002, ranks, 2, NULL, 0);
    MPI_Comm communicator = split_as(MPI_COMM_WORLD, 0x84000002);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert_eq(record->rank, 1);
    cr_assert_eq(record->size, 2);
    cr_assert_eq(record->remote_size, 0);
    cr_assert_eq(group_of(record->group)->short_ranges[0].first, 3);
    cr_assert_eq(group_of(record->group)->short_ranges[0].stride, -2);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(communicator, between_groups_has_both)
{
    static const int local[] = {0, 1};
    static const int remote[] = {2, 3, 9}; /* 9: of another world */
    MPI_Comm communicator = MPI_COMM_NULL;
    fake_communicator_define((MPI_Comm)0x84000002, local, 2, remote, 3);
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 2, 5, &communicator);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert(record->flags & MPILENS_COMMUNICATOR_INTER);
    cr_assert_eq(record->remote_size, 3);
    const struct mpilens_group *group = group_of(record->remote_group);
    const struct mpilens_range *ranges = (const struct mpilens_range *)(uintptr_t)group->ranges;
    cr_assert_eq(group->rank, -1);
    cr_assert_eq(ranges[0].first, 2);
    cr_assert_eq(ranges[group->range_count - 1].first, -1);
    MPI_Comm second = duplicate_as(communicator, 0x84000003);
    cr_assert_eq(shadow_communicator(second)->remote_group, record->remote_group);
    cr_assert(shadow_communicator(second)->flags & MPILENS_COMMUNICATOR_INTER);
    MPI_Comm_free(&second);
    MPI_Comm_disconnect(&communicator);
    end_mpi();
}

Test(communicator, that_is_null_is_none)
{
    MPI_Comm communicator = split_as(MPI_COMM_WORLD, MPI_COMM_NULL);
    cr_assert_eq(communicator, MPI_COMM_NULL);
    fake.error = FAKE_ERROR(MPI_ERR_COMM);
    fake.communicator = (MPI_Comm)0x84000002;
    cr_assert_eq(MPI_Comm_dup(MPI_COMM_WORLD, &communicator), FAKE_ERROR(MPI_ERR_COMM));
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000002));
    fake.communicator = MPI_COMM_NULL;
    MPI_Comm_get_parent(&communicator);
    end_mpi();
}

Test(communicator, from_the_parent_job_is_known_from_the_first_sight)
{
    MPI_Comm communicator;
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_get_parent(&communicator);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    MPI_Comm_get_parent(&communicator);
    cr_assert_eq(shadow_communicator(communicator), record);
    MPI_Comm_disconnect(&communicator);
    fake.communicator = MPI_COMM_NULL;
    MPI_Comm_get_parent(&communicator);
    cr_assert_eq(shadow_count(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_LIVE), 2);
    end_mpi();
}

static void split(MPI_Comm parent, int handle, MPI_Comm *ret_communicator)
{
    *ret_communicator = split_as(parent, handle);
}

Test(communicator, of_a_hundred_thousand_ranks_is_one_range, .init = NULL)
{
    static int ranks[50000];
    for (int i = 0; i < 50000; i++)
        ranks[i] = 2 * i + 1;
    fake.size = 100000;
    begin_mpi();
    fake_communicator_define((MPI_Comm)0x84000002, ranks, 50000, NULL, 0);
    uint64_t before = mpilens_process.memory_bytes;
    MPI_Comm communicator;
    split(MPI_COMM_WORLD, 0x84000002, &communicator);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert_eq(record->size, 50000);
    cr_assert_eq(group_of(record->group)->range_count, 1);
    cr_assert_eq(group_of(shadow_communicator(MPI_COMM_WORLD)->group)->range_count, 1);
    cr_assert_leq(mpilens_process.memory_bytes, before + 4096);
    MPI_Comm_free(&communicator);
    end_mpi();
}
