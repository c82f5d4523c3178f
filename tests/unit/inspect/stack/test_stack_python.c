/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of Python in the place of the interpreter's that run them.
 */
#include "base/base.h"
#include "stack/stack_internal.h"

#include <criterion/criterion.h>
#include <string.h>

enum { TID = 42 };

static const struct site receive = {.module = "/usr/lib/libmpi.so.40", .function = "MPI_Recv"};
static const struct site binding = {.module = "/usr/lib/mpi4py/MPI.cpython-311-x86_64-linux-gnu.so"};
static const struct site call = {.module = "/usr/bin/python3.11", .function = "PyObject_Vectorcall"};
static const struct site loop = {.module = "/usr/lib/libpython3.11.so.1.0", .function = "_PyEval_EvalFrameDefault"};
static const struct site solver = {.module = "/home/me/libsolver.so", .function = "cg"};
static const struct site finalize = {.module = "/usr/bin/python3.11", .function = "Py_FinalizeEx"};

static struct python_frame inner[] = {
    {.function = "step", .path = "/home/me/solver.py", .line = 7, .is_entry = false},
    {.function = "solve", .path = "/home/me/solver.py", .line = 9, .is_entry = true, .return_frame = 0x1358},
    {.function = "<module>", .path = "/home/me/main.py", .line = 3, .is_entry = true, .return_frame = 0x1510}};

/* Functions and lines of the stack, innermost first, of a thread that is in these frames. */
static const char *merged(size_t python_count, const struct site *const *sites)
{
    struct python_thread thread = {.tid = TID, .frames = inner, .frame_count = python_count};
    const struct python_stacks python = {.threads = &thread, .thread_count = 1};
    struct thread_stack stack = {.tid = TID};
    struct site_cache cache = {0};
    for (; sites[stack.frame_count] != NULL;) {
        stack.frames = arena_append(stack.frames, &stack.frame_count, sizeof *stack.frames);
        stack.frames[stack.frame_count - 1] =
            (struct stack_frame){.address = 8,
                                 .site = sites[stack.frame_count - 1],
                                 .registers.stack_pointer = 0x1000 + 0x100 * stack.frame_count};
    }
    stack_take_python(&stack, &python, &cache);
    FILE *stream = arena_open();
    for (size_t i = 0; i < stack.frame_count; i++) {
        const struct site *site = stack.frames[i].site;
        fprintf(stream, "%s%s", i > 0 ? " " : "", site->function != NULL ? site->function : "?");
        if (site->line > 0)
            fprintf(stream, ":%d", site->line);
    }
    site_cache_clear(&cache);
    return arena_close(stream);
}
#define EXPECT_MERGED(text, python_count, ...)                                                                         \
    cr_expect_str_eq(merged(python_count, (const struct site *const[]){__VA_ARGS__, NULL}), text)

Test(stack_python, each_loop_has_its_functions)
{
    EXPECT_MERGED("MPI_Recv step:7 solve:9 <module>:3", 3, &receive, &binding, &call, &loop, &call, &loop, &call);
}

Test(stack_python, library_between_two_loops)
{
    EXPECT_MERGED("MPI_Recv step:7 solve:9 cg <module>:3", 3, &receive, &loop, &call, &solver, &call, &loop);
}

/* Frame number N, from 0 on, begins at 0x1100 + 0x100 * N. */
Test(stack_python, loops_without_a_name)
{
    static const struct site part = {.module = "/usr/bin/python3.14"};
    EXPECT_MERGED("MPI_Recv step:7 solve:9 cg <module>:3", 3, &receive, &part, &call, &solver, &call, &part);
    EXPECT_MERGED("MPI_Recv ? cg PyObject_Vectorcall ? step:7 solve:9 <module>:3", 3, &receive, &binding, &solver,
                  &call, &part);
}

Test(stack_python, stacks_that_do_not_agree)
{
    EXPECT_MERGED("MPI_Recv step:7 solve:9 <module>:3", 3, &receive, &binding, &loop); /* outer ones are missing */
    EXPECT_MERGED("MPI_Recv step:7", 1, &receive, &loop, &loop, &loop);
    EXPECT_MERGED("MPI_Recv cg step:7", 1, &receive, &solver);
}

Test(stack_python, no_python)
{
    EXPECT_MERGED("MPI_Recv ? Py_FinalizeEx", 0, &receive, &binding, &finalize);
}
