/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A call that MPI has refused leaves no trace: the calls after it count as if it had not been.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(refused, .init = begin_mpi);

#define WINDOW      ((MPI_Win)0xa0000001)
#define FILE_HANDLE ((MPI_File)(uintptr_t)0x5555000010)

static char buffer[64];
static char other_buffer[64];

static const struct mpilens_communicator *world(void)
{
    return shadow_communicator(MPI_COMM_WORLD);
}

static void refuse_next(int error_class)
{
    fake.error = FAKE_ERROR(error_class);
    fake.error_is_early = true;
}

static void expect_calls(uint64_t count, const struct mpilens_collective *calls, const char *last)
{
    const struct mpilens_collective *call = &calls[(count - 1) % 8];
    cr_expect_eq(call->serial, count);
    cr_expect_eq(call->active, 0);
    cr_expect_str_eq(shadow_function_name(call->function), last);
    cr_expect_neq(calls[count % 8].serial, count + 1, "nothing comes after it");
}

Test(refused, collectives_do_not_count)
{
    MPI_Barrier(MPI_COMM_WORLD);
    refuse_next(MPI_ERR_ROOT);
    cr_assert_eq(MPI_Bcast(buffer, 1, MPI_INT, 99, MPI_COMM_WORLD), FAKE_ERROR(MPI_ERR_ROOT));
    cr_assert_eq(world()->collective_count, 1);
    cr_assert_eq(world()->collective_states[MPILENS_COLLECTIVE_BROADCAST].count, 0);
    cr_assert_eq(world()->collective_states[MPILENS_COLLECTIVE_BROADCAST].active, 0);
    expect_calls(1, world()->recent_collectives, "MPI_Barrier");
    MPI_Allreduce(buffer, other_buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    cr_assert_eq(world()->collective_count, 2);
    expect_calls(2, world()->recent_collectives, "MPI_Allreduce");
    end_mpi();
}

Test(refused, collectives_that_have_failed_under_way_count)
{
    static const int classes[] = {MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_IN_STATUS};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        fake.error = FAKE_ERROR(classes[i]);
        MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
        cr_assert_eq(world()->collective_count, i + 1);
        cr_assert_eq(world()->collective_states[MPILENS_COLLECTIVE_BROADCAST].count, i + 1);
        cr_assert_eq(world()->collective_states[MPILENS_COLLECTIVE_BROADCAST].active, 0);
        expect_calls(i + 1, world()->recent_collectives, "MPI_Bcast");
    }
    end_mpi();
}

static void call_collective(const struct fake_call *call)
{
    (void)call;
    MPI_Barrier(MPI_COMM_WORLD);
}

Test(refused, collectives_keep_their_place_where_their_error_handler_has_made_the_next_call)
{
    fake.hook = call_collective;
    refuse_next(MPI_ERR_ROOT);
    MPI_Bcast(buffer, 1, MPI_INT, 99, MPI_COMM_WORLD);
    cr_assert_eq(world()->collective_count, 2);
    expect_calls(2, world()->recent_collectives, "MPI_Barrier");
    end_mpi();
}

Test(refused, collectives_of_threads_do_not_count, .init = begin_mpi_multiple)
{
    refuse_next(MPI_ERR_COUNT);
    MPI_Bcast(buffer, -1, MPI_INT, 0, MPI_COMM_WORLD);
    cr_assert_eq(world()->collective_count, 0);
    cr_assert_eq(world()->collective_states[MPILENS_COLLECTIVE_BROADCAST].count, 0);
    cr_assert_eq(world()->collective_states[MPILENS_COLLECTIVE_BROADCAST].active, 0);
    end_mpi();
}

Test(refused, calls_on_an_unknown_communicator_are_shown_only)
{
    refuse_next(MPI_ERR_COMM);
    fake.hook = look_inside;
    MPI_Barrier((MPI_Comm)0x84000077);
    cr_assert_str_eq(inside.function, "MPI_Barrier");
    cr_assert_eq(inside.thread.communicator, 0);
    refuse_next(MPI_ERR_COMM);
    MPI_Barrier((MPI_Comm)0);
    MPI_Comm made = MPI_COMM_NULL;
    refuse_next(MPI_ERR_COMM);
    MPI_Comm_dup((MPI_Comm)0x84000077, &made);
    cr_assert_eq(world()->collective_count, 0);
    end_mpi();
}

Test(refused, calls_without_data_do_not_count)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    fake.window = WINDOW;
    fake.file = FILE_HANDLE;
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    cr_assert_eq(world()->collective_count, 2);
    refuse_next(MPI_ERR_ARG);
    MPI_Comm_split(MPI_COMM_WORLD, -7, 0, &made);
    refuse_next(MPI_ERR_COMM);
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    refuse_next(MPI_ERR_SIZE);
    MPI_Win_create(buffer, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    refuse_next(MPI_ERR_AMODE);
    MPI_File_open(MPI_COMM_WORLD, "data", 0, MPI_INFO_NULL, &file);
    MPI_Comm world_handle = MPI_COMM_WORLD;
    refuse_next(MPI_ERR_COMM);
    MPI_Comm_free(&world_handle);
    cr_assert_eq(world()->collective_count, 2);
    expect_calls(2, world()->recent_collectives, "MPI_File_open");

    MPI_Win_fence(0, window);
    refuse_next(MPI_ERR_ASSERT);
    MPI_Win_fence(12345, window);
    refuse_next(MPI_ERR_RMA_SYNC);
    MPI_Win_free(&window);
    cr_assert_eq(shadow_window(window)->collective_count, 1);
    expect_calls(1, shadow_window(window)->recent_collectives, "MPI_Win_fence");

    MPI_File_sync(file);
    refuse_next(MPI_ERR_COUNT);
    MPI_File_write_all(file, buffer, -1, MPI_INT, MPI_STATUS_IGNORE);
    refuse_next(MPI_ERR_ARG);
    MPI_File_set_view(file, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    refuse_next(MPI_ERR_COUNT);
    MPI_File_write_all_begin(file, buffer, -1, MPI_INT);
    cr_assert_eq(shadow_file(file)->collective_count, 1);
    cr_assert_eq(shadow_file(file)->operations, 0);
    expect_calls(1, shadow_file(file)->recent_collectives, "MPI_File_sync");
    MPI_File_write_all_begin(file, buffer, 1, MPI_INT);
    refuse_next(MPI_ERR_ARG);
    MPI_File_read_all_end(file, buffer, MPI_STATUS_IGNORE);
    cr_assert_neq(shadow_file(file)->split_collective, 0, "still under way");
    cr_assert_eq(shadow_file(file)->collective_count, 2);
    fake.error = FAKE_ERROR(MPI_ERR_IO);
    MPI_File_write_all_end(file, buffer, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_file(file)->split_collective, 0);
    cr_assert_eq(shadow_file(file)->collective_count, 3);
    MPI_File_close(&file);
    MPI_Win_free(&window);
    end_mpi();
}

Test(refused, operations_on_windows_and_files_do_not_count)
{
    MPI_Win window = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    fake.window = WINDOW;
    fake.file = FILE_HANDLE;
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    const struct mpilens_window *window_record = shadow_window(window);
    const struct mpilens_file *file_record = shadow_file(file);
    MPI_Put(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    refuse_next(MPI_ERR_RANK);
    cr_assert_eq(MPI_Put(buffer, 1, MPI_INT, 99, 0, 1, MPI_INT, window), FAKE_ERROR(MPI_ERR_RANK));
    refuse_next(MPI_ERR_RANK);
    MPI_Rput(buffer, 1, MPI_INT, 99, 0, 1, MPI_INT, window, &request);
    refuse_next(MPI_ERR_WIN);
    MPI_Put(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, (MPI_Win)0xa0000077);
    cr_assert_eq(window_record->operations, 1);
    cr_assert_eq(window_record->operations_since, 1);
    MPI_File_write(file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
    refuse_next(MPI_ERR_COUNT);
    MPI_File_write(file, buffer, -1, MPI_INT, MPI_STATUS_IGNORE);
    refuse_next(MPI_ERR_COUNT);
    MPI_File_iwrite(file, buffer, -1, MPI_INT, &request);
    cr_assert_eq(file_record->operations, 1);
    fake.error = FAKE_ERROR(MPI_ERR_NO_SPACE);
    MPI_File_write(file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
    cr_assert_eq(file_record->operations, 2, "tried");
    MPI_File_close(&file);
    MPI_Win_free(&window);
    end_mpi();
}

Test(refused, messages_do_not_count)
{
    MPI_Request requests[2];
    MPI_Send(buffer, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    refuse_next(MPI_ERR_TAG);
    MPI_Send(buffer, 1, MPI_INT, 2, -3, MPI_COMM_WORLD);
    refuse_next(MPI_ERR_COUNT);
    MPI_Isend(buffer, -1, MPI_INT, 2, 3, MPI_COMM_WORLD, &requests[0]);
    refuse_next(MPI_ERR_COUNT);
    MPI_Recv(buffer, -1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    refuse_next(MPI_ERR_TAG);
    MPI_Sendrecv(buffer, 1, MPI_INT, 2, -3, other_buffer, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send_init(buffer, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    refuse_next(MPI_ERR_REQUEST);
    MPI_Start(&requests[0]);
    refuse_next(MPI_ERR_REQUEST);
    MPI_Startall(2, requests);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 0);
    cr_assert_eq(world()->collective_count, 0);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}
