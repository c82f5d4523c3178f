/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes run on, or stay stopped, whatever happens while their stacks are read; where that is not allowed, the
 * reason is told.
 */
#include "stack/stack_access.h"
#include "stack/stack_internal.h"
#include "stack_child.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534 };

TestSuite(stack_safety, .init = stack_child_start, .fini = stack_child_end);

Test(stack_safety, process_that_was_stopped_stays_stopped)
{
    struct stacks stacks;
    struct reason reason;
    read_settled(NULL);
    kill(child.pid, SIGSTOP);
    child_wait_for_state(&child, 'T', SOON_MS);
    cr_assert_eq(stacks_read(target, &sites, &stacks, &reason), 0);
    cr_expect_null(stacks.reason);
    cr_expect_eq(stacks.threads[0].state, 'T', "state %c", stacks.threads[0].state);
    cr_expect_not_null(find_thread(&stacks, "wait_for_mutex"));
    arena_clear(&stacks.arena);
    child_wait_for_state(&child, 'T', SOON_MS);
    kill(child.pid, SIGCONT);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
}

/* In a process of its own: 0, or the number of what is wrong. */
static int read_without_stacks(const char *part)
{
    struct stacks stacks;
    struct reason reason;
    if (stacks_read(target, &sites, &stacks, &reason) != 0)
        return 1;
    if (stacks.reason == NULL || strstr(stacks.reason, part) == NULL)
        return 2;
    if (stacks.thread_count != THREADS || stacks.threads[0].tid != child.pid)
        return 3;
    for (size_t i = 0; i < stacks.thread_count; i++)
        if (stacks.threads[i].frame_count != 0 || stacks.threads[i].state == 0)
            return 4;
    arena_clear(&stacks.arena);
    return 0;
}

static int status_of(pid_t pid)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(stack_safety, process_of_another_debugger)
{
    struct freeze freeze = {0};
    struct reason reason;
    read_settled(NULL);
    cr_assert_eq(freeze_process(child.pid, &freeze, &reason), 0);
    const pid_t reader = fork();
    if (reader == 0)
        _exit(read_without_stacks("debugging it"));
    cr_expect_eq(status_of(reader), 0);
    freeze_release(&freeze);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
}

Test(stack_safety, process_of_another_user)
{
    if (geteuid() != 0)
        cr_skip_test("only root can become another user");
    read_settled(NULL);
    const pid_t reader = fork();
    if (reader == 0)
        _exit(setgid(NOBODY) == 0 && setuid(NOBODY) == 0 ? read_without_stacks("cannot be stopped") : 5);
    cr_expect_eq(status_of(reader), 0);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
}

Test(stack_safety, runs_on_when_the_reader_is_interrupted)
{
    for (int i = 0; i < 10; i++) {
        int begun[2];
        char byte = 'b';
        cr_assert_eq(pipe(begun), 0);
        const pid_t reader = fork();
        if (reader == 0) {
            signal(SIGINT, SIG_DFL);
            for (struct reason reason;;) {
                struct stacks stacks;
                if (stacks_read(target, &sites, &stacks, &reason) != 0 || write(begun[1], &byte, 1) != 1)
                    _exit(1);
                arena_clear(&stacks.arena);
            }
        }
        close(begun[1]);
        cr_assert_eq(read(begun[0], &byte, 1), 1);
        kill(reader, SIGINT);
        cr_expect_eq(status_of(reader), -1);
        close(begun[0]);
        cr_expect_eq(child_answers(&child, SOON_MS), 0);
    }
}

Test(stack_safety, threads_that_outlive_the_main_one)
{
    struct stacks stacks;
    struct reason reason = {.text = ""};
    read_settled(NULL);
    cr_assert_eq(write(child.to, "e", 1), 1);
    child_wait_for_state(&child, 'Z', SOON_MS);
    cr_assert_eq(stacks_read(target, &sites, &stacks, &reason), 0, "%s", reason.text);
    cr_expect_null(stacks.reason, "%s", stacks.reason);
    cr_expect_eq(stacks.threads[0].frame_count, 0);
    const struct thread_stack *thread = find_thread(&stacks, "wait_for_mutex");
    cr_expect(thread != NULL && stack_is_waiting_for_threads(thread));
    arena_clear(&stacks.arena);
}

Test(stack_safety, process_that_has_ended)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    struct stacks stacks;
    struct reason reason = {.text = ""};
    kill(child.pid, SIGKILL);
    child_wait_for_state(&child, 'Z', SOON_MS);
    int result = 0;
    for (int i = 0; i < SOON_MS && (result = stacks_read(target, &sites, &stacks, &reason)) == 0; i++) {
        arena_clear(&stacks.arena); /* other threads end after the main one */
        nanosleep(&pause, NULL);
    }
    cr_expect_eq(result, -1);
    waitpid(child.pid, NULL, 0);
    cr_expect_eq(stacks_read(target, &sites, &stacks, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "has ended"), "%s", reason.text);
}

static int take_nothing(Dwfl_Frame *frame, void *argument)
{
    (void)frame;
    (void)argument;
    return DWARF_CB_OK;
}

Test(stack_safety, process_that_is_killed_while_it_is_held)
{
    struct stack_access access;
    struct stacks stacks;
    struct reason reason = {.text = ""};
    read_settled(&stacks);
    cr_assert_eq(stack_access_begin(target, false, &access, &reason), 0, "%s", reason.text);
    cr_expect_eq(stack_access_walk(&access, child.pid, take_nothing, NULL), 0);
    kill(child.pid, SIGKILL);
    child_wait_for_state(&child, 'Z', SOON_MS);
    for (size_t i = 0; i < stacks.thread_count; i++)
        cr_expect_neq(stack_access_walk(&access, stacks.threads[i].tid, take_nothing, NULL), 0);
    stack_access_end(&access);
    arena_clear(&stacks.arena);
    cr_expect_eq(stacks_read(target, &sites, &stacks, &reason), -1);
}
