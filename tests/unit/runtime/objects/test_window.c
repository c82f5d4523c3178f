/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows: their records, operations on them, and their ends.
 */
#include "constructors.h"
#include "inside.h"
#include "ranks.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(window, .init = begin_mpi);

enum { HANDLE = (int)0xa0000000, OTHER_HANDLE = (int)0xa0000001 };

static char buffer[64];

Test(window, says_what_it_is_and_where_it_comes_from)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *record = shadow_window(window);
    cr_assert_eq(record->communicator, address_of(shadow_communicator(MPI_COMM_WORLD)));
    cr_assert_eq(record->base, address_of(window_memory));
    cr_assert_eq(record->bytes, sizeof window_memory);
    cr_assert_eq(record->displacement_unit, 8);
    cr_assert_eq(record->flavor, MPILENS_WINDOW_CREATE);
    cr_assert_eq(record->access_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->exposure_epoch, MPILENS_EPOCH_NONE);
    cr_assert_eq(record->references, 1);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Win_create");
    cr_assert(site_is_in(record->site, CODE_OF(create_window_as)));
    cr_assert_str_empty(record->name, "the library's default name is not the application's");
    cr_assert_eq(record->errhandler, address_of(shadow_errhandler(MPI_ERRORS_ARE_FATAL)), "by default");
    MPI_Win_set_name(window, "halo");
    cr_assert_str_eq(record->name, "halo");
    cr_assert_eq(shadow_communicator(MPI_COMM_WORLD)->children, 1);
    MPI_Win_free(&window);
    cr_assert_eq(window, MPI_WIN_NULL);
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(window, knows_the_memory_that_the_library_has_allocated)
{
    MPI_Win windows[3];
    void *base = NULL;
    fake.window = (MPI_Win)HANDLE;
    fake.base = window_memory;
    MPI_Win_allocate(128, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &windows[0]);
    cr_assert_eq(base, window_memory);
    const struct mpilens_window *record = shadow_window(windows[0]);
    cr_assert_eq(record->base, address_of(window_memory));
    cr_assert_eq(record->bytes, 128);
    cr_assert_eq(record->flavor, MPILENS_WINDOW_ALLOCATE);
    fake.window = (MPI_Win)OTHER_HANDLE;
    fake.base = window_memory + 8;
    MPI_Win_allocate_shared_c(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &windows[1]);
    record = shadow_window(windows[1]);
    cr_assert_eq(record->base, address_of(window_memory + 8));
    cr_assert_eq(record->displacement_unit, 4);
    cr_assert_eq(record->flavor, MPILENS_WINDOW_SHARED);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Win_allocate_shared_c");
    fake.window = (MPI_Win)(OTHER_HANDLE + 1);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &windows[2]);
    record = shadow_window(windows[2]);
    cr_assert_eq(record->base, 0);
    cr_assert_eq(record->flavor, MPILENS_WINDOW_DYNAMIC);
    MPI_Win_attach(windows[2], window_memory, 16);
    MPI_Win_detach(windows[2], window_memory);
    for (int i = 0; i < 3; i++)
        MPI_Win_free(&windows[i]);
    end_mpi();
}

Test(window, that_could_not_be_made_is_none)
{
    MPI_Win window;
    fake.error = FAKE_ERROR(MPI_ERR_SIZE);
    fake.window = (MPI_Win)HANDLE;
    MPI_Win_create(window_memory, sizeof window_memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    create_window_as(MPI_COMM_WORLD, MPI_WIN_NULL);
    cr_assert_eq(shadow_count(MPILENS_TABLE_WINDOWS, 0), 0);
    window = create_window_as(MPI_COMM_WORLD, HANDLE);
    MPI_Win same = window;
    CHECK_REFUSED(MPI_Win_free(&same), MPI_ERR_RMA_SYNC);
    cr_assert_not_null(shadow_window(window), "its free has failed");
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Win_free(&window);
    cr_assert_eq(window, MPI_WIN_NULL, "with an error, but it is gone");
    end_mpi();
}

Test(window, whose_free_was_not_seen_is_another_when_its_handle_comes_again)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *stale = shadow_window(window);
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *record = shadow_window(window);
    cr_assert_neq(record, stale);
    cr_assert_eq(stale->state, MPILENS_OBJECT_FREED);
    MPI_Put(buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    cr_assert_eq(record->operations, 1);
    cr_assert_eq(record->lock_count, 0);
    MPI_Win_free(&window);
    end_mpi();
}

/* The ids that the ranks derive, each in a process of its own. */
enum { RANKS = 3, MADE = 4 };

static uint64_t (*ids)[MADE];

static void make_all(int rank)
{
    for (int i = 0; i < rank; i++) /* of nobody else: must not put the others out of step */
        create_window_as(MPI_COMM_SELF, HANDLE + 0x100 + i);
    ids[rank][0] = shadow_window(create_window_as(MPI_COMM_WORLD, HANDLE + rank))->unique_id;
    ids[rank][1] = shadow_window(create_window_as(MPI_COMM_WORLD, HANDLE + 0x10 + rank))->unique_id;
    MPI_Comm duplicate = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    ids[rank][2] = shadow_window(create_window_as(duplicate, HANDLE + 0x20 + rank))->unique_id;
    MPI_File file;
    fake.file = (MPI_File)(uintptr_t)0x1000;
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    ids[rank][3] = shadow_file(file)->unique_id;
}

Test(window_of_ranks, has_the_same_number_at_all_members_and_no_other_has_it)
{
    ids = shared_by_ranks(sizeof *ids * RANKS);
    run_ranks(RANKS, make_all);
    for (int i = 0; i < MADE; i++) {
        cr_assert_gt((int64_t)ids[0][i], 0);
        for (int rank = 1; rank < RANKS; rank++)
            cr_assert_eq(ids[rank][i], ids[0][i], "number %d of rank %d", i, rank);
        for (int k = 0; k < i; k++)
            cr_assert_neq(ids[0][k], ids[0][i]);
    }
}

static void look_at_free(const struct fake_call *call)
{
    look_inside(call);
    cr_assert_not_null(shadow_window((MPI_Win)HANDLE), "it lives while others are waited for");
}

Test(window, is_shown_in_the_calls_that_work_on_it)
{
    const uint64_t world = address_of(shadow_communicator(MPI_COMM_WORLD));
    fake.hook = look_inside;
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    cr_assert_str_eq(inside.function, "MPI_Win_create");
    cr_assert_eq(inside.thread.object, 0);
    cr_assert_eq(inside.thread.communicator, world);
    const uint64_t record = address_of(shadow_window(window));
    fake.hook = look_inside;
    MPI_Get(buffer, 1, MPI_INT, 3, 0, 1, MPI_INT, window);
    cr_assert_str_eq(inside.function, "MPI_Get");
    cr_assert_eq(inside.thread.object, record);
    cr_assert_eq(inside.thread.communicator, world);
    cr_assert_eq(inside.thread.peer, 3);
    cr_assert_eq(inside.thread.operation, 0);
    fake.hook = look_at_free;
    MPI_Win_free(&window);
    cr_assert_str_eq(inside.function, "MPI_Win_free");
    cr_assert_eq(inside.thread.object, record);
    cr_assert_eq(inside.thread.communicator, world);
    end_mpi();
}

static void put_on_another(const struct fake_call *call)
{
    (void)call;
    MPI_Win other = create_window_as(MPI_COMM_SELF, OTHER_HANDLE);
    MPI_Put(buffer, 1, MPI_INT, 0, 0, 1, MPI_INT, other);
    MPI_Win_free(&other);
    look_inside(call);
}

Test(window, stays_that_of_the_outer_call_when_a_callback_uses_another)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    fake.hook = put_on_another;
    MPI_Win_fence(0, window);
    cr_assert_str_eq(inside.function, "MPI_Win_fence");
    cr_assert_eq(inside.thread.object, address_of(shadow_window(window)));
    MPI_Win_free(&window);
    end_mpi();
}

Test(window, counts_what_is_begun_on_it)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *record = shadow_window(window);
    MPI_Put(buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    MPI_Get(buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    MPI_Accumulate(buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Get_accumulate(buffer, 1, MPI_INT, buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Fetch_and_op(buffer, buffer, MPI_INT, 2, 0, MPI_SUM, window);
    MPI_Compare_and_swap(buffer, buffer, buffer, MPI_INT, 2, 0, window);
    cr_assert_eq(record->operations, 6);
    cr_assert_eq(record->operations_since, 6);
    MPI_Put(buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_WIN_NULL); /* erroneous: nothing is counted */
    cr_assert_eq(record->operations, 6);
    MPI_Win_free(&window);
    end_mpi();
}

Test(window_of_threads, counts_what_they_begin)
{
    begin_mpi_multiple();
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    MPI_Put(buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    cr_assert_eq(shadow_window(window)->operations, 1);
    MPI_Win_unlock(2, window);
    cr_assert_eq(shadow_window(window)->operations_since, 0);
    MPI_Win_free(&window);
    end_mpi();
}
