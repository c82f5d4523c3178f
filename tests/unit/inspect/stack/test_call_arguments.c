/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments from compilers' call sites: those that compilers keep are found, others are not known. Code that was not
 * optimized has all of them in memory.
 */
#include "base/base.h"
#include "child.h"
#include "stack/stack_internal.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* `program`: "" where its compiler is not installed. `goes_on`: the call returns before its arguments are asked for. */
static void expect_arguments_of(const char *program, bool goes_on, const char *expected)
{
    if (program[0] == '\0')
        cr_skip_test("there is no such compiler");
    struct child child = child_start(program);
    struct target *target = NULL;
    struct reason reason = {.text = ""};
    struct site_cache sites = {0};
    struct stacks stacks;
    struct mpi_call call;
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0, "%s", reason.text);
    cr_assert_eq(stacks_read(target, &sites, &stacks, &reason), 0, "%s", reason.text);
    cr_assert(stack_find_mpi_call(&stacks.threads[0], target, &call));
    cr_expect_str_eq(call.function, "MPI_Recv");
    cr_expect_str_eq(call.caller->site->function, "exchange");
    if (goes_on)
        cr_assert_eq(child_answers(&child, 10000), 0);
    char *text = describe_arguments(target, &stacks.threads[0], &call);
    cr_expect_str_eq(text != NULL ? text : "?", expected, "%s: %s", program, text != NULL ? text : "?");
    free(text);
    arena_clear(&stacks.arena);
    site_cache_clear(&sites);
    target_close(target);
    child_end(&child);
}

static void expect_arguments(const char *program, const char *expected)
{
    expect_arguments_of(program, false, expected);
}

#if defined(__x86_64__)
static const char all_of_frame[] = "count 16, datatype MPI_DOUBLE, peer 5, tag 8, communicator MPI_COMM_WORLD";
static const char all[] = "count 16, datatype MPI_DOUBLE, peer 5, tag 8, communicator ?";
#else
static const char all_of_frame[] = "?";
/* Compilers do not describe a constant that they make in two instructions. */
static const char all[] = "count 16, datatype ?, peer 5, tag 8, communicator ?";
#endif

Test(call_arguments, of_code_that_gcc_has_optimized)
{
    expect_arguments(ARGUMENTS_OF_GCC_O2, all);
}

/* Its debug information says nothing of calls. */
Test(call_arguments, of_code_that_was_not_optimized)
{
    expect_arguments(ARGUMENTS_OF_GCC_O0, all_of_frame);
}

Test(call_arguments, of_clang)
{
    expect_arguments(ARGUMENTS_OF_CLANG_O2, all);
#if defined(__x86_64__)
    expect_arguments(ARGUMENTS_OF_CLANG_O0, all_of_frame);
#endif
}

#if defined(__x86_64__)

/* The count is in a register that a loop changes, and the tag is calculated in the second byte of another one. */
Test(call_arguments, that_registers_of_gcc_keep)
{
    expect_arguments(FRAME_ARGUMENTS_OF_GCC,
                     "count ?, datatype MPI_DOUBLE, peer 5, tag ?, communicator MPI_COMM_WORLD");
}

Test(call_arguments, that_clang_calculates_in_whole_registers)
{
    expect_arguments(FRAME_ARGUMENTS_OF_CLANG,
                     "count 32, datatype MPI_DOUBLE, peer 5, tag 2056, communicator MPI_COMM_WORLD");
}

#endif

/* Its frame is no more, but its memory still has the variables. */
Test(call_arguments, of_a_call_that_has_returned)
{
    expect_arguments_of(FRAME_ARGUMENTS_OF_GCC, true, "?");
}
