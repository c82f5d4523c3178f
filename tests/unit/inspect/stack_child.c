/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child whose threads stand at known lines, and what is expected of them.
 */
#include "stack_child.h"
#include "stack/stack.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_LINE = 256 };

struct child child;
struct target *target;
struct site_cache sites;

void stack_child_start(void)
{
    struct reason reason;
    child = child_start(STACK_PROGRAM);
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0, "%s", reason.text);
}

void stack_child_end(void)
{
    target_close(target);
    site_cache_clear(&sites);
    child_end(&child);
}

const struct expected_thread expected_threads[THREADS] = {
    {"wait_for_thread", true, EITHER},
    {"wait_for_mutex", true, YES},
    {"wait_for_rwlock", true, YES},
    {"wait_for_condition", true, YES},
    {"wait_for_condition_or_time", false, NO},
    {"wait_for_semaphore", true, EITHER},
    {"wait_for_semaphore_or_time", false, NO},
    {"wait_for_other_process", false, EITHER},
    {"wait_for_barrier", true, YES},
    {"wait_for_futex", true, NO},
    {"sleep_for_long", false, NO},
    {"compute", false, NO},
    {"descend", false, NO},
    {"receive", false, NO},
};

int line_of(const char *function)
{
    char line[MOST_LINE], mark[64];
    int number = 0, found = 0;
    FILE *source = fopen(STACK_PROGRAM_SOURCE, "r");
    cr_assert_not_null(source);
    snprintf(mark, sizeof mark, "/* in %s */", function);
    while (found == 0 && fgets(line, sizeof line, source) != NULL) {
        number++;
        found = strstr(line, mark) != NULL ? number : 0;
    }
    fclose(source);
    cr_assert_gt(found, 0, "%s", function);
    return found;
}

const struct thread_stack *find_thread(const struct stacks *stacks, const char *function)
{
    for (size_t i = 0; i < stacks->thread_count; i++) {
        const struct stack_frame *place = stack_find_place(&stacks->threads[i]);
        if (place != NULL && place->site->function != NULL && strcmp(place->site->function, function) == 0)
            return &stacks->threads[i];
    }
    return NULL;
}

/* Whether all threads have come to where they stay. */
static bool is_settled(const struct stacks *stacks)
{
    for (size_t i = 0; i < THREADS; i++) {
        const struct thread_stack *thread = find_thread(stacks, expected_threads[i].function);
        const bool computes = strcmp(expected_threads[i].function, "compute") == 0;
        const int line = thread != NULL ? stack_find_place(thread)->site->line : 0;
        if (line != line_of(expected_threads[i].function) || (!computes && thread->state != 'S'))
            return false;
    }
    return true;
}

void read_settled(struct stacks *ret_stacks)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    struct reason reason = {.text = ""};
    bool settled = false;
    for (int i = 0; i < SOON_MS && !settled; i += 10) {
        struct stacks stacks;
        cr_assert_eq(stacks_read(target, &sites, &stacks, &reason), 0, "%s", reason.text);
        cr_assert_null(stacks.reason, "%s", stacks.reason);
        settled = is_settled(&stacks);
        if (settled && ret_stacks != NULL)
            *ret_stacks = stacks;
        else
            arena_clear(&stacks.arena);
        if (!settled)
            nanosleep(&pause, NULL);
    }
    cr_assert(settled, "the threads of the program did not come to rest");
}
