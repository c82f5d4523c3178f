/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Freezing processes: they stand still, and run on whatever happens.
 */
#include "base/base.h"
#include "child.h"
#include "collect/collect.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_YET_MS = 100, SOON_MS = 10000 };

Test(freeze, all_threads_stand_still_and_run_on)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct freeze freeze = {0};
    struct reason reason;
    cr_assert_eq(freeze_process(child.pid, &freeze, &reason), 0);
    cr_expect_eq(freeze.count, 2);
    cr_expect_eq(child_state(&child), 't');
    cr_expect_eq(child_answers(&child, NOT_YET_MS), -1);
    freeze_release(&freeze);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
    child_end(&child);
}

Test(freeze, process_that_was_stopped_stays_stopped)
{
    struct child child = child_start(TARGET_PROGRAM);
    kill(child.pid, SIGSTOP);
    child_wait_for_state(&child, 'T', SOON_MS);
    struct freeze freeze = {0};
    struct reason reason;
    cr_assert_eq(freeze_process(child.pid, &freeze, &reason), 0);
    freeze_release(&freeze);
    child_wait_for_state(&child, 'T', SOON_MS);
    kill(child.pid, SIGCONT);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
    child_end(&child);
}

Test(freeze, runs_on_when_the_freezer_dies)
{
    struct child child = child_start(TARGET_PROGRAM);
    int frozen[2];
    cr_assert_eq(pipe(frozen), 0);
    const pid_t freezer = child_fork();
    if (freezer == 0) {
        struct freeze freeze = {0};
        struct reason reason;
        const char result = freeze_process(child.pid, &freeze, &reason) == 0 ? 'f' : 'x';
        if (write(frozen[1], &result, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char result;
    cr_assert_eq(read(frozen[0], &result, 1), 1);
    cr_expect_eq(result, 'f');
    cr_expect_eq(child_answers(&child, NOT_YET_MS), -1);
    kill(freezer, SIGKILL);
    waitpid(freezer, NULL, 0);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
    child_end(&child);
}

Test(freeze, process_that_is_gone)
{
    struct child child = child_start(TARGET_PROGRAM);
    child_end(&child);
    struct freeze freeze = {0};
    struct reason reason = {.text = ""};
    cr_expect_eq(freeze_process(child.pid, &freeze, &reason), -1);
    cr_expect_neq(reason.text[0], '\0');
    cr_expect_null(freeze.threads);
}

/* Its main thread has ended; others may still be on their way. */
Test(freeze, process_that_has_ended_unseen)
{
    enum { ROUNDS = 30 };
    for (int i = 0; i < ROUNDS; i++) {
        struct child child = child_start(TARGET_PROGRAM);
        kill(child.pid, SIGKILL);
        child_wait_for_state(&child, 'Z', SOON_MS);
        struct freeze freeze = {0};
        struct reason reason = {.text = ""};
        cr_expect_eq(freeze_process(child.pid, &freeze, &reason), -1);
        cr_expect_not_null(strstr(reason.text, "gone"), "%s", reason.text);
        child_end(&child);
    }
}

/* The freezer lives on, and is not its parent. */
Test(freeze, process_killed_while_frozen_ends_for_its_parent)
{
    struct child child = child_start(TARGET_PROGRAM);
    int released[2];
    cr_assert_eq(pipe(released), 0);
    const pid_t freezer = child_fork();
    if (freezer == 0) {
        struct freeze freeze = {0};
        struct reason reason;
        const char result = freeze_process(child.pid, &freeze, &reason) == 0 ? 'r' : 'x';
        kill(child.pid, SIGKILL);
        freeze_release(&freeze);
        if (write(released[1], &result, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char result;
    cr_assert_eq(read(released[0], &result, 1), 1);
    cr_expect_eq(result, 'r');
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    pid_t ended = 0;
    for (int i = 0; i < SOON_MS && ended == 0; i++) {
        ended = waitpid(child.pid, NULL, WNOHANG);
        nanosleep(&pause, NULL);
    }
    cr_expect_eq(ended, child.pid);
    kill(freezer, SIGKILL);
    waitpid(freezer, NULL, 0);
    child_end(&child);
}

Test(freeze, process_of_another_debugger_runs_on)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct freeze first = {0};
    struct reason reason;
    cr_assert_eq(freeze_process(child.pid, &first, &reason), 0);
    const pid_t second = child_fork(); /* another tracer */
    if (second == 0) {
        struct freeze freeze = {0};
        freeze_turn_ms = 200; /* it takes this program for a reader, which would let it have its turn */
        _exit(freeze_process(child.pid, &freeze, &reason) == 0 ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(second, &status, 0), second);
    cr_expect_eq(WEXITSTATUS(status), 1);
    freeze_release(&first);
    cr_expect_eq(child_answers(&child, SOON_MS), 0);
    child_end(&child);
}

/* `mpilens run --leaks` has it for as long as it lives: the others do not wait for their turn. */
Test(freeze, process_that_is_watched_is_not_waited_for)
{
    enum { LONGEST_MS = 1000000 };
    struct child child = child_start(TARGET_PROGRAM);
    struct reason reason;
    struct freeze second = {0};
    int ready[2];
    char byte;
    cr_assert_eq(pipe(ready), 0);
    const pid_t watcher = child_fork();
    if (watcher == 0) {
        prctl(PR_SET_NAME, FREEZE_WATCHER);
        if (ptrace(PTRACE_SEIZE, child.pid, NULL, NULL) != 0 || write(ready[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    freeze_turn_ms = LONGEST_MS;
    cr_expect_eq(freeze_process(child.pid, &second, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "is debugging it"), "%s", reason.text);
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
    child_end(&child);
}

/* The body of a child of vfork(), for which its parent waits: returns when the process stands still. */
static int wait_for_stop(void *process)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct process_status status;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (read_process_status("/proc", *(const pid_t *)process, &status) && status.state != 't')
        nanosleep(&pause, NULL);
    _exit(0);
}

/* A process that does not stop before `other` has stopped: nothing but its end interrupts the wait in vfork(). */
static pid_t start_stopping_after(pid_t other)
{
    static char stack[256 * 1024] __attribute__((aligned(16)));
    const pid_t pid = child_fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        clone(wait_for_stop, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &other);
        for (;;)
            pause();
    }
    const struct child child = {.pid = pid};
    child_wait_for_state(&child, 'D', SOON_MS);
    return pid;
}

static void end_process(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static int read_nothing(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    (void)image;
    (void)callbacks;
    return MPILENS_ERROR_NOT_INITIALIZED;
}

Test(freeze, processes_of_a_job_stop_at_the_same_time)
{
    struct child second = child_start(TARGET_PROGRAM);
    const pid_t first = start_stopping_after(second.pid);
    const struct dll dll = {.mqs_setup_image = read_nothing};
    const struct collect_plan plan = {.depth = COLLECT_PROCESS};
    struct job job = {.size = 2};
    add_live_process(&job, first, 0);
    add_live_process(&job, second.pid, 1);
    read_processes(&dll, &job, true, &plan);
    for (size_t i = 0; i < job.process_count; i++)
        cr_expect_null(strstr(job.processes[i].reason, "cannot be stopped"), "%s", job.processes[i].reason);
    cr_expect_eq(child_answers(&second, SOON_MS), 0);
    job_clear(&job);
    end_process(first);
    child_end(&second);
}

/* Waiting for it leaves the processor to others: the reader sleeps instead of looking all the time. */
Test(freeze, process_that_nothing_interrupts_is_given_up)
{
    enum { FEW_SLEEPS = 500 };
    struct rusage before, after;
    struct child never_stopped = child_start(TARGET_PROGRAM);
    const pid_t pid = start_stopping_after(never_stopped.pid);
    struct freeze freeze = {0};
    struct reason reason = {.text = ""};
    getrusage(RUSAGE_SELF, &before);
    cr_expect_eq(freeze_process(pid, &freeze, &reason), -1);
    getrusage(RUSAGE_SELF, &after);
    cr_expect_lt(after.ru_nvcsw - before.ru_nvcsw, FEW_SLEEPS);
    cr_expect_not_null(strstr(reason.text, "does not stand still"), "%s", reason.text);
    cr_expect_null(freeze.threads);
    end_process(pid);
    child_end(&never_stopped);
}
