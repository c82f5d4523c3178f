/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The order of collective calls that move no data: on communicators, windows and files.
 */
#include "inside.h"
#include "mpilens/object_kind.h"

#include <criterion/criterion.h>

#include <setjmp.h>
#include <string.h>

TestSuite(collective_order, .init = begin_mpi);

#define COMMUNICATOR ((MPI_Comm)0x84000002)
#define WINDOW       ((MPI_Win)0xa0000001)
#define FILE_HANDLE  ((MPI_File)(uintptr_t)0x5555000010)

static char buffer[64];
static int active; /* calls of MPI_COMM_WORLD that have not returned, seen from inside one */
static jmp_buf target;

static const struct mpilens_communicator *world(void)
{
    return shadow_communicator(MPI_COMM_WORLD);
}

static void look_at_world(const struct fake_call *call)
{
    look_inside(call);
    active = 0;
    for (size_t i = 0; i < 8; i++)
        active += world()->recent_collectives[i].active != 0;
}

static void jump(const struct fake_call *call)
{
    (void)call;
    longjmp(target, 1);
}

static void expect_call(const struct mpilens_collective *calls, uint64_t serial, const char *function)
{
    const struct mpilens_collective *call = &calls[(serial - 1) % 8];
    cr_expect_eq(call->serial, serial, "%s", function);
    cr_expect_str_eq(shadow_function_name(call->function), function);
    cr_expect_eq(call->active, 0, "%s", function);
    cr_expect_eq(call->count, -1);
    cr_expect_eq(call->datatype, 0);
}

Test(collective_order, constructors_stand_among_the_calls_of_their_communicator)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Win window = MPI_WIN_NULL;
    fake.communicator = COMMUNICATOR;
    fake.window = WINDOW;
    fake.hook = look_at_world;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
    cr_expect_eq(active, 1);
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    cr_expect_eq(active, 1);
    cr_expect_eq(world()->collective_count, 3);
    expect_call(world()->recent_collectives, 1, "MPI_Barrier");
    expect_call(world()->recent_collectives, 2, "MPI_Comm_split");
    expect_call(world()->recent_collectives, 3, "MPI_Win_create");
    for (size_t i = 0; i < MPILENS_COLLECTIVE_CLASS_COUNT; i++)
        cr_expect_eq(world()->collective_states[i].count, i == MPILENS_COLLECTIVE_BARRIER, "classes are of data");
    const struct mpilens_communicator *record = shadow_communicator(made);
    MPI_Comm_free(&made);
    cr_expect_eq(record->collective_count, 1);
    expect_call(record->recent_collectives, 1, "MPI_Comm_free");
    MPI_Win_free(&window);
    end_mpi();
}

Test(collective_order, of_some_members_only_is_none)
{
    MPI_Comm made = MPI_COMM_NULL;
    fake.communicator = COMMUNICATOR;
    MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 3, &made);
    cr_expect_eq(world()->collective_count, 0);
    MPI_Comm_free(&made);
    end_mpi();
}

Test(collective_order, roots_and_leaders_are_known)
{
    MPI_Comm made = MPI_COMM_NULL;
    fake.communicator = COMMUNICATOR;
    MPI_Comm_spawn("worker", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 2, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
    cr_expect_eq(world()->recent_collectives[0].has_root, 1);
    cr_expect_eq(world()->recent_collectives[0].root, 2);
    MPI_Comm_free(&made);
    MPI_Intercomm_create(MPI_COMM_WORLD, 1, MPI_COMM_WORLD, 2, 5, &made);
    cr_expect_eq(world()->recent_collectives[1].has_root, 1);
    cr_expect_eq(world()->recent_collectives[1].root, 1);
    MPI_Comm_free(&made);
    cr_expect_eq(world()->root_sum, 1 + 2 + 1);
    end_mpi();
}

Test(collective_order, roots_add_up_but_those_of_refused_calls)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(buffer, 1, MPI_CHAR, 3, MPI_COMM_WORLD);
    MPI_Ibcast(buffer, 1, MPI_CHAR, 2, MPI_COMM_WORLD, &request);
    cr_expect_eq(world()->root_sum, 1 + 3 + 2);
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    MPI_Bcast(buffer, 1, MPI_CHAR, 7, MPI_COMM_WORLD);
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    MPI_Ibcast(buffer, 1, MPI_CHAR, 7, MPI_COMM_WORLD, &(MPI_Request){MPI_REQUEST_NULL});
    fake.error = MPI_SUCCESS;
    cr_expect_eq(world()->collective_count, 3);
    cr_expect_eq(world()->root_sum, 1 + 3 + 2);
    complete_all();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(collective_order, nonblocking_duplicates_last_until_they_are_collected)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    fake.communicator = COMMUNICATOR;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    cr_expect_eq(world()->collective_count, 2);
    cr_expect_eq(world()->recent_collectives[1].active, 1);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_not_null(operation);
    cr_expect_eq(operation->actual_bytes, 2, "its place");
    complete_all();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_call(world()->recent_collectives, 2, "MPI_Comm_idup");
    MPI_Comm_free(&made);
    end_mpi();
}

Test(collective_order, windows_and_files_have_their_own)
{
    MPI_Win window = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    fake.window = WINDOW;
    fake.file = FILE_HANDLE;
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_fence(0, window);
    cr_expect_eq(shadow_window(window)->collective_count, 2, "locks are not collective");
    expect_call(shadow_window(window)->recent_collectives, 2, "MPI_Win_fence");
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write(file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_ordered_begin(file, buffer, 1, MPI_INT);
    MPI_File_read_ordered_end(file, buffer, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    const struct mpilens_file *record = shadow_file(file);
    cr_expect_eq(record->collective_count, 5, "MPI_File_write is not collective");
    expect_call(record->recent_collectives, 1, "MPI_File_set_view");
    expect_call(record->recent_collectives, 2, "MPI_File_write_all");
    expect_call(record->recent_collectives, 3, "MPI_File_read_ordered_begin");
    expect_call(record->recent_collectives, 4, "MPI_File_read_ordered_end");
    expect_call(record->recent_collectives, 5, "MPI_File_sync");
    cr_expect_eq(world()->collective_count, 2);
    MPI_File_close(&file);
    MPI_Win_free(&window);
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    cr_expect_eq(shadow_window(window)->collective_count, 0, "another window");
    MPI_Win_free(&window);
    end_mpi();
}

/* Deep enough that the next call is outside of it, whatever the size of frames. */
__attribute__((noinline)) static void duplicate_far_below(void)
{
    MPI_Comm made = MPI_COMM_NULL;
    volatile char room[8192];
    room[0] = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    room[1] = room[0];
}

Test(collective_order, calls_that_are_left_by_a_jump_are_over)
{
    fake.communicator = COMMUNICATOR;
    fake.hook = jump;
    if (setjmp(target) == 0)
        duplicate_far_below();
    fake.hook = look_inside;
    MPI_Barrier(MPI_COMM_WORLD);
    expect_call(world()->recent_collectives, 1, "MPI_Comm_dup");
    end_mpi();
}

static const char *arguments_of(uint64_t arguments, uint64_t serial)
{
    const struct mpilens_collective_arguments *places = (const void *)(uintptr_t)arguments;
    cr_assert_not_null(places);
    cr_expect_eq(places[(serial - 1) % 8].serial, serial);
    return places[(serial - 1) % 8].text;
}

Test(collective_order, what_must_agree_is_noted)
{
    const int dims[] = {2, 1}, periods[] = {7, 0};
    MPI_Comm made = MPI_COMM_NULL;
    MPI_File file = MPI_FILE_NULL;
    fake.communicator = COMMUNICATOR;
    fake.file = FILE_HANDLE;
    MPI_Barrier(MPI_COMM_WORLD);
    cr_expect_eq(world()->arguments, 0, "nothing so far");
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 5, &made);
    cr_expect_str_eq(arguments_of(world()->arguments, 2), "dims 2 1, periods 1 0, reorder 1");
    MPI_Comm_free(&made);
    MPI_File_open(MPI_COMM_WORLD, "of/data", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    cr_expect_str_eq(arguments_of(world()->arguments, 3), "mode CREATE+RDWR; file data");
    MPI_File_set_size(file, (MPI_Offset)1 << 33);
    cr_expect_str_eq(arguments_of(shadow_file(file)->arguments, 1), "size 8589934592");
    MPI_File_set_view(file, 3, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    cr_expect_str_eq(arguments_of(shadow_file(file)->arguments, 2), "etype of extent 4, representation native");
    MPI_File_sync(file);
    const struct mpilens_collective_arguments *places = (const void *)(uintptr_t)shadow_file(file)->arguments;
    cr_expect_eq(places[2].serial, 0, "it has none");
    MPI_File_close(&file);
    end_mpi();
}

Test(collective_order, what_does_not_fit_is_a_number)
{
    int dims[100], periods[100] = {0};
    char first[128];
    MPI_Comm made = MPI_COMM_NULL;
    fake.communicator = COMMUNICATOR;
    for (int i = 0; i < 100; i++)
        dims[i] = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 100, dims, periods, 0, &made);
    strcpy(first, arguments_of(world()->arguments, 1));
    cr_expect_not_null(strstr(first, " ... #"), "%s", first);
    MPI_Comm_free(&made);
    periods[99] = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 100, dims, periods, 0, &made);
    cr_expect_str_neq(arguments_of(world()->arguments, 2), first);
    MPI_Comm_free(&made);
    end_mpi();
}

Test(collective_order, arguments_that_mpi_refuses_are_not_followed)
{
    MPI_Comm made = MPI_COMM_NULL;
    const int *const lists[] = {NULL, (const int[]){0, INT32_MAX}};
    for (size_t i = 0; i < 4; i++) {
        fake.error = FAKE_ERROR(MPI_ERR_ARG);
        if (i < 2)
            MPI_Cart_create(MPI_COMM_WORLD, i == 0 ? -1 : INT32_MAX, lists[0], lists[0], 0, &made);
        else
            MPI_Graph_create(MPI_COMM_WORLD, 2, lists[i - 2], lists[i - 2], 0, &made);
        cr_expect_eq(world()->collective_count, 0);
    }
    end_mpi();
}

static const struct mpilens_freed_object *freed(uint64_t serial)
{
    const struct mpilens_freed_object *ring = (const void *)(uintptr_t)mpilens_process.freed_objects;
    cr_assert_not_null(ring);
    return &ring[(serial - 1) % MPILENS_FREED_COUNT];
}

Test(collective_order, what_is_freed_is_remembered)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Win window = MPI_WIN_NULL;
    fake.communicator = COMMUNICATOR;
    fake.window = WINDOW;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const uint64_t id = shadow_communicator(made)->unique_id;
    MPI_Barrier(made);
    MPI_Barrier(made);
    MPI_Comm_free(&made);
    cr_assert_eq(mpilens_process.freed_count, 1);
    cr_expect(freed(1)->serial == 1 && freed(1)->unique_id == id && freed(1)->kind == MPILENS_OBJECT_COMMUNICATOR);
    cr_expect(freed(1)->collective_count == 3 && freed(1)->site != 0 && freed(1)->last_site != 0);
    cr_expect_str_eq(shadow_function_name(freed(1)->function), "MPI_Comm_free");
    cr_expect_str_eq(shadow_function_name(freed(1)->last_function), "MPI_Barrier");
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    cr_expect(freed(2)->serial == 2 && freed(2)->kind == MPILENS_OBJECT_WINDOW && freed(2)->collective_count == 1);
    cr_expect_eq(freed(2)->last_function, 0);
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
    MPI_Win_free(&window);
    cr_expect_eq(mpilens_process.freed_count, 2, "nobody else can wait there");
    end_mpi();
}
