/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads by their stacks, without the runtime: a stack that is cut may have a call of MPI where it was cut.
 */
#include "base/base.h"
#include "model/model.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct site stub = {.module = "/usr/lib/libmpich.so.12"};
static const struct site solve = {.module = "/home/me/app", .function = "solve", .file = "solve.c", .line = 41};
static const struct site barrier = {.module = "/usr/lib/libmpich.so.12", .function = "PMPI_Barrier"};

static struct job job;
static struct process process;

static void take(const struct site *first, const struct site *second, bool is_cut)
{
    struct stack_frame frames[] = {{.address = 1, .site = first}, {.address = 2, .site = second}};
    struct thread_stack thread = {
        .tid = 7, .state = 'R', .frames = frames, .frame_count = second != NULL ? 2 : 1, .is_cut = is_cut};
    const struct stacks stacks = {.pid = 7, .threads = &thread, .thread_count = 1};
    job = (struct job){.process_count = 0};
    process = (struct process){.pid = 7, .lacks_tables = true, .reason = copy_text("process 7 has no runtime")};
    process_take_seen_threads(&job, &process, &stacks);
}

static void end(void)
{
    free(process.reason);
    free(process.seen_threads);
}

TestSuite(seen_threads, .fini = end);

Test(seen_threads, one_that_ends_in_a_library_is_not_in_mpi)
{
    take(&stub, NULL, false);
    cr_assert_eq(process.seen_thread_count, 1);
    cr_expect_str_eq(process.seen_threads[0].function, "");
}

Test(seen_threads, a_cut_stack_without_a_function_of_the_program_is_not_known)
{
    take(&stub, NULL, true);
    cr_expect_eq(process.seen_thread_count, 0);
    cr_expect_str_eq(process.reason,
                     "process 7 has no runtime; its stacks cannot be read: their outer frames cannot be unwound");
}

Test(seen_threads, a_cut_stack_that_shows_the_call_is_known)
{
    take(&barrier, NULL, true);
    cr_assert_eq(process.seen_thread_count, 1);
    cr_expect_str_eq(process.seen_threads[0].function, "MPI_Barrier");
}

Test(seen_threads, a_cut_stack_that_shows_the_program_is_known)
{
    take(&solve, NULL, true);
    cr_assert_eq(process.seen_thread_count, 1);
    cr_expect_eq(process.seen_threads[0].site, &solve);
}
