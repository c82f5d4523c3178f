/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators: what their records say and how they end.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(communicator, .init = begin_mpi);

static char buffer[64];

__attribute__((noinline)) static MPI_Comm duplicate_as(MPI_Comm parent, int handle)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)handle;
    MPI_Comm_dup(parent, &communicator);
    return communicator;
}

static MPI_Comm split_as(MPI_Comm parent, int handle)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)handle;
    MPI_Comm_split(parent, 0, 0, &communicator);
    return communicator;
}

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
    duplicate_as(MPI_COMM_WORLD, 0x84000002);
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
    end_mpi();
}

Test(communicator, that_is_not_complete_is_pending_until_it_is_used)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_idup(MPI_COMM_WORLD, &communicator, &request);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert(record->flags & MPILENS_COMMUNICATOR_PENDING);
    cr_assert_eq(record->size, 4);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_INT, 0, 0, communicator);
    cr_assert_eq(record->flags & MPILENS_COMMUNICATOR_PENDING, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}

static MPI_Comm other = MPI_COMM_NULL;

static void free_another(const struct fake_call *call)
{
    MPI_Comm_free(&other);
    MPI_Barrier(MPI_COMM_WORLD);
    look_inside(call);
    cr_assert_str_eq(inside.function, "MPI_Comm_free");
}

Test(communicator, may_be_freed_by_a_callback_in_the_free_of_another)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    other = duplicate_as(MPI_COMM_WORLD, 0x84000003);
    const uint64_t record = (uint64_t)(uintptr_t)shadow_communicator(communicator);
    fake.hook = free_another;
    MPI_Comm_free(&communicator);
    cr_assert_eq(inside.thread.communicator, record);
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000002));
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000003));
    cr_assert_eq(shadow_count(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_FREED), 2);
    end_mpi();
}

static void take_the_handle(const struct fake_call *call)
{
    (void)call;
    other = duplicate_as(MPI_COMM_WORLD, 0x84000002);
}

Test(communicator, whose_handle_is_used_again_before_its_free_returns_is_another)
{
    for (int i = 0; i < 300; i++) {
        MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        fake.hook = take_the_handle;
        MPI_Comm_free(&communicator);
        cr_assert_not_null(shadow_communicator((MPI_Comm)0x84000002), "the new one lives");
        MPI_Comm_free(&other);
        cr_assert_null(shadow_communicator((MPI_Comm)0x84000002));
    }
    end_mpi();
}

Test(communicator, stays_known_to_its_operations_when_its_handle_is_used_again)
{
    MPI_Request request;
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    const uint64_t id = record->unique_id;
    MPI_Irecv(buffer, 1, MPI_INT, 3, 7, communicator, &request);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    MPI_Comm_free(&communicator);
    for (int i = 0; i < 3000; i++) {
        communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        MPI_Send(buffer, 1, MPI_INT, 2, i, communicator);
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->communicator, (uint64_t)(uintptr_t)record);
        cr_assert_eq(record->unique_id, id);
        cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
        MPI_Comm_free(&communicator);
    }
    cr_assert_lt(shadow_count(MPILENS_TABLE_COMMUNICATORS, 0), 300, "records are used again");
    cr_assert_lt(shadow_count(MPILENS_TABLE_CHANNELS, 0), 1000);
    /* An operation that is over names its own communicator or none. */
    const struct mpilens_operation *over;
    for (size_t i = 0; (over = shadow_record(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED, i)); i++) {
        const struct mpilens_communicator *its = (const struct mpilens_communicator *)(uintptr_t)over->communicator;
        cr_assert(!its || its->created <= over->posted_time, "it names a communicator that was made later");
    }
    fake.status = fake_status(3, 7, 4, false);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    end_mpi();
}

Test(communicator, stays_known_to_its_messages)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    const uint64_t id = shadow_communicator(communicator)->unique_id;
    MPI_Message message;
    fake.message = (MPI_Message)0x6c000044;
    fake.status = fake_status(2, 9, 33, false);
    MPI_Mprobe(2, 9, communicator, &message, MPI_STATUS_IGNORE);
    MPI_Comm_free(&communicator);
    for (int i = 0; i < 1000; i++) {
        communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        MPI_Comm_free(&communicator);
    }
    const struct mpilens_message *record = shadow_record(MPILENS_TABLE_MESSAGES, 0, 0);
    cr_assert_eq(((const struct mpilens_communicator *)(uintptr_t)record->communicator)->unique_id, id);
    MPI_Mrecv(buffer, 40, MPI_CHAR, &message, MPI_STATUS_IGNORE);
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
