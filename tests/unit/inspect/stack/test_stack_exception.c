/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exceptions of C++ in memory, whole and damaged, and stacks that end programs.
 */
#include "stack/stack_internal.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Exception types of this process, in the layout of the ABI. */
static struct {
    uint64_t vtable, name, base;
} types[3];
static struct {
    _Alignas(16) int64_t references;
    uint64_t padding;
    uint64_t type, functions[3], next;
    int32_t handlers, handler;
    uint64_t tables[4];
    char class[8];
    uint64_t unwinder[3];
    uint64_t object[2]; /* of std::runtime_error */
} thrown;

static struct target *target;

static uint64_t address_of(const void *object)
{
    return (uint64_t)(uintptr_t)object;
}

static void begin(void)
{
    struct reason reason;
    types[0].name = address_of("N6solver7no_stepE");
    types[0].base = address_of(&types[1]);
    types[1].name = address_of("St13runtime_error");
    types[1].base = address_of(&types[2]);
    types[2].name = address_of("St9exception");
    thrown.references = 1;
    thrown.type = address_of(&types[0]);
    memcpy(thrown.class, "\0++CCUNG", sizeof thrown.class);
    thrown.object[1] = address_of("step 3");
    cr_assert_eq(target_open_process(getpid(), &target, &reason), 0, "%s", reason.text);
}

static void end(void)
{
    target_close(target);
}

TestSuite(stack_exception, .init = begin, .fini = end);

static void expect_thrown(const char *text)
{
    const uint64_t addresses[] = {0, 17, address_of(&types), address_of(&thrown.class)};
    char *said = describe_thrown(target, addresses, sizeof addresses / sizeof *addresses);
    cr_expect_str_eq(said != NULL ? said : "none", text, "%s", said != NULL ? said : "none");
    free(said);
}

Test(stack_exception, type_and_text)
{
    expect_thrown("solver::no_step: step 3");
    thrown.type = address_of(&types[2]); /* which has no text */
    expect_thrown("std::exception");
    thrown.object[1] = 3;
    thrown.type = address_of(&types[1]);
    expect_thrown("std::runtime_error");
}

Test(stack_exception, memory_that_is_none)
{
    thrown.references = 0; /* it was given back */
    expect_thrown("none");
    thrown.references = 1;
    thrown.handlers = -1;
    expect_thrown("none");
    thrown.handlers = 0;
    thrown.class[3] = 'X';
    expect_thrown("none");
}

Test(stack_exception, damaged_types)
{
    types[1].base = address_of(&types[1]); /* derived from itself */
    types[1].name = address_of("St3foo");
    expect_thrown("solver::no_step");
    types[0].name = 5;
    expect_thrown("none");
    thrown.type = 7;
    expect_thrown("none");
}

static const struct site receive = {.module = "/usr/lib/libmpi.so.40", .function = "MPI_Recv"};
static const struct site handler = {.module = "/home/me/app", .function = "clean_up", .file = "app.cc", .line = 4};
static const struct site quit = {.module = "/lib/libc.so.6", .function = "exit@@GLIBC_2.2.5"};
static const struct site throws = {.module = "/usr/lib/libstdc++.so.6", .function = "__cxa_throw"};
static const struct site check = {.module = "/home/me/app", .function = "check", .file = "app.cc", .line = 9};
static const struct site own_exit = {.module = "/home/me/app", .function = "exit", .file = "app.cc", .line = 1};

static void expect_end(const char *text, bool is_cut, const struct site *const *sites)
{
    struct stack_frame frames[8] = {{0}};
    struct thread_stack stack = {.frames = frames, .is_cut = is_cut};
    bool is_terminated;
    for (; sites[stack.frame_count] != NULL; stack.frame_count++)
        frames[stack.frame_count].site = sites[stack.frame_count];
    char *said = describe_stack_end(&stack, &is_terminated);
    cr_expect_str_eq(said != NULL ? said : "none", text);
    cr_expect_eq(is_terminated, strcmp(text, "in std::terminate") == 0);
    free(said);
}
#define EXPECT_END(text, is_cut, ...) expect_end(text, is_cut, (const struct site *const[]){__VA_ARGS__, NULL})

Test(stack_exception, ends_by_the_stack)
{
    EXPECT_END("in exit(), which check (app.cc:9) has called", false, &receive, &handler, &quit, &check);
    EXPECT_END("after main has returned", false, &receive, &handler, &quit);
    EXPECT_END("in exit()", true, &receive, &handler, &quit);
    EXPECT_END("in std::terminate", false, &receive, &handler, &throws, &check);
    EXPECT_END("none", false, &receive, &handler, &check);
    EXPECT_END("none", false, &receive, &own_exit, &check);
}
