/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait for each other at one line of the program, one of them with another tag.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ranks = 4, steps = 6, odd = 2, work_tag = 1, result_tag = 2 };

static const struct site place = {.module = "a", .file = "steps.c", .line = 7};

static struct job job;
static struct analysis analysis;

static void begin(void)
{
    job = new_judged_job(ranks);
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(odd_tag, .init = begin, .fini = end);

static void pass(int from, int to, int tag)
{
    build_send(world_of(&job, from), to, to, tag, BUILD_RETIRED);
    struct operation *receive = build_receive(world_of(&job, to), -1, -1, tag, BUILD_RETIRED);
    build_actual(world_of(&job, to), receive, from, from, tag);
    build_details(receive)->site = &place;
}

static void wait_with(int rank, int tag)
{
    receive_from(&job, rank, -1, tag);
    build_details(&world_of(&job, rank)->receives.items[0])->site = &place;
    job.processes[rank].threads[0].site = &place;
}

static bool is_told(void)
{
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    return strstr(analysis.findings.items[0].message, "the others at that place with tag") != NULL;
}

/* From the rank before. */
static void take_steps(int rank, int end_tag, int step)
{
    for (int tag = 0; tag < end_tag; tag += step)
        pass((rank + ranks - 1) % ranks, rank, tag);
}

static void wait_with_odd(int usual_tag, int odd_tag)
{
    for (int rank = 0; rank < ranks; rank++)
        wait_with(rank, rank == odd ? odd_tag : usual_tag);
}

/* It begins each second step itself. */
Test(odd_tag, rank_is_a_step_ahead)
{
    for (int rank = 0; rank < ranks; rank++)
        take_steps(rank, 2 * steps - 1, rank == odd ? 2 : 1);
    wait_with_odd(2 * steps - 1, 2 * steps);
    cr_expect(is_told());
    expect_one_finding(&analysis, FINDING_DEADLOCK, 1, (int[]){odd});
}

/* Another one begins those that it has no part in. */
Test(odd_tag, rank_takes_part_in_each_second_step)
{
    for (int rank = 0; rank < ranks; rank++)
        for (int tag = 0; tag < 2 * steps - 1; tag += rank == odd ? 2 : 1)
            pass(tag % 2 != 0 && rank == odd + 1 ? 0 : (rank + ranks - 1) % ranks, rank, tag);
    wait_with_odd(2 * steps - 1, 2 * steps);
    cr_expect_not(is_told());
}

/* Another one has left it out. */
Test(odd_tag, rank_is_a_step_behind)
{
    for (int rank = 0; rank < ranks; rank++)
        take_steps(rank, rank == odd ? steps - 1 : steps, 1);
    wait_with_odd(steps, steps - 1);
    cr_expect_not(is_told());
}

/* One line of the program receives work and results. */
Test(odd_tag, rank_has_another_task)
{
    for (int i = 0; i < steps; i++)
        for (int rank = 0; rank < ranks; rank++) {
            if (rank == odd)
                continue;
            pass(odd, rank, work_tag);
            pass(rank, odd, result_tag);
        }
    wait_with_odd(work_tag, result_tag);
    cr_expect_not(is_told());
}

/* Such as to be told to end. */
Test(odd_tag, rank_waits_for_the_first_message_of_another_kind)
{
    for (int rank = 0; rank < ranks; rank++)
        take_steps(rank, steps, 1);
    wait_with_odd(steps, 99);
    cr_expect_not(is_told());
}
