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
    job_index_clear(&index);
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
