/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of mappings that other threads read meanwhile.
 */
#include "base/base.h"
#include "watched_maps.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 40, MOST_PAUSES = 20000, TURNS = 20 };

static pid_t children[CHILDREN];

static void start_children(void)
{
    for (size_t i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        cr_assert_geq(children[i], 0);
        if (children[i] == 0) {
            pause();
            _exit(0);
        }
    }
}

static void end_children(void)
{
    for (size_t i = 0; i < CHILDREN; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    kept_maps_forget();
}

TestSuite(maps_ahead, .init = start_children, .fini = end_children);

static bool has_several_processors(void)
{
    cpu_set_t processors;
    return sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 1;
}

static void count(void *context, const struct mapping *mapping)
{
    *(size_t *)context += mapping->end > mapping->start;
}

static size_t count_mappings(pid_t pid)
{
    size_t mappings = 0;
    cr_expect_eq(kept_maps_visit(pid, count, &mappings), 0);
    return mappings;
}

Test(maps_ahead, are_read_without_the_caller)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    struct watched_maps last = watched_maps_open(children[CHILDREN - 1]), first = watched_maps_open(children[0]);
    struct maps_ahead *ahead = maps_ahead_begin(children, CHILDREN);
    cr_assert_eq(ahead != NULL, has_several_processors());
    bool is_begun = ahead == NULL, is_done = ahead == NULL;
    for (int i = 0; i < MOST_PAUSES && !(is_begun && is_done); i++) {
        is_begun = is_begun || watched_maps_are_read(&last); /* which comes first */
        is_done = is_done || watched_maps_are_read(&first);  /* by others of the host, too, at any time */
        nanosleep(&pause, NULL);
    }
    cr_expect(is_begun);
    cr_expect(is_done);
    maps_ahead_end(ahead);
    watched_maps_close(&last);
    watched_maps_close(&first);
}

Test(maps_ahead, are_the_same_for_who_reads_meanwhile)
{
    size_t alone[CHILDREN];
    for (size_t i = 0; i < CHILDREN; i++)
        alone[i] = count_mappings(children[i]);
    for (int i = 0; i < TURNS; i++) {
        kept_maps_forget();
        struct maps_ahead *ahead = maps_ahead_begin(children, CHILDREN);
        for (size_t j = 0; j < CHILDREN; j++)
            cr_expect_eq(count_mappings(children[j]), alone[j]);
        maps_ahead_end(ahead);
    }
}

Test(maps_ahead, processes_that_are_gone_are_passed_over)
{
    end_children();
    struct maps_ahead *ahead = maps_ahead_begin(children, CHILDREN);
    maps_ahead_end(ahead);
    start_children();
}

Test(maps_ahead, of_few_are_not_worth_a_thread)
{
    cr_expect_null(maps_ahead_begin(children, 0));
    cr_expect_null(maps_ahead_begin(children, 8));
    maps_ahead_end(NULL);
}
