/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that went out of step, by what is remembered of their calls.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

static const struct site places[] = {
    {.file = "a.c", .line = 10}, {.file = "a.c", .line = 20}, {.file = "a.c", .line = 30}};

/* Calls at two places in turn; a letter each: a and b at those, c at a third one, B as MPI_Barrier at the second.
 * `rank` -1: all keep step. */
static void expect_odd(const char *const *calls, int size, int rank, uint64_t last_alike, uint64_t since)
{
    struct job job = new_judged_job(size);
    for (int i = 0; i < size; i++)
        for (const char *letter = calls[i]; *letter != '\0'; letter++) {
            struct collective_call *call =
                make_call(&job, i, *letter == 'B' ? "MPI_Barrier" : "MPI_Bcast", unknown, false);
            call->site = &places[*letter == 'B' ? 1 : *letter - 'a'];
        }
    struct job_index index = job_index_create(&job);
    const struct out_of_step step = out_of_step_find(&index, world_of(&job, 0), &(struct ranks){0});
    cr_expect_eq(step.member != NULL ? step.member->process->rank : -1, rank);
    cr_expect_eq(step.last_alike, last_alike);
    cr_expect_eq(step.since, since);
    job_clear(&job);
}

static void expect_none(const char *const *calls, int size)
{
    expect_odd(calls, size, -1, 0, 0);
}

Test(out_of_step, one_call_more)
{
    expect_odd((const char *const[]){"abababab", "abaababa", "abababab"}, 3, 1, 3, 4);
}

Test(out_of_step, one_call_less)
{
    expect_odd((const char *const[]){"abababab", "abababab", "abbababa", "abababab"}, 4, 2, 2, 3);
}

Test(out_of_step, another_function)
{
    expect_odd((const char *const[]){"aaaa", "aaBB", "aaaa"}, 3, 1, 2, 3);
}

Test(out_of_step, a_place_of_its_own_keeps_step)
{
    expect_none((const char *const[]){"cbcbcb", "ababab", "ababab"}, 3);
}

Test(out_of_step, one_odd_call_is_not_enough)
{
    expect_none((const char *const[]){"ababab", "ababaa", "ababab"}, 3);
}

Test(out_of_step, of_two_nobody_knows_which)
{
    expect_none((const char *const[]){"ababab", "abaaba"}, 2);
}

Test(out_of_step, several_odd_ones)
{
    expect_none((const char *const[]){"ababab", "abaaba", "abaaba", "ababab", "ababab"}, 5);
}

Test(out_of_step, a_place_chosen_by_data_keeps_step)
{
    expect_none((const char *const[]){"aaaaaaaa", "aabbabba", "aaaaaaaa"}, 3);
    expect_none((const char *const[]){"abababab", "abbaabaa", "abababab"}, 3);
}

enum { FIRST = 32, REGULAR = 32, LEFT_OUT = 300, SOON_TOLD = 8192, LONG = 1000000 };

static void add_mark(struct communicator *world, uint64_t serial, const struct site *site)
{
    world->marks = array_append(world->marks, &world->mark_count, sizeof *world->marks);
    world->marks[world->mark_count - 1] =
        (struct collective_mark){.serial = serial, .function = "MPI_Bcast", .small_count = "", .site = site};
}

/* The runtime's marks of `made` calls at three places in turn, one of which was left out. */
static void add_marks(struct communicator *world, uint64_t made, uint64_t left_out)
{
    uint64_t distance = FIRST;
    while (made / distance > REGULAR)
        distance *= 2;
    for (uint64_t serial = FIRST; serial <= made; serial += FIRST)
        if ((serial & (serial - 1)) == 0 || serial % distance == 0)
            add_mark(world, serial, &places[(serial + (left_out != 0 && serial >= left_out)) % 3]);
}

/* The members are looked at one after the other, while all go on. */
static struct out_of_step find_at(uint64_t made, uint64_t left_out)
{
    enum { SIZE = 4 };
    struct job job = new_judged_job(SIZE);
    for (int i = 0; i < SIZE; i++)
        add_marks(world_of(&job, i), made + made / 20 * (uint64_t)i, i == 1 ? left_out : 0);
    struct job_index index = job_index_create(&job);
    struct out_of_step step = out_of_step_find_running(&index, world_of(&job, 0));
    if (step.member != NULL)
        cr_expect_eq(step.member->process->rank, 1);
    job_clear(&job);
    return step;
}

Test(out_of_step, of_a_job_that_goes_on_is_told_the_same_at_any_time)
{
    for (uint64_t made = SOON_TOLD; made < LONG; made += made / 16) {
        const struct out_of_step step = find_at(made, LEFT_OUT);
        cr_expect(step.member != NULL, "after %lu calls", (unsigned long)made);
        cr_expect_eq(step.last_alike, 256);
        cr_expect_eq(step.since, 512);
    }
}

Test(out_of_step, of_a_job_that_goes_on_is_not_told_and_forgotten_again)
{
    bool is_told = false;
    for (uint64_t made = LEFT_OUT; made < SOON_TOLD; made += made / 64 + 1) {
        const bool was_told = is_told;
        is_told = find_at(made, LEFT_OUT).member != NULL;
        cr_expect(is_told || !was_told, "after %lu calls", (unsigned long)made);
    }
}

Test(out_of_step, nobody_in_a_job_that_goes_on)
{
    cr_expect_null(find_at(LONG, 0).member);
}
