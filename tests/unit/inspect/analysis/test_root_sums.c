/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that gave another root, by the sums of roots that are remembered.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { SIZE = 4, MADE = 100 };

static struct job job;

/* All are in the last of their calls on MPI_COMM_WORLD, and have given roots that add up to `sum`. */
static void begin(void)
{
    job = new_judged_job(SIZE);
    for (int rank = 0; rank < SIZE; rank++) {
        world_of(&job, rank)->collective_calls = MADE - 2;
        world_of(&job, rank)->root_sum = 51;
        make_call(&job, rank, "MPI_Bcast", ints, false);
        be_in_call(&job, rank, "MPI_Bcast", ints);
        for (int i = 0; i < 2; i++) {
            world_of(&job, rank)->recent_collectives[i].has_root = true;
            world_of(&job, rank)->recent_collectives[i].root = 2;
        }
    }
}

static void end(void)
{
    job_clear(&job);
}

TestSuite(root_sums, .init = begin, .fini = end);

static void add_mark(int rank, uint64_t begun, uint64_t sum)
{
    struct communicator *world = world_of(&job, rank);
    world->marks = array_append(world->marks, &world->mark_count, sizeof *world->marks);
    world->marks[world->mark_count - 1] =
        (struct collective_mark){.serial = begun, .function = "MPI_Bcast", .begun = begun, .root_sum = sum};
}

static void expect_odd(int rank, uint64_t last_alike, uint64_t since)
{
    struct job_index index = job_index_create(&job);
    const struct odd_root odd = root_sums_find(&index, world_of(&job, 0), &(struct ranks){0});
    cr_expect_eq(odd.member != NULL ? odd.member->process->rank : -1, rank);
    cr_expect_eq(odd.last_alike, last_alike);
    cr_expect_eq(odd.since, since);
}

Test(root_sums, that_are_equal)
{
    expect_odd(-1, 0, 0);
}

Test(root_sums, another_root_before_all_that_is_remembered)
{
    world_of(&job, 1)->root_sum++;
    expect_odd(1, 0, MADE - 2);
}

Test(root_sums, marks_tell_when)
{
    for (int rank = 0; rank < SIZE; rank++) {
        add_mark(rank, 32, 20);
        add_mark(rank, 64, rank == 3 ? 31 : 30);
    }
    world_of(&job, 3)->root_sum++;
    expect_odd(3, 32, 64);
}

Test(root_sums, the_last_calls_tell_which)
{
    world_of(&job, 2)->root_sum++;
    world_of(&job, 2)->recent_collectives[1].root++;
    expect_odd(2, MADE - 1, MADE);
}

Test(root_sums, of_members_that_have_made_less)
{
    struct communicator *world = world_of(&job, 1);
    world->collective_calls--;
    world->collective_call_count--;
    world->root_sum -= 2;
    expect_odd(-1, 0, 0);
    world->root_sum++;
    expect_odd(1, 0, MADE - 2);
}

Test(root_sums, that_add_up_again_were_in_another_order)
{
    for (int rank = 0; rank < SIZE; rank++)
        add_mark(rank, 64, rank == 3 ? 31 : 30);
    expect_odd(-1, 0, 0);
}

Test(root_sums, that_are_not_known)
{
    world_of(&job, 1)->root_sum = 0;
    expect_odd(-1, 0, 0);
}

Test(root_sums, of_a_process_that_runs)
{
    world_of(&job, 1)->root_sum++;
    job.processes[1].threads[0].stalled = false;
    expect_odd(-1, 0, 0);
}

Test(root_sums, two_odd_ones)
{
    world_of(&job, 1)->root_sum++;
    world_of(&job, 2)->root_sum++;
    expect_odd(-1, 0, 0);
}

Test(root_sums, of_intercommunicators_mean_nothing)
{
    world_of(&job, 0)->intercommunicator = true;
    world_of(&job, 1)->root_sum++;
    expect_odd(-1, 0, 0);
}
