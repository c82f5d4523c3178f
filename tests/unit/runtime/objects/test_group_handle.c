/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups that the application has handles of.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <pthread.h>

enum { COMMUNICATOR = (int)0x84000002, LARGE = 100000 };

TestSuite(group_handle, .init = begin_mpi);

static const int odd[] = {1, 3};
static const int outer[] = {3, 0};
static const int middle[] = {1, 2};

static const struct mpilens_group *group_of(MPI_Comm communicator)
{
    return (const struct mpilens_group *)(uintptr_t)shadow_communicator(communicator)->group;
}

static MPI_Comm make_communicator(int handle, const int *ranks, int count)
{
    MPI_Comm communicator;
    fake.communicator = (MPI_Comm)handle;
    fake_communicator_define(fake.communicator, ranks, count, NULL, 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &communicator);
    return communicator;
}

__attribute__((noinline)) static MPI_Group ask(MPI_Comm communicator)
{
    MPI_Group group = MPI_GROUP_NULL;
    volatile int error = MPI_Comm_group(communicator, &group);
    (void)error;
    return group;
}

Test(group_handle, of_a_communicator_is_its_record_and_is_freed_as_often_as_it_was_given)
{
    MPI_Comm communicator = make_communicator(COMMUNICATOR, odd, 2);
    const struct mpilens_group *record = group_of(communicator);
    cr_assert_eq(record->references, 0);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_GROUPS), 0);
    MPI_Group first = ask(communicator), second = ask(communicator), third = first;
    cr_assert_eq(first, second);
    cr_assert_eq(shadow_group(first), record);
    cr_assert_eq(record->references, 2);
    cr_assert_eq(record->users, 1);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Comm_group");
    cr_assert(site_is_in(record->site, CODE_OF(ask)));
    MPI_Group_free(&first);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_GROUPS), 1);
    MPI_Group_free(&second);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(record->users, 1, "the communicator has it");
    cr_assert_null(shadow_group(third));
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_GROUPS), 0);
    second = ask(communicator);
    cr_assert_eq(shadow_group(second), record);
    MPI_Group_free(&second);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(group_handle, of_a_window_may_be_that_of_its_communicator)
{
    MPI_Comm communicator = make_communicator(COMMUNICATOR, odd, 2);
    MPI_Group group = ask(communicator), of_window;
    fake.object = group;
    MPI_Win_get_group((MPI_Win)0xa0000001, &of_window);
    cr_assert_eq(of_window, group);
    cr_assert_eq(shadow_group(group)->references, 2);
    MPI_Group_free(&of_window);
    cr_assert_eq(shadow_group(group)->references, 1);
    MPI_Group_free(&group);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(group_handle, outlives_the_communicator_that_it_is_of)
{
    MPI_Comm communicator = make_communicator(COMMUNICATOR, odd, 2);
    MPI_Group group = ask(communicator);
    const struct mpilens_group *record = shadow_group(group);
    MPI_Comm_free(&communicator);
    for (int i = 0; i < 1000; i++) { /* until its communicator's record is given back */
        communicator = make_communicator(COMMUNICATOR, outer, 2);
        MPI_Comm_free(&communicator);
    }
    cr_assert_eq(record->users, 0);
    cr_assert_eq(record->state, MPILENS_OBJECT_LIVE);
    cr_assert_eq(record->size, 2);
    MPI_Group_free(&group);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED, "readable for a while");
    end_mpi();
}

Test(group_handle, of_a_remote_side)
{
    MPI_Comm communicator;
    MPI_Group group;
    fake.communicator = (MPI_Comm)COMMUNICATOR;
    fake_communicator_define(fake.communicator, odd, 2, outer, 2);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1, 7, &communicator);
    MPI_Comm_remote_group(communicator, &group);
    cr_assert_eq(shadow_communicator(communicator)->remote_group, (uint64_t)(uintptr_t)shadow_group(group));
    cr_assert_eq(shadow_group(group)->short_ranges[0].first, 3);
    MPI_Group_free(&group);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(group_handle, of_a_duplicate_may_have_another_handle)
{
    MPI_Comm communicator = make_communicator(COMMUNICATOR, odd, 2), duplicate;
    fake.communicator = (MPI_Comm)(COMMUNICATOR + 1);
    fake_communicator_define(fake.communicator, odd, 2, NULL, 0);
    MPI_Comm_dup(communicator, &duplicate);
    cr_assert_eq(group_of(duplicate), group_of(communicator));
    MPI_Group first = ask(communicator), second = ask(duplicate), again = ask(duplicate);
    cr_assert_neq(first, second);
    cr_assert_eq(shadow_group(second)->hash, shadow_group(first)->hash);
    cr_assert_eq(shadow_group(first)->references, 1);
    cr_assert_eq(shadow_group(second)->references, 2);
    MPI_Group_free(&first);
    cr_assert_not_null(shadow_group(second));
    MPI_Group_free(&second);
    MPI_Group_free(&again);
    MPI_Comm_free(&communicator);
    MPI_Comm_free(&duplicate);
    end_mpi();
}

Test(group_handle, may_be_made_of_others)
{
    MPI_Group world = ask(MPI_COMM_WORLD), groups[8];
    fake_communicator_define((MPI_Comm)COMMUNICATOR, odd, 2, NULL, 0);
    fake.object = fake_group_of((MPI_Comm)COMMUNICATOR);
    int range[1][3] = {{1, 3, 2}};
    MPI_Group_incl(world, 2, odd, &groups[0]);
    const struct mpilens_group *record = shadow_group(groups[0]);
    cr_assert_eq(record->size, 2);
    cr_assert_eq(record->rank, 0);
    cr_assert_eq(record->range_count, 1);
    cr_assert_eq(record->short_ranges[0].first, 1);
    cr_assert_eq(record->short_ranges[0].stride, 2);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Group_incl");
    MPI_Group_range_incl(world, 1, range, &groups[1]); /* given again, as libraries do: to be freed as often */
    MPI_Group_union(groups[0], groups[0], &groups[2]);
    cr_assert_eq(record->references, 3);
    fake_communicator_define((MPI_Comm)(COMMUNICATOR + 1), outer, 2, NULL, 0);
    fake.object = fake_group_of((MPI_Comm)(COMMUNICATOR + 1));
    MPI_Group_difference(world, groups[0], &groups[3]);
    cr_assert_eq(shadow_group(groups[3])->rank, -1);
    for (int i = 0; i < 4; i++)
        MPI_Group_free(&groups[i]);
    MPI_Group_free(&world);
    end_mpi();
}

Test(group_handle, that_is_empty_is_predefined)
{
    MPI_Group world = ask(MPI_COMM_WORLD), group;
    fake.object = MPI_GROUP_EMPTY;
    for (int i = 0; i < 3; i++) {
        MPI_Group_difference(world, world, &group);
        cr_assert_eq(group, MPI_GROUP_EMPTY);
        cr_assert_eq(MPI_Group_free(&group), MPI_SUCCESS);
    }
    cr_assert(shadow_group(MPI_GROUP_EMPTY)->flags & MPILENS_OBJECT_PREDEFINED);
    cr_assert_eq(shadow_group(MPI_GROUP_EMPTY)->size, 0);
    cr_assert_eq(shadow_group(MPI_GROUP_EMPTY)->references, 0);
    fake.object = MPI_GROUP_NULL;
    MPI_Group_union(world, world, &group);
    fake.groups_open--;
    cr_assert_null(shadow_group(MPI_GROUP_NULL));
    MPI_Group_free(&world);
    end_mpi();
}

Test(group_handle, freed_by_a_call_that_was_not_seen_is_over_when_its_handle_comes_again)
{
    MPI_Group world = ask(MPI_COMM_WORLD), group;
    fake_communicator_define((MPI_Comm)COMMUNICATOR, odd, 2, NULL, 0);
    fake.object = fake_group_of((MPI_Comm)COMMUNICATOR);
    MPI_Group_incl(world, 2, odd, &group);
    fake.groups_open--;
    const struct mpilens_group *stale = shadow_group(group);
    fake_communicator_define((MPI_Comm)COMMUNICATOR, middle, 2, NULL, 0);
    MPI_Group_incl(world, 2, middle, &group);
    cr_assert_eq(stale->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(shadow_group(group)->references, 1);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    end_mpi();
}

Test(group_handle, calls_that_fail_change_nothing)
{
    fake.group_error = FAKE_ERROR(MPI_ERR_COMM);
    cr_assert_eq(ask(MPI_COMM_WORLD), MPI_GROUP_NULL);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_GROUPS), 0);
    MPI_Group group = ask(MPI_COMM_WORLD), none = MPI_GROUP_NULL;
    fake.error = FAKE_ERROR(MPI_ERR_GROUP);
    fake.error_is_early = true;
    MPI_Group_union(group, group, &none);
    cr_assert_eq(shadow_live_objects(MPILENS_TABLE_GROUPS), 1);
    fake.group_error = FAKE_ERROR(MPI_ERR_GROUP);
    MPI_Group_free(&group);
    cr_assert_not_null(shadow_group(group));
    MPI_Group_free(&group);
    end_mpi();
}

static void begin_large(void)
{
    fake.size = LARGE;
    begin_mpi();
}

Test(group_handle, of_very_many_ranks_costs_its_ranges, .init = begin_large)
{
    static int even[LARGE / 2], random[LARGE];
    MPI_Group world = ask(MPI_COMM_WORLD), group;
    for (int i = 0; i < LARGE / 2; i++)
        even[i] = 2 * i;
    fake_communicator_define((MPI_Comm)COMMUNICATOR, even, LARGE / 2, NULL, 0);
    fake.object = fake_group_of((MPI_Comm)COMMUNICATOR);
    uint64_t before = mpilens_process.memory_bytes;
    MPI_Group_incl(world, LARGE / 2, even, &group);
    cr_assert_eq(shadow_group(group)->size, LARGE / 2);
    cr_assert_eq(shadow_group(group)->range_count, 1);
    cr_assert_eq(mpilens_process.memory_bytes, before, "what it took to ask is given back");
    MPI_Group_free(&group);
    for (int i = 0; i < LARGE; i++)
        random[i] = (int)((uint64_t)i * i % LARGE);
    fake_communicator_define((MPI_Comm)COMMUNICATOR, random, LARGE, NULL, 0);
    MPI_Group_incl(world, LARGE, random, &group);
    cr_assert_gt(mpilens_process.memory_bytes, before);
    MPI_Group_free(&group);
    fake_communicator_define((MPI_Comm)COMMUNICATOR, even, LARGE / 2, NULL, 0);
    for (int i = 0; i < 32; i++) { /* until its turn to be forgotten comes */
        MPI_Group_incl(world, LARGE / 2, even, &group);
        MPI_Group_free(&group);
    }
    cr_assert_eq(mpilens_process.memory_bytes, before, "its ranges are given back");
    MPI_Group_free(&world);
    end_mpi();
}

static void *ask_and_free(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2000; i++) {
        MPI_Group group = ask(MPI_COMM_WORLD);
        MPI_Group other = ask((MPI_Comm)(COMMUNICATOR + 1));
        MPI_Group_free(&group);
        MPI_Group_free(&other);
    }
    return NULL;
}

Test(group_handle, may_be_given_to_several_threads, .init = begin_mpi_multiple)
{
    pthread_t threads[2];
    MPI_Comm communicator = make_communicator(COMMUNICATOR, odd, 2), duplicate;
    fake.communicator = (MPI_Comm)(COMMUNICATOR + 1);
    fake_communicator_define(fake.communicator, odd, 2, NULL, 0);
    MPI_Comm_dup(communicator, &duplicate);
    MPI_Group group = ask(communicator); /* so that the duplicate's is another one */
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, ask_and_free, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(group_of(MPI_COMM_WORLD)->references, 0);
    cr_assert_eq(group_of(MPI_COMM_WORLD)->users, 1);
    MPI_Group_free(&group);
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&communicator);
    end_mpi();
}
