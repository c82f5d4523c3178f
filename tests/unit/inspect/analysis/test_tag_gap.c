/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps in which one rank tells all others, each under a tag of its own, and the rank that has left one of them out.
 */
#include "analysis/messages/messages.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { ranks = 4, waiting = 3, last_tag = 9, teller = last_tag % ranks, answer_tag = 99 };

static struct job job;

static void begin(void)
{
    job = new_judged_job(ranks);
}

static void end(void)
{
    job_clear(&job);
}

TestSuite(tag_gap, .init = begin, .fini = end);

static struct operation *take(int source, int rank, int tag, enum build_status status)
{
    struct operation *receive = build_receive(world_of(&job, rank), -1, -1, tag, status);
    receive->flags |= MPILENS_OPERATION_BLOCKING;
    if (status != BUILD_PENDING)
        build_actual(world_of(&job, rank), receive, source, source, tag);
    return receive;
}

static void tell(int to, int tag)
{
    build_send(world_of(&job, tag % ranks), to, to, tag, BUILD_RETIRED);
    take(tag % ranks, to, tag, BUILD_RETIRED);
}

static void tell_all(int first_tag, int end_tag)
{
    for (int tag = first_tag; tag < end_tag; tag++)
        for (int to = 0; to < ranks; to++)
            if (to != tag % ranks)
                tell(to, tag);
}

/* Rank 1 has told all but rank 3. */
static void leave_out(void)
{
    tell_all(1, last_tag);
    tell(0, last_tag);
    tell(2, last_tag);
}

/* The rank that is to blame for what rank 3 waits for; -1: nobody. */
static int find_blamed(void)
{
    const struct wanted_message wanted = {.receiver = &job.processes[waiting],
                                          .communicator = world_of(&job, waiting),
                                          .peer_local = -1,
                                          .peer_world = -1,
                                          .tag = last_tag};
    struct job_index index = job_index_create(&job);
    const struct process *found = tag_gap_find_step(&index, &wanted);
    return found != NULL ? found->rank : -1;
}

static void wait_for_tag(int tag)
{
    wait_for(&job, teller, "MPI_Recv", MPILENS_CALL_POINT_TO_POINT, take(-1, teller, tag, BUILD_PENDING)->serial, 0);
}

Test(tag_gap, rank_has_had_the_next_step)
{
    leave_out();
    tell(teller, last_tag + 1);
    wait_for_tag(last_tag + 2);
    cr_expect_eq(find_blamed(), teller);
}

/* It may tell rank 3 yet. */
Test(tag_gap, rank_has_not_gone_on)
{
    leave_out();
    cr_expect_eq(find_blamed(), -1);
}

/* Such as an answer of those that it has told already, before it tells rank 3. */
Test(tag_gap, rank_waits_for_the_first_message_of_another_kind)
{
    leave_out();
    wait_for_tag(answer_tag);
    cr_expect_eq(find_blamed(), -1);
    tell(teller, last_tag + 1);
    cr_expect_eq(find_blamed(), -1);
}

Test(tag_gap, rank_has_got_another_kind)
{
    leave_out();
    take(0, teller, answer_tag, BUILD_RETIRED);
    cr_expect_eq(find_blamed(), -1);
}

/* It began that receive before. */
Test(tag_gap, message_of_the_next_step_has_come_by_itself)
{
    leave_out();
    tell(teller, last_tag + 1);
    struct operations *completed = &world_of(&job, teller)->completed;
    completed->items[completed->count - 1].flags &= ~MPILENS_OPERATION_BLOCKING;
    cr_expect_eq(find_blamed(), -1);
}

Test(tag_gap, rank_is_in_a_collective_call)
{
    leave_out();
    tell(teller, last_tag + 1);
    add_judged_thread(&job, teller, "MPI_Bcast", MPILENS_CALL_COLLECTIVE);
    cr_expect_eq(find_blamed(), -1);
}
