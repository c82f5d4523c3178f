/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends of processes: noticed in their order, with what they were; and who has ended a job by ending.
 */
#include "monitor/monitor_internal.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

/* A child that waits until it is killed, or the pipe has something in it: then it exits with that status. */
static pid_t start_child(int status_file)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child != 0)
        return child;
    unsigned char status = 0;
    if (read(status_file, &status, 1) != 1)
        _exit(EXIT_FAILURE);
    _exit(status);
}

static void wait_for_end(struct guard_deaths *deaths, size_t ended)
{
    struct pollfd queue = {.fd = deaths->queue, .events = POLLIN};
    while (deaths->ended < ended) {
        cr_assert_gt(poll(&queue, 1, PATIENCE_MS), 0);
        guard_deaths_note(deaths);
    }
}

Test(guard_deaths, are_noticed_in_order_and_with_their_status)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    struct guard_deaths deaths = guard_deaths_begin();
    const pid_t killed = start_child(ends[0]), exited = start_child(ends[0]);
    guard_deaths_watch(&deaths, exited, 0, true);
    guard_deaths_watch(&deaths, killed, 1, true);
    guard_deaths_watch(&deaths, killed, 1, true);
    cr_assert_eq(deaths.count, 2);
    cr_assert_eq(guard_deaths_note(&deaths), 0);
    kill(killed, SIGKILL);
    wait_for_end(&deaths, 1);
    cr_assert_eq(write(ends[1], "\3", 1), 1);
    wait_for_end(&deaths, 2);
    cr_assert_eq(waitpid(killed, NULL, 0), killed);
    cr_assert_eq(waitpid(exited, NULL, 0), exited);
    guard_deaths_finish(&deaths);
    const struct guard_death *first = &deaths.items[1], *second = &deaths.items[0];
    cr_expect(first->order == 1 && second->order == 2);
    cr_assert(first->is_known && second->is_known);
    cr_expect(WIFSIGNALED(first->status) && WTERMSIG(first->status) == SIGKILL);
    cr_expect(WIFEXITED(second->status) && WEXITSTATUS(second->status) == 3);
    guard_deaths_clear(&deaths);
}

/* The first of ranks 0, 1, ... that have ended one after the other, 10 ms apart. */
static int first_of(const int *statuses, size_t count, bool are_known, bool has_failed)
{
    struct guard_death items[4] = {{0}};
    const struct guard_deaths deaths = {.queue = -1, .items = items, .count = count, .ended = count};
    for (size_t i = 0; i < count; i++)
        items[i] = (struct guard_death){
            .rank = (int)i, .order = i + 1, .at_s = 1 + 0.01 * (double)i, .is_known = are_known, .status = statuses[i]};
    const struct guard_death *first = guard_deaths_find_first(&deaths, has_failed);
    return first != NULL ? first->rank : -1;
}

Test(guard_deaths, who_has_ended_the_job)
{
    enum { EXIT_3 = 3 << 8 };
    const int good[] = {0, 0, 0}, crash[] = {0, SIGSEGV, SIGKILL}, failed[] = {SIGKILL, EXIT_3, SIGTERM},
              killed[] = {SIGKILL, SIGKILL}, left[] = {0, SIGKILL, SIGKILL}, left_on_term[] = {0, SIGTERM};
    cr_expect_eq(first_of(good, 3, true, true), -1);
    cr_expect_eq(first_of(crash, 3, true, true), 1);
    cr_expect_eq(first_of(failed, 3, true, true), 1, "who was killed was so because of it");
    cr_expect_eq(first_of(killed, 2, true, true), 0);
    cr_expect_eq(first_of(left, 3, true, false), 0, "the others were killed because it has left");
    cr_expect_eq(first_of(left_on_term, 2, true, false), 0);
    cr_expect_eq(first_of(good, 3, false, true), 0, "nothing is known but that it was the first");
    cr_expect_eq(first_of(good, 3, false, false), -1);
    cr_expect_eq(first_of(good, 0, true, true), -1);
}

Test(guard_deaths, who_has_ended_well_long_before_was_not_missed)
{
    struct guard_death items[] = {{.rank = 0, .order = 1, .at_s = 1, .is_known = true},
                                  {.rank = 1, .order = 2, .at_s = 9, .is_known = true, .status = SIGKILL}};
    const struct guard_deaths deaths = {.queue = -1, .items = items, .count = 2, .ended = 2};
    cr_expect_eq(guard_deaths_find_first(&deaths, true), &items[1]);
}

Test(guard_deaths, who_has_left_while_others_were_killed)
{
    struct guard_death items[] = {{.rank = 0, .order = 1, .at_s = 1, .is_known = true, .status = SIGKILL},
                                  {.rank = 1, .order = 2, .at_s = 1, .is_known = true}};
    const struct guard_deaths deaths = {.queue = -1, .items = items, .count = 2, .ended = 2};
    cr_expect_eq(guard_deaths_find_first(&deaths, true), &items[1], "both were noticed at once");
    items[1].at_s = 1.5;
    cr_expect_eq(guard_deaths_find_first(&deaths, true), &items[0], "it has ended later");
    items[1] = (struct guard_death){.rank = 1, .order = 1, .at_s = 0.5};
    items[0].order = 2;
    cr_expect_eq(guard_deaths_find_first(&deaths, true), &items[1], "the first, however it has ended");
}

static struct process in_box(pid_t pid, int rank, uint32_t exit_status)
{
    return (struct process){
        .pid = pid, .rank = rank, .has_ended = true, .state = PROCESS_RUNNING, .exit_status = exit_status};
}

Test(guard_deaths, who_has_called_exit_though_others_were_noticed_first)
{
    struct guard_death items[] = {
        {.pid = 10, .rank = 0, .order = 1, .at_s = 1, .is_known = true, .status = SIGKILL},
        {.pid = 11, .rank = 1, .order = 2, .at_s = 1.5},
    };
    struct guard_deaths deaths = {.queue = -1, .items = items, .count = 2, .ended = 2};
    struct process processes[] = {in_box(10, 0, 0), in_box(11, 1, 1)};
    const struct job ended = {.processes = processes, .process_count = 2};
    cr_expect_eq(guard_deaths_find_first(&deaths, true), &items[0]);
    guard_deaths_note_boxes(&deaths, &ended);
    cr_expect_eq(guard_deaths_find_first(&deaths, true), &items[1]);
    cr_expect(items[1].is_known && WIFEXITED(items[1].status) && WEXITSTATUS(items[1].status) == 0);
}

Test(guard_deaths, who_was_not_watched)
{
    struct guard_deaths deaths = {.queue = -1};
    deaths.items = array_append(NULL, &deaths.count, sizeof *deaths.items);
    deaths.items[0] =
        (struct guard_death){.pid = 10, .file = -1, .order = 1, .at_s = 1, .is_known = true, .status = SIGTERM};
    deaths.ended = 1;
    struct process processes[] = {in_box(10, 0, 0), in_box(11, 1, 4), in_box(12, 2, 0)};
    const struct job ended = {.processes = processes, .process_count = 3};
    guard_deaths_note_boxes(&deaths, &ended);
    cr_assert_eq(deaths.count, 2, "how rank 2 has ended is not known");
    const struct guard_death *first = guard_deaths_find_first(&deaths, true);
    cr_assert_not_null(first);
    cr_expect_eq(first->rank, 1);
    cr_expect_eq(WEXITSTATUS(first->status), 3);
    guard_deaths_clear(&deaths);
}
