/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place of a call that a library has made.
 */
#include "model/model.h"

#include "words/words.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const struct site inner = {.module = "/opt/libsolver.so.2", .function = "inner", .offset = 0x1111};
static const struct site outer = {.module = "/opt/libsolver.so.2", .function = "solve", .offset = 0x2222};
static const struct site program = {.module = "/home/app", .function = "main", .file = "app.c", .line = 12};
static const struct site stripped = {.module = "/home/app", .function = "main", .offset = 0x3333};

static void expect_place(const struct site *called_by, const struct site *user, const char *expected)
{
    struct stack_line lines[] = {{.kind = STACK_LINE_MPI, .function = "MPI_Barrier"},
                                 {.kind = STACK_LINE_PROGRAM, .site = &inner},
                                 {.kind = STACK_LINE_PROGRAM, .site = &outer},
                                 {.kind = STACK_LINE_PROGRAM, .site = user}};
    struct call_stack stack = {.tid = 7, .lines = lines, .line_count = sizeof lines / sizeof *lines};
    const struct process process = {.call_stacks = &stack, .call_stack_count = 1};
    const struct thread thread = {.tid = 7, .function = "MPI_Barrier", .site = called_by};
    struct site_cache cache = {.root = NULL};
    const struct site *site = find_library_site(&cache, &process, &thread);
    const char *place = site != NULL ? describe_site(site) : NULL;
    if (expected == NULL)
        cr_expect_null(place);
    else
        cr_expect_str_eq(place, expected);
    site_cache_clear(&cache);
}

Test(library_site, is_the_outermost_function_and_the_line_that_called_it)
{
    expect_place(&inner, &program, "solve, called at app.c:12");
    expect_place(&inner, &stripped, "solve, called by main (app)");
}

Test(library_site, is_none_where_the_program_calls_mpi_or_is_not_on_the_stack)
{
    expect_place(&program, &program, NULL);
    expect_place(NULL, &program, NULL);
    expect_place(&inner, NULL, NULL);
    expect_place(&inner, &outer, NULL);
}
