/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that work on windows and files.
 */
#include "threads.h"

#include <criterion/criterion.h>

TestSuite(object_calls, .init = create_job_with_objects, .fini = close_job);

static struct mpilens_thread_information call(const struct mpilens_thread *thread)
{
    add_thread(thread);
    return open_first_thread();
}

Test(object_calls, call_on_a_window_with_a_target)
{
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                          .function = objects.function.win_lock,
                                          .object = objects.window,
                                          .communicator = opened.job.split,
                                          .peer = 0,
                                          .tag = MPILENS_LOCK_EXCLUSIVE};
    struct mpilens_thread_information information = call(&thread);
    cr_assert_eq(information.object_kind, MPILENS_OBJECT_WINDOW);
    cr_assert_eq(information.object_serial, 1);
    cr_assert_eq(information.object_id, 555);
    cr_assert_eq(information.peer_local, 0);
    cr_assert_eq(information.peer_world, 3);
    cr_assert_eq(information.lock_type, MPILENS_LOCK_EXCLUSIVE);
    cr_assert_neq(information.communicator_id, 0);
}

Test(object_calls, call_on_a_window_without_a_target)
{
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                          .function = objects.function.win_fence,
                                          .object = objects.window,
                                          .communicator = opened.job.split,
                                          .peer = FAKE_ANY_SOURCE};
    struct mpilens_thread_information information = call(&thread);
    cr_assert_eq(information.object_kind, MPILENS_OBJECT_WINDOW);
    cr_assert_eq(information.peer_local, -1);
    cr_assert_eq(information.peer_world, -1);
    cr_assert_eq(information.lock_type, 0);
}

Test(object_calls, target_out_of_the_window)
{
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                          .function = objects.function.win_lock,
                                          .object = objects.window,
                                          .communicator = opened.job.split,
                                          .peer = 2};
    cr_assert_eq(call(&thread).peer_local, -1);
}

Test(object_calls, polling_a_window)
{
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                          .polls = 5,
                                          .poll_function = objects.function.win_test,
                                          .poll_object = objects.window};
    struct mpilens_thread_information information = call(&thread);
    cr_assert_eq(information.polling, 1);
    cr_assert_str_eq(information.function, "MPI_Win_test");
    cr_assert_eq(information.object_id, 555);
}

Test(object_calls, call_on_a_file)
{
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                          .function = objects.function.read_all,
                                          .object = objects.file,
                                          .communicator = opened.job.world,
                                          .peer = 1};
    struct mpilens_thread_information information = call(&thread);
    cr_assert_eq(information.object_kind, MPILENS_OBJECT_FILE);
    cr_assert_eq(information.object_id, 777);
    cr_assert_eq(information.communicator_id, 100);
    cr_assert_eq(information.peer_local, -1);
}

Test(object_calls, call_of_another_class_has_no_object)
{
    const struct mpilens_thread thread = {
        .state = MPILENS_THREAD_ALIVE, .function = opened.job.function.barrier, .object = objects.window};
    cr_assert_eq(call(&thread).object_kind, MPILENS_OBJECT_NONE);
}
