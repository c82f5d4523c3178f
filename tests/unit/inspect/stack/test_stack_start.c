/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that start a program are no part of its stacks.
 */
#include "stack/stack_internal.h"

#include <criterion/criterion.h>

#define PROGRAM "/home/me/app"
#define LIBC    "/lib/libc.so.6"

static const struct site receive = {.module = "/usr/lib/libmpich.so.12", .function = "PMPI_Recv"};
static const struct site in_main = {.module = PROGRAM, .function = "main", .file = "app.c", .line = 20};
static const struct site stripped = {.module = PROGRAM, .offset = 0x12f7};
static const struct site stripped_start = {.module = PROGRAM, .offset = 0x10b0};
static const struct site called_main = {.module = LIBC, .function = "__libc_start_call_main"};
static const struct site started = {.module = LIBC, .function = "__libc_start_main@@GLIBC_2.34"};
static const struct site halo = {.module = PROGRAM, .function = "halo", .file = "halo.f90", .line = 40};
static const struct site main_program = {.module = PROGRAM, .function = "MAIN__"};
static const struct site fortran_main = {.module = PROGRAM, .function = "main", .file = "halo.f90", .line = 26};
static const struct site nameless_main = {.module = PROGRAM, .function = "main"};
static const struct site c_main = {.module = PROGRAM, .function = "main", .file = "driver.c", .line = 3};

enum { MOST_FRAMES = 8 };

/* How many frames are left; `is_cut`: whether the outer ones are missing, before and after. */
static size_t left_of(bool *is_cut, const struct site *const *sites)
{
    struct stack_frame frames[MOST_FRAMES] = {{0}};
    struct thread_stack stack = {.frames = frames, .is_cut = *is_cut};
    for (; sites[stack.frame_count] != NULL; stack.frame_count++)
        frames[stack.frame_count] = (struct stack_frame){.site = sites[stack.frame_count], .is_inlined = true};
    stack_leave_out_start(&stack);
    *is_cut = stack.is_cut;
    return stack.frame_count;
}
#define EXPECT_LEFT(count, was_cut, is_cut_then, ...)                                                                  \
    do {                                                                                                               \
        bool is_cut = (was_cut);                                                                                       \
        cr_expect_eq(left_of(&is_cut, (const struct site *const[]){__VA_ARGS__, NULL}), count);                        \
        cr_expect_eq(is_cut, is_cut_then);                                                                             \
    } while (0)

Test(stack_start, below_main)
{
    EXPECT_LEFT(2, false, false, &receive, &in_main, &called_main, &started, &stripped_start);
    EXPECT_LEFT(2, false, false, &receive, &stripped, &started, &stripped_start);
    EXPECT_LEFT(2, true, false, &receive, &in_main, &started);
    EXPECT_LEFT(2, true, true, &receive, &in_main);
    EXPECT_LEFT(1, false, false, &started);
}

Test(stack_start, main_that_compilers_of_fortran_make)
{
    EXPECT_LEFT(2, false, false, &receive, &halo, &fortran_main, &called_main, &started);
    EXPECT_LEFT(2, false, false, &receive, &main_program, &nameless_main, &started);
    EXPECT_LEFT(3, false, false, &receive, &halo, &c_main, &started);
    EXPECT_LEFT(2, false, false, &receive, &in_main, &started);
}

Test(stack_start, what_was_inlined_into_it_is_outermost)
{
    struct stack_frame frames[] = {{.site = &halo, .is_inlined = true}, {.site = &fortran_main}};
    struct thread_stack stack = {.frames = frames, .frame_count = 2};
    stack_leave_out_start(&stack);
    cr_expect_eq(stack.frame_count, 1);
    cr_expect_not(frames[0].is_inlined);
}
