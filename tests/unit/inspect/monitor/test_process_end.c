/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends processes that are stopped, ignore SIGTERM, or have lost the parent by which they were known.
 */
#include "monitor/monitor_internal.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOON_MS = 20000, MOST_OURS = 4 };

/* Those that are to end. */
struct ours {
    pid_t pids[MOST_OURS];
};

static bool is_ours(void *context, pid_t pid)
{
    const struct ours *ours = context;
    for (size_t i = 0; i < MOST_OURS; i++)
        if (ours->pids[i] == pid)
            return true;
    return false;
}

static bool is_gone_soon(struct process_end *end)
{
    for (int ms = 0; ms < SOON_MS && process_end_is_left(end); ms += 10)
        poll(NULL, 0, 10);
    return !process_end_is_left(end);
}

/* A child with this disposition of SIGTERM. */
static pid_t start(void (*on_term)(int))
{
    int ready[2];
    char byte;
    cr_assert_eq(pipe(ready), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGTERM, on_term);
        close(ready[0]);
        if (write(ready[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

/* The signal that has ended the child. */
static int wait_for_end(pid_t pid)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

Test(process_end, a_stopped_process_takes_sigterm)
{
    int status;
    struct ours ours = {{start(SIG_DFL)}};
    struct process_end end = {.is_ours = is_ours, .context = &ours};
    kill(ours.pids[0], SIGSTOP);
    cr_assert_eq(waitpid(ours.pids[0], &status, WUNTRACED), ours.pids[0]);
    cr_expect(process_end_is_left(&end));
    process_end_ask(&end);
    cr_expect(is_gone_soon(&end), "also while nobody has waited for it");
    cr_expect_null(process_end_explain(&end));
    cr_expect_eq(wait_for_end(ours.pids[0]), SIGTERM);
}

Test(process_end, one_that_ignores_sigterm_is_killed)
{
    struct ours ours = {{start(SIG_IGN)}};
    struct process_end end = {.is_ours = is_ours, .context = &ours};
    cr_expect(process_end_is_left(&end));
    process_end_ask(&end);
    cr_expect(process_end_is_left(&end));
    process_end_kill(&end);
    cr_expect(is_gone_soon(&end));
    cr_expect_eq(wait_for_end(ours.pids[0]), SIGKILL);
}

Test(process_end, one_that_was_found_is_ended_when_it_is_no_longer_known, .description = "its parent has ended")
{
    const pid_t pid = start(SIG_IGN);
    struct ours ours = {{pid}};
    struct process_end end = {.is_ours = is_ours, .context = &ours};
    process_end_find(&end);
    ours.pids[0] = 0;
    cr_expect(process_end_is_left(&end));
    process_end_kill(&end);
    cr_expect(is_gone_soon(&end));
    cr_expect_eq(wait_for_end(pid), SIGKILL);
}

/* As while a search takes longer than that on a busy host. */
Test(process_end, one_that_is_started_meanwhile_has_its_time)
{
    struct ours ours = {{start(SIG_IGN)}};
    struct process_end end = {.is_ours = is_ours, .context = &ours};
    cr_expect(process_end_kill(&end));
    wait_for_end(ours.pids[0]);
    end.renewed_s -= 10;
    cr_expect_not(process_end_kill(&end));
    ours.pids[0] = start(SIG_IGN);
    cr_expect(process_end_kill(&end), "another one");
    wait_for_end(ours.pids[0]);
    end.renewed_s -= 10;
    ours.pids[0] = start(SIG_IGN);
    cr_expect(process_end_is_left(&end), "which finds it");
    cr_expect(process_end_kill(&end));
    wait_for_end(ours.pids[0]);
    end.began_s -= process_end_most_s();
    ours.pids[0] = start(SIG_IGN);
    cr_expect_not(process_end_kill(&end), "one after the other");
    wait_for_end(ours.pids[0]);
}

Test(process_end, another_process_with_its_pid_is_let_be)
{
    const pid_t pid = start(SIG_DFL);
    struct ours ours = {{0}};
    struct process_end end = {.is_ours = is_ours, .context = &ours};
    struct ending_process former = {.pid = pid, .start = 1};
    int status;
    end.items = &former;
    end.count = 1;
    process_end_ask(&end);
    cr_expect_null(process_end_explain(&end));
    end = (struct process_end){.is_ours = is_ours, .context = &ours};
    process_end_kill(&end);
    cr_expect_not(process_end_is_left(&end));
    cr_expect_eq(waitpid(pid, &status, WNOHANG), 0, "it lives");
    kill(pid, SIGKILL);
    wait_for_end(pid);
}

Test(process_end, names_are_those_of_the_first_ones)
{
    struct ours ours = {{start(SIG_DFL), start(SIG_DFL)}};
    struct process_end end = {.is_ours = is_ours, .context = &ours};
    char one[32], other[32];
    process_end_find(&end);
    snprintf(one, sizeof one, "%ld (", (long)ours.pids[0]);
    snprintf(other, sizeof other, "%ld (", (long)ours.pids[1]);
    const char *names = process_end_names(&end);
    cr_expect_not_null(strstr(names, one), "%s", names);
    cr_expect_not_null(strstr(names, other), "%s", names);
    const char *left = process_end_explain(&end);
    cr_expect_not_null(strstr(left, ") is left: its state is "), "%s", left);
    process_end_kill(&end);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(wait_for_end(ours.pids[i]), SIGKILL);
}
