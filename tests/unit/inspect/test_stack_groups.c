/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stacks made by hand: places, lines of text, waits and groups.
 */
#include "stack_groups.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define PROGRAM "/home/me/app"
#define LIBRARY "/home/me/libsolver.so.2"
#define LIBC    "/lib/libc.so.6"

static const struct site solve = {.module = PROGRAM, .function = "solve", .file = "solve.c", .line = 41};
static const struct site solve_later = {.module = PROGRAM, .function = "solve", .file = "solve.c", .line = 42};
static const struct site step = {.module = PROGRAM, .function = "step", .file = "main.c", .line = 88};
static const struct site in_main = {.module = PROGRAM, .function = "main", .file = "main.c", .line = 120};
static const struct site start = {.module = PROGRAM, .function = "_start"};
static const struct site library = {.module = LIBRARY, .function = "factor"};
static const struct site library_with_line = {.module = LIBRARY, .function = "factor", .file = "factor.c", .line = 7};
static const struct site nameless = {.module = LIBRARY};
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
    expect_text(&thread, "? (libsolver.so.2)", "? (libsolver.so.2)");
}

Test(stack_text, no_frame_of_the_application)
{
    struct thread_stack thread = THREAD('S', &futex, &libc_start, &start);
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

Test(stack_waiting, by_system_call)
{
    enum { FUTEX = 202, WAIT_BITSET = 9, PRIVATE = 128, REALTIME = 256, WAKE = 1 };
#if !defined(__x86_64__)
    cr_skip_test("the numbers are those of x86-64");
#endif
    struct thread_stack thread = THREAD('S', &futex, &solve);
    thread.system_call = (struct system_call){true, FUTEX, {0, WAIT_BITSET | PRIVATE | REALTIME}};
    cr_expect(stack_is_waiting_for_threads(&thread));
    thread.system_call.arguments[3] = 16;
    cr_expect_not(stack_is_waiting_for_threads(&thread), "a time limit");
    thread.system_call = (struct system_call){true, FUTEX, {0, WAIT_BITSET}};
    cr_expect_not(stack_is_waiting_for_threads(&thread), "another process may wake it");
    thread.system_call = (struct system_call){true, FUTEX, {0, WAKE | PRIVATE}};
    cr_expect_not(stack_is_waiting_for_threads(&thread));
    thread = THREAD('S', &futex, &clockjoin, &solve);
    thread.system_call = (struct system_call){true, FUTEX, {0, WAIT_BITSET | REALTIME}};
    cr_expect(stack_is_waiting_for_threads(&thread), "the kernel wakes it at the thread's end");
    thread = THREAD('S', &futex, &cond_wait, &solve);
    thread.system_call = (struct system_call){true, 7, {0}};
    cr_expect_not(stack_is_waiting_for_threads(&thread), "it polls");
}

static void expect_lines(const struct ranked_stacks *processes, size_t count, const char *lines)
{
    struct stack_groups groups = stack_groups_make(processes, count);
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_expect_eq(render_stack_groups(stream, &groups, 2), 0);
    fclose(stream);
    cr_expect_str_eq(text, lines);
    free(text);
    stack_groups_clear(&groups);
    cr_expect_eq(groups.count, 0);
}

Test(stack_groups, equal_stacks_of_ranks_and_threads)
{
    struct thread_stack alone[] = {THREAD('S', &solve, &in_main, &libc_start)};
    struct thread_stack again[] = {THREAD('S', &solve, &in_main)};
    struct thread_stack later[] = {THREAD('R', &solve_later, &in_main)};
    struct thread_stack many[] = {THREAD('R', &step, &in_main), THREAD('S', &cond_wait, &solve),
                                  THREAD('S', &cond_wait, &solve), THREAD('S', &futex, &libc_start)};
    const struct stacks stacks[] = {{.threads = alone, .thread_count = 1},
                                    {.threads = again, .thread_count = 1},
                                    {.threads = later, .thread_count = 1},
                                    {.threads = many, .thread_count = 4}};
    const struct ranked_stacks processes[] = {{5, ACTIVITY_COMPUTING, &stacks[1]}, {7, ACTIVITY_SLEEPING, &stacks[1]},
                                              {4, ACTIVITY_COMPUTING, &stacks[0]}, {0, ACTIVITY_COMPUTING, &stacks[3]},
                                              {1, ACTIVITY_COMPUTING, &stacks[3]}, {6, ACTIVITY_COMPUTING, &stacks[2]}};
    expect_lines(processes, 6,
                 "  ranks [0,1]  sleeping   pthread_cond_wait < solve (solve.c:41)  (4 threads)\n"
                 "  ranks [0,1]  computing  step (main.c:88) < main (main.c:120)\n"
                 "  ranks [4,5]  computing  solve (solve.c:41) < main (main.c:120)\n"
                 "  rank 6       computing  solve (solve.c:42) < main (main.c:120)\n"
                 "  rank 7       sleeping   solve (solve.c:41) < main (main.c:120)\n");
    expect_lines(processes, 0, "");
}

Test(stack_groups, without_stacks)
{
    struct thread_stack seen[] = {{.state = 'S', .kernel_function = "do_poll"}, {.state = 'S'}};
    struct thread_stack unseen[] = {{.state = 0}};
    struct thread_stack helper[] = {THREAD('S', &futex, &libc_start)};
    char not_allowed[] = "process 4711 cannot be stopped", other[] = "process 4712 cannot be stopped";
    const struct stacks stacks[] = {{.threads = seen, .thread_count = 2, .reason = not_allowed},
                                    {.threads = seen, .thread_count = 2, .reason = other},
                                    {.threads = unseen, .thread_count = 1},
                                    {.threads = helper, .thread_count = 1}};
    const struct ranked_stacks processes[] = {{0, ACTIVITY_SLEEPING, &stacks[0]},
                                              {1, ACTIVITY_SLEEPING, &stacks[1]},
                                              {2, ACTIVITY_STOPPED, &stacks[0]},
                                              {3, ACTIVITY_UNKNOWN, &stacks[2]},
                                              {4, ACTIVITY_SLEEPING, &stacks[3]}};
    expect_lines(processes, 5,
                 "  ranks [0,1]  sleeping  no stack, in do_poll of the kernel: process 4711 cannot be stopped\n"
                 "  rank 2       stopped   no stack: process 4711 cannot be stopped\n"
                 "  rank 2       stopped   no stack, in do_poll of the kernel: process 4711 cannot be stopped\n"
                 "  rank 3                 no stack\n"
                 "  rank 4       sleeping  no frame of the program\n");
    expect_lines(&processes[3], 1, "  rank 3  no stack\n");
}
