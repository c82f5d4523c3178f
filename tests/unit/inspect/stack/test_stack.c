/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stacks of a living child and of its core file.
 */
#include "debug/debug.h"
#include "stack/stack_internal.h"
#include "stack_child.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

TestSuite(stack, .init = stack_child_start, .fini = stack_child_end);

static void expect_stacks(const struct stacks *stacks)
{
    cr_expect_eq(stacks->thread_count, THREADS);
    cr_expect_eq(stacks->pid, child.pid);
    cr_expect_eq(stacks->threads[0].tid, child.pid, "the main thread first");
    cr_expect_eq(find_thread(stacks, "receive"), &stacks->threads[0]);
    for (size_t i = 0; i < THREADS; i++) {
        const struct expected_thread *expected = &expected_threads[i];
        const struct thread_stack *thread = find_thread(stacks, expected->function);
        cr_assert_not_null(thread, "%s", expected->function);
        char *place = describe_place(thread), wanted[128];
        snprintf(wanted, sizeof wanted, "%s (stack_program.c:%d)", expected->function, line_of(expected->function));
        cr_expect_str_eq(place, wanted);
        free(place);
        if (thread->state != 0 || expected->by_name != EITHER) /* a core file does not tell which memory is shared */
            cr_expect_eq(stack_is_waiting_for_threads(thread), expected->waits_for_threads, "%s", expected->function);
        struct thread_stack named = *thread;
        named.system_call = (struct system_call){0};
        cr_expect(expected->by_name == EITHER || stack_is_waiting_for_threads(&named) == (expected->by_name == YES),
                  "%s by name", expected->function);
    }
    char *text = describe_stack(&stacks->threads[0]), wanted[128];
    snprintf(wanted, sizeof wanted, "read < receive (stack_program.c:%d) < main (stack_program.c:%d)",
             line_of("receive"), line_of("main"));
    cr_expect_str_eq(text, wanted);
    free(text);
    const struct thread_stack *deep = find_thread(stacks, "descend");
    cr_expect(deep->is_cut && deep->frame_count == MOST_STACK_FRAMES);
    cr_expect_not(stacks->threads[0].is_cut);
}

Test(stack, living_process)
{
    struct stacks stacks;
    read_settled(&stacks);
    expect_stacks(&stacks);
    const struct thread_stack *computing = find_thread(&stacks, "compute");
    struct thread_stack running = *find_thread(&stacks, "wait_for_mutex");
    cr_expect_not(computing->system_call.is_known && computing->system_call.number >= 0);
    running.state = 'R';
    cr_expect_not(stack_is_waiting_for_threads(&running), "it was running just before");
    arena_clear(&stacks.arena);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
}

Test(stack, inlined_functions_have_frames)
{
    struct stacks stacks;
    read_settled(&stacks);
    const struct stack_frame *place = stack_find_place(&stacks.threads[0]);
    cr_expect(place[0].is_inlined);
    cr_expect_not(place[1].is_inlined);
    cr_expect_str_eq(place[1].site->function, "main");
    cr_expect_eq(place[0].address, place[1].address);
    arena_clear(&stacks.arena);
}

Test(stack, core_file)
{
    struct stacks stacks;
    struct reason reason = {.text = ""};
    struct target *core;
    read_settled(NULL);
    char *path = child_write_core(&child);
    if (path == NULL)
        cr_skip_test("gcore (package gdb) does not work here");
    const int opened = target_open_core(path, &core, &reason);
    core_remove(path);
    cr_assert_eq(opened, 0, "%s", reason.text);
    cr_assert_eq(stacks_read(core, &sites, &stacks, &reason), 0, "%s", reason.text);
    cr_expect_eq(stacks.threads[0].state, 0);
#if defined(__x86_64__) || defined(__aarch64__)
    expect_stacks(&stacks);
#else
    cr_expect_eq(stacks.thread_count, THREADS);
    cr_expect_not_null(find_thread(&stacks, "wait_for_mutex"));
#endif
    arena_clear(&stacks.arena);
    target_close(core);
}

Test(stack_system, names)
{
    static const char *const names[][2] = {
        {"___pthread_mutex_lock", "pthread_mutex_lock"},
        {"__GI___pthread_mutex_lock", "pthread_mutex_lock"},
        {"pthread_cond_wait@@GLIBC_2.3.2", "pthread_cond_wait"},
        {"__new_sem_wait_slow64.constprop.0", "sem_wait_slow64"},
        {"__libc_read", "read"},
        {"_exit", "_exit"},
        {"__", "__"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = system_function_name(names[i][0]);
        cr_expect_str_eq(name, names[i][1]);
        free(name);
    }
    cr_expect(is_system_module("/lib/x86_64-linux-gnu/libc.so.6"));
    cr_expect(is_system_module("/usr/lib/libmpich.so.12.1.8"));
    cr_expect(is_system_module("/opt/lib/libmpilens-openmpi.so"));
    cr_expect(is_system_module("/usr/lib/openmpi/mca_btl_vader.so"));
    cr_expect(is_system_module("/usr/lib/libopen_mpi.so.40.50.0"));
    cr_expect(is_system_module("[vdso: 4711]"));
    cr_expect_not(is_system_module("/home/me/libsolver.so"));
    cr_expect_not(is_system_module("/home/me/libcsolver.so"));
    cr_expect_not(is_system_module("/home/me/ld-tests/libmpi_benchmark"));
    cr_expect(is_program_module("/home/me/app.openmpi"));
    cr_expect_not(is_program_module("/home/me/libsolver.so.1"));
}
