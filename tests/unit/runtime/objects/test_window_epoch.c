/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronization of windows: epochs, locks, and the last call.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <stddef.h>

static char buffer[64];
static MPI_Win window;
static struct mpilens_window *record;

static void create_window(void)
{
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    record = shadow_window(window);
}

static void begin_window(void)
{
    begin_mpi();
    fake.window = (MPI_Win)0xa0000000;
    create_window();
}

static void end_window(void)
{
    uint64_t record_address = (uint64_t)(uintptr_t)record;
    MPI_Win_free(&window);
    cr_assert_eq(((struct mpilens_window *)(uintptr_t)record_address)->locks, 0);
    end_mpi();
}

TestSuite(window_epoch, .init = begin_window);

static void put(int target)
{
    MPI_Put(buffer, 1, MPI_INT, target, 0, 1, MPI_INT, window);
}

static const struct mpilens_window_lock *lock_of(int target)
{
    const struct mpilens_window_lock *locks = (const struct mpilens_window_lock *)(uintptr_t)record->locks;
    for (uint32_t i = 0; i < record->lock_count; i++)
        if (locks[i].target == target)
            return &locks[i];
    return NULL;
}

__attribute__((noinline)) static void fence(int assertion)
{
    MPI_Win_fence(assertion, window);
    cr_assert_eq(record->synchronization_site != 0, 1);
}

Test(window_epoch, of_fences_lasts_until_one_that_nothing_succeeds)
{
    fence(MPI_MODE_NOPRECEDE);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_FENCE);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_FENCE);
    put(2);
    cr_assert_eq(record->operations_since, 1);
    fence(0);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_FENCE);
    cr_assert_eq(record->operations_since, 0);
    cr_assert_eq(record->operations, 1);
    fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->synchronizations, 3);
    cr_assert_str_eq(shadow_function_name(record->synchronization), "MPI_Win_fence");
    cr_assert(site_is_in(record->synchronization_site, CODE_OF(fence)));
    cr_assert_geq(record->synchronization_time, record->created);
    end_window();
}

Test(window_epoch, of_a_fence_is_none_where_another_synchronization_follows)
{
    fence(0);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_LOCK);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_NONE);
    MPI_Win_unlock(1, window);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    end_window();
}

static void look_at_locks(const struct fake_call *call)
{
    look_inside(call);
    cr_assert_eq(record->lock_count, 1, "the one that is being called for is not listed");
}

Test(window_epoch, has_a_lock_of_each_target)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    fake.hook = look_at_locks;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, window);
    cr_assert_str_eq(inside.function, "MPI_Win_lock");
    cr_assert_eq(inside.thread.object, (uint64_t)(uintptr_t)record);
    cr_assert_eq(inside.thread.peer, 3);
    cr_assert_eq(inside.thread.tag, MPILENS_LOCK_EXCLUSIVE);
    cr_assert_eq(record->lock_count, 2);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_LOCK);
    cr_assert_eq(lock_of(2)->type, MPILENS_LOCK_SHARED);
    cr_assert_eq(lock_of(3)->type, MPILENS_LOCK_EXCLUSIVE);
    cr_assert_eq(lock_of(3)->site, inside.thread.site);
    cr_assert_eq(lock_of(3)->locked, inside.thread.entered);
    put(2);
    put(3);
    MPI_Win_unlock(2, window);
    cr_assert_null(lock_of(2));
    cr_assert_not_null(lock_of(3));
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_LOCK);
    cr_assert_eq(record->operations_since, 2, "those of the other target may be under way");
    MPI_Win_unlock(3, window);
    cr_assert_eq(record->lock_count, 0);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->operations_since, 0);
    end_window();
}

Test(window_epoch, has_no_lock_of_nobody)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, window);
    cr_assert_eq(record->lock_count, 0);
    MPI_Win_unlock(MPI_PROC_NULL, window);
    cr_assert_eq(record->synchronizations, 2);
    end_window();
}

Test(window_epoch, may_lock_many_targets)
{
    enum { TARGETS = 1000 };
    MPI_Win_free(&window); /* the first one freed takes room for those that are remembered */
    create_window();
    const uint64_t before = mpilens_process.memory_bytes;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < TARGETS; i++) {
            const struct mpilens_window_lock *locks = (const struct mpilens_window_lock *)(uintptr_t)record->locks;
            const uint32_t count = record->lock_count;
            MPI_Win_lock(MPI_LOCK_SHARED, i, 0, window);
            for (uint32_t k = 0; k < count; k++) /* as a reader has seen it before */
                cr_assert_eq(locks[k].target, (int32_t)k);
        }
        cr_assert_eq(record->lock_count, TARGETS);
        for (int i = 0; i < TARGETS; i++)
            cr_assert_not_null(lock_of(i));
        for (int i = TARGETS; i-- > 0;)
            MPI_Win_unlock(i % 2 ? i / 2 : TARGETS - 1 - i / 2, window);
        cr_assert_eq(record->lock_count, 0);
    }
    cr_assert_gt(mpilens_process.memory_bytes, before);
    MPI_Win_free(&window);
    cr_assert_eq(mpilens_process.memory_bytes, before, "the memory of the locks is given back");
    end_mpi();
}

Test(window_epoch, of_all_targets)
{
    MPI_Win_lock_all(0, window);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_LOCK_ALL);
    cr_assert_eq(record->lock_count, 0);
    put(1);
    put(2);
    MPI_Win_flush(1, window);
    MPI_Win_flush_local(1, window);
    MPI_Win_flush_local_all(window);
    MPI_Win_sync(window);
    cr_assert_eq(record->operations_since, 2, "not known to be complete");
    MPI_Win_flush_all(window);
    cr_assert_eq(record->operations_since, 0);
    put(1);
    MPI_Win_unlock_all(window);
    cr_assert_eq(record->operations_since, 0);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->synchronizations, 7);
    cr_assert_str_eq(shadow_function_name(record->synchronization), "MPI_Win_unlock_all");
    end_window();
}

Test(window_epoch, is_complete_by_a_flush_of_the_only_target)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    put(2);
    MPI_Win_flush_local(2, window);
    cr_assert_eq(record->operations_since, 1);
    MPI_Win_flush(2, window);
    cr_assert_eq(record->operations_since, 0);
    MPI_Win_unlock(2, window);
    end_window();
}

static const struct mpilens_group *group_of(uint64_t address)
{
    return (const struct mpilens_group *)(uintptr_t)address;
}

static void look_at_start(const struct fake_call *call)
{
    look_inside(call);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(group_of(record->access_group)->size, 4, "what it waits for");
}

Test(window_epoch, between_groups)
{
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Win_post(group, 0, window);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_GROUP);
    cr_assert_eq(group_of(record->exposure_group)->size, 4);
    fake.hook = look_at_start;
    MPI_Win_start(group, 0, window);
    cr_assert_str_eq(inside.function, "MPI_Win_start");
    cr_assert_eq(record->access_group, record->exposure_group, "the same handle: the same record");
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_GROUP);
    MPI_Group_free(&group);
    cr_assert_eq(group_of(record->access_group)->state, MPILENS_OBJECT_FREED);
    cr_assert_gt(group_of(record->access_group)->users, 0, "it is still that of the epoch");
    cr_assert_eq(group_of(record->access_group)->short_ranges[0].count, 4);
    put(2);
    MPI_Win_complete(window);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->access_group, 0);
    cr_assert_eq(record->operations_since, 0);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_GROUP);
    fake.hook = look_inside;
    MPI_Win_wait(window);
    cr_assert_str_eq(inside.function, "MPI_Win_wait");
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->exposure_group, 0);
    end_window();
}

Test(window_epoch, of_exposure_ends_by_a_test_that_succeeds)
{
    int flag = -1;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Win_post(group, 0, window);
    fake.flag = 0;
    for (int i = 0; i < 3; i++)
        MPI_Win_test(window, &flag);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_GROUP);
    cr_assert_eq(record->synchronizations, 1);
    const struct mpilens_thread *thread = shadow_thread();
    cr_assert_eq(thread->polls, 3);
    cr_assert_str_eq(shadow_function_name(thread->poll_function), "MPI_Win_test");
    cr_assert_eq(thread->poll_object, (uint64_t)(uintptr_t)record);
    fake.flag = 1;
    MPI_Win_test(window, &flag);
    cr_assert_eq(thread->polls, 0);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->exposure_group, 0);
    cr_assert_str_eq(shadow_function_name(record->synchronization), "MPI_Win_test");
    MPI_Group_free(&group);
    end_window();
}

Test(window_epoch, is_as_it_was_after_a_call_that_failed)
{
    int flag = 1;
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    put(2);
    const struct mpilens_window before = *record;
    int (*const calls[])(MPI_Win) = {MPI_Win_complete,        MPI_Win_wait, MPI_Win_unlock_all, MPI_Win_flush_all,
                                     MPI_Win_flush_local_all, MPI_Win_sync};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
        calls[i](window);
    }
    fake.flag = 1;
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Win_test(window, &flag);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, window);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Win_unlock(2, window);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Win_flush(2, window);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Win_lock_all(0, window);
    fake.error = FAKE_ERROR(MPI_ERR_GROUP);
    MPI_Win_start(MPI_GROUP_EMPTY, 0, window);
    fake.error = FAKE_ERROR(MPI_ERR_GROUP);
    MPI_Win_post(MPI_GROUP_EMPTY, 0, window);
    /* Only the place of the calls in the order stays. */
    cr_assert_arr_eq(record, &before, offsetof(struct mpilens_window, collective_count));
    MPI_Win_unlock(2, window);
    end_window();
}

Test(window_epoch, ends_with_its_window)
{
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Win_post(group, 0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Group_free(&group);
    MPI_Win_free(&window);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(record->lock_count, 0);
    cr_assert_eq(record->exposure_group, 0);
    end_mpi();
}
