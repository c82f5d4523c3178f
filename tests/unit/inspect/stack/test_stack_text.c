/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stacks made by hand: places, lines of text, and waits.
 */
#include "stack/stack_internal.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define PROGRAM "/home/me/app"
#define LIBRARY "/home/me/libsolver.so.2"
#define LIBC    "/lib/libc.so.6"

static const struct site solve = {.module = PROGRAM, .function = "solve", .file = "solve.c", .line = 41};
static const struct site step = {.module = PROGRAM, .function = "step", .file = "main.c", .line = 88};
static const struct site in_main = {.module = PROGRAM, .function = "main", .file = "main.c", .line = 120};
static const struct site std_sort = {
    .module = PROGRAM, .function = "std::sort<double*>", .file = "stl_algo.h", .line = 4859};
static const struct site start = {.module = PROGRAM, .function = "_start"};
static const struct site library = {.module = LIBRARY, .function = "factor"};
static const struct site library_with_line = {.module = LIBRARY, .function = "factor", .file = "factor.c", .line = 7};
static const struct site nameless = {.module = LIBRARY};
static const struct site jump = {.module = PROGRAM};
static const struct site libc_start = {.module = LIBC, .function = "__libc_start_call_main"};
static const struct site futex = {.module = LIBC, .function = "__futex_abstimed_wait_common64"};
static const struct site cond_wait = {.module = LIBC, .function = "___pthread_cond_wait"};
static const struct site clockjoin = {.module = LIBC, .function = "__pthread_clockjoin_ex"};
static const struct site mpi = {.module = "/usr/lib/libmpich.so.12", .function = "PMPI_Recv"};

enum { MOST_THREADS = 4, MOST_FRAMES = 600 };

static struct stack_frame frames[MOST_FRAMES];
static size_t frame_count;

/* A thread with these sites, innermost first, NULL behind the last. */
static struct thread_stack thread_at(char state, const struct site *const *at)
{
    struct thread_stack thread = {.state = state, .frames = frames + frame_count};
    for (; *at != NULL; at++) {
        cr_assert_lt(frame_count, MOST_FRAMES);
        frames[frame_count++].site = *at;
        thread.frame_count++;
    }
    return thread;
}
#define THREAD(state, ...) thread_at(state, (const struct site *const[]){__VA_ARGS__, NULL})

static void expect_text(const struct thread_stack *thread, const char *place, const char *stack)
{
    char *text = describe_place(thread);
    cr_expect_str_eq(text, place);
    free(text);
    text = describe_stack(thread);
    cr_expect_str_eq(text, stack);
    free(text);
}

/* Templates of C++ are compiled into the program, and are none of its functions. */
Test(stack_text, function_of_the_language)
{
    struct thread_stack thread = THREAD('R', &std_sort, &step, &in_main, &libc_start, &start);
    expect_text(&thread, "step (main.c:88)", "std::sort<double*> < step (main.c:88) < main (main.c:120)");
}

Test(stack_text, innermost_frame_of_the_application)
{
    struct thread_stack thread = THREAD('R', &solve, &step, &in_main, &libc_start, &start);
    expect_text(&thread, "solve (solve.c:41)", "solve (solve.c:41) < step (main.c:88) < main (main.c:120)");
    thread = THREAD('S', &futex, &cond_wait, &solve, &libc_start);
    expect_text(&thread, "solve (solve.c:41)", "pthread_cond_wait < solve (solve.c:41)");
    thread = THREAD('S', &mpi, &in_main);
    expect_text(&thread, "main (main.c:120)", "PMPI_Recv < main (main.c:120)");
    thread = THREAD('R', &library, &in_main);
    expect_text(&thread, "main (main.c:120)", "factor (libsolver.so.2) < main (main.c:120)");
    thread = THREAD('R', &library_with_line, &in_main);
    expect_text(&thread, "factor (factor.c:7)", "factor (factor.c:7) < main (main.c:120)");
    thread = THREAD('R', &nameless, &libc_start);
    expect_text(&thread, "libsolver.so.2", "libsolver.so.2");
    thread = THREAD('R', &jump, &solve, &in_main);
    expect_text(&thread, "solve (solve.c:41)", "app < solve (solve.c:41) < main (main.c:120)");
    thread = THREAD('R', &jump, &libc_start);
    expect_text(&thread, "app", "app");
}

Test(stack_text, function_of_the_system_that_was_called)
{
    struct thread_stack thread = THREAD('S', &futex, &cond_wait, &jump, &solve, &libc_start);
    char *called = stack_find_called(&thread);
    cr_expect_str_eq(called, "pthread_cond_wait");
    cr_expect_eq(stack_find_innermost(&thread), &thread.frames[2]);
    free(called);
    thread = THREAD('R', &solve, &in_main);
    cr_expect_null(stack_find_called(&thread));
    cr_expect_eq(stack_find_innermost(&thread), &thread.frames[0]);
}

Test(stack_text, no_frame_of_the_application)
{
    struct thread_stack thread = THREAD('S', &futex, &libc_start, &start);
    cr_expect_null(stack_find_innermost(&thread));
    cr_expect_null(stack_find_called(&thread));
    cr_expect_null(describe_place(&thread));
    cr_expect_null(describe_stack(&thread));
    thread = (struct thread_stack){.state = 'S'};
    cr_expect_null(stack_find_place(&thread));
    frames[frame_count] = (struct stack_frame){.address = 16};
    thread = (struct thread_stack){.frames = &frames[frame_count], .frame_count = 1};
    cr_expect_null(stack_find_place(&thread), "in no module");
}

Test(stack_text, long_stacks_are_shortened)
{
    struct thread_stack thread = THREAD('R', &solve, &step, &step, &step, &in_main);
    expect_text(&thread, "solve (solve.c:41)", "solve (solve.c:41) < step (main.c:88) (repeated) < main (main.c:120)");
    thread.is_cut = true;
    expect_text(&thread, "solve (solve.c:41)",
                "solve (solve.c:41) < step (main.c:88) (repeated) < main (main.c:120) < ...");
    thread = THREAD('R', &solve, &step, &solve, &step, &solve, &step, &solve, &step, &solve, &step, &in_main);
    expect_text(&thread, "solve (solve.c:41)",
                "solve (solve.c:41) < step (main.c:88) < solve (solve.c:41) < step (main.c:88) < solve (solve.c:41) "
                "< step (main.c:88) < solve (solve.c:41) < step (main.c:88) < ... < main (main.c:120)");
}

Test(stack_waiting, by_name_up_to_the_application)
{
    struct thread_stack thread = THREAD('S', &futex, &cond_wait, &solve);
    cr_expect(stack_is_waiting_for_threads(&thread));
    thread.state = 0;
    cr_expect(stack_is_waiting_for_threads(&thread), "of a core");
    thread.state = 'T';
    cr_expect_not(stack_is_waiting_for_threads(&thread), "a stopped thread waits for a signal");
    thread = THREAD('S', &futex, &solve, &cond_wait);
    cr_expect_not(stack_is_waiting_for_threads(&thread), "in a signal handler");
    thread = THREAD('S', &futex, &clockjoin, &solve);
    cr_expect_not(stack_is_waiting_for_threads(&thread), "perhaps with a time limit");
}

Test(stack_waiting, for_the_interpreter)
{
    static const struct site timedwait = {.module = "/lib/libc.so.6", .function = "pthread_cond_timedwait"};
    static const struct site eval = {.module = "/usr/bin/python3.11", .function = "PyEval_RestoreThread"};
    static const struct site line = {.module = "/home/me/solver.py", .function = "step", .line = 4};
    struct thread_stack thread = THREAD('S', &futex, &timedwait, &eval, &in_main);
    cr_expect(stack_is_waiting_for_threads(&thread));
    thread = THREAD('S', &futex, &timedwait, &solve);
    cr_expect_not(stack_is_waiting_for_threads(&thread), "a library's own wait");
    thread = THREAD('S', &futex, &timedwait, &line);
    cr_expect_not(stack_is_waiting_for_threads(&thread));
    thread.frames[2].is_python = true;
    thread.state = 'R';
    cr_expect(stack_is_waiting_for_threads(&thread), "it looks every few milliseconds");
}

Test(stack_waiting, by_system_call)
{
    enum { FUTEX = SYS_futex, POLL = SYS_ppoll, WAIT_BITSET = 9, PRIVATE = 128, REALTIME = 256, WAKE = 1 };
    struct thread_stack thread = THREAD('S', &futex, &solve);
    thread.system_call = (struct system_call){true, FUTEX, {0, WAIT_BITSET | PRIVATE | REALTIME}, false};
    cr_expect(stack_is_waiting_for_threads(&thread));
    thread.system_call.arguments[3] = 16;
    cr_expect_not(stack_is_waiting_for_threads(&thread), "a time limit");
    thread.system_call = (struct system_call){true, FUTEX, {0, WAIT_BITSET}, false};
    cr_expect_not(stack_is_waiting_for_threads(&thread), "another process may wake it");
    thread.system_call.is_unshared = true;
    cr_expect(stack_is_waiting_for_threads(&thread), "no other process has that memory");
    thread.system_call = (struct system_call){true, FUTEX, {0, WAKE | PRIVATE}, false};
    cr_expect_not(stack_is_waiting_for_threads(&thread));
    thread = THREAD('S', &futex, &clockjoin, &solve);
    thread.system_call = (struct system_call){true, FUTEX, {0, WAIT_BITSET | REALTIME}, false};
    cr_expect(stack_is_waiting_for_threads(&thread), "the kernel wakes it at the thread's end");
    thread = THREAD('S', &futex, &cond_wait, &solve);
    thread.system_call = (struct system_call){true, POLL, {0}, false};
    cr_expect_not(stack_is_waiting_for_threads(&thread), "it polls");
}
