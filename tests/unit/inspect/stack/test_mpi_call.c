/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI call that a stack shows: its outermost function, whatever MPI does inside, and who has called it.
 */
#include "mpilens/layout.h"
#include "stack/stack_internal.h"

#include <criterion/criterion.h>

#define PROGRAM "/home/me/app"
#define MPI     "/usr/lib/libmpich.so.12"
#define BINDING "/usr/lib/libmpichfort.so.12"

static const struct site in_main = {.module = PROGRAM, .function = "main", .file = "main.c", .line = 20};
static const struct site solve = {.module = PROGRAM, .function = "solve", .file = "solve.c", .line = 41};
static const struct site script = {
    .module = "/home/me/solver.py", .function = "exchange", .file = "solver.py", .line = 7};
static const struct site poll = {.module = "/lib/libc.so.6", .function = "__poll"};
static const struct site progress = {.module = MPI, .function = "MPID_Progress_wait"};
static const struct site stripped = {.module = MPI};
static const struct site write_all = {.module = MPI, .function = "PMPI_File_write_all"};
static const struct site barrier = {.module = MPI, .function = "PMPI_Barrier"};
static const struct site unknown_to_table = {.module = MPI, .function = "PMPI_Surely_new"};
static const struct site large = {.module = MPI, .function = "MPI_Send_c"};
static const struct site fortran = {.module = BINDING, .function = "mpi_barrier_"};
static const struct site fortran_2008 = {.module = BINDING, .function = "mpi_barrier_f08_"};
static const struct site fortran_static = {.module = PROGRAM, .function = "pmpi_recv__"};
static const struct site wrapper_of_user = {.module = PROGRAM, .function = "mpi_send", .file = "comm.c", .line = 3};
static const struct site tool = {.module = PROGRAM, .function = "MPI_Send", .file = "tool.c", .line = 9};
static const struct site name_of_user = {.module = PROGRAM, .function = "MPI_Send_all_of_it"};
static const struct site finalizer = {.module = "/usr/lib/libmpi.so.40", .function = "ompi_mpi_finalize"};
static const struct site namesake = {.module = PROGRAM, .function = "ompi_mpi_finalize"};
static const struct site interpreter = {.module = "/usr/bin/python3.11", .function = "Py_RunMain"};
static const struct site nowhere;

enum { MOST_FRAMES = 16 };

/* The call in a stack with frames at these sites, innermost first. */
static bool find(const struct site *const *sites, struct mpi_call *ret_call)
{
    static struct stack_frame frames[MOST_FRAMES];
    struct thread_stack stack = {.frames = frames};
    for (; sites[stack.frame_count] != NULL; stack.frame_count++)
        frames[stack.frame_count] = (struct stack_frame){
            .site = sites[stack.frame_count] != &nowhere ? sites[stack.frame_count] : NULL, .address = 1};
    return stack_find_mpi_call(&stack, NULL, ret_call);
}
#define FIND(call, ...) find((const struct site *const[]){__VA_ARGS__, NULL}, (call))

Test(mpi_call, what_mpi_calls_itself_does_not_matter)
{
    struct mpi_call call;
    cr_assert(FIND(&call, &poll, &progress, &barrier, &stripped, &write_all, &solve, &in_main));
    cr_expect_str_eq(call.function, "MPI_File_write_all");
    cr_expect_eq(call.facts->call_class, MPILENS_CALL_FILE_DATA);
    cr_expect_eq(call.caller->site, &solve);
}

Test(mpi_call, bindings_of_fortran_are_mpi)
{
    struct mpi_call call;
    cr_assert(FIND(&call, &progress, &barrier, &fortran, &solve));
    cr_expect_str_eq(call.function, "MPI_Barrier");
    cr_expect_eq(call.caller->site, &solve);
    cr_assert(FIND(&call, &progress, &fortran_2008, &stripped, &solve));
    cr_expect_str_eq(call.function, "MPI_Barrier");
    cr_expect_eq(call.caller->site, &solve);
    cr_assert(FIND(&call, &fortran_static, &solve));
    cr_expect_str_eq(call.function, "MPI_Recv");
}

/* Which MPI_Finalize has jumped to, as its caller in a binding has jumped to MPI_Finalize. */
Test(mpi_call, jumps_leave_no_frame)
{
    struct mpi_call call;
    cr_assert(FIND(&call, &poll, &finalizer, &interpreter));
    cr_expect_str_eq(call.function, "MPI_Finalize");
    cr_expect_eq(call.facts->purpose, MPILENS_PURPOSE_FINALIZE);
    cr_expect_eq(call.caller->site, &interpreter);
    cr_expect_not(FIND(&call, &poll, &namesake, &interpreter));
}

Test(mpi_call, functions_of_users_are_none)
{
    struct mpi_call call;
    cr_expect_not(FIND(&call, &poll, &solve, &in_main));
    cr_expect_not(FIND(&call, &name_of_user, &in_main));
    cr_expect_not(FIND(&call, &progress));
    cr_assert(FIND(&call, &barrier, &wrapper_of_user, &in_main));
    cr_expect_str_eq(call.function, "MPI_Barrier");
    cr_expect_eq(call.caller->site, &wrapper_of_user);
}

Test(mpi_call, who_intercepts_mpi_is_called)
{
    struct mpi_call call;
    cr_assert(FIND(&call, &barrier, &tool, &solve));
    cr_expect_str_eq(call.function, "MPI_Send");
    cr_expect_eq(call.caller->site, &solve);
}

Test(mpi_call, functions_that_no_table_has)
{
    struct mpi_call call;
    cr_assert(FIND(&call, &unknown_to_table, &in_main));
    cr_expect_str_eq(call.function, "MPI_Surely_new");
    cr_expect_null(call.facts);
    cr_assert(FIND(&call, &large, &in_main));
    cr_expect_str_eq(call.function, "MPI_Send_c");
    cr_expect_eq(call.facts->call_class, MPILENS_CALL_POINT_TO_POINT);
}

Test(mpi_call, callers)
{
    struct mpi_call call;
    cr_assert(FIND(&call, &barrier, &script, &in_main));
    cr_expect_eq(call.caller->site, &script);
    cr_assert(FIND(&call, &barrier));
    cr_expect_null(call.caller);
    cr_assert(FIND(&call, &barrier, &nowhere));
    cr_expect_null(call.caller->site);
}

Test(mpi_call, names_of_fortran_are_of_one_case)
{
    cr_expect_str_eq(mpi_function_of_symbol("MPI_WAITALL")->name, "MPI_Waitall");
    cr_expect_str_eq(mpi_function_of_symbol("mpi_waitall_f08ts_")->name, "MPI_Waitall");
    cr_expect_null(mpi_function_of_symbol("mpi_wait_for_all_"));
    cr_expect_null(mpi_function_of_symbol("MPI_"));
    cr_expect_null(mpi_function_of_symbol("P"));
    cr_expect_null(mpi_function_of_symbol(""));
}
