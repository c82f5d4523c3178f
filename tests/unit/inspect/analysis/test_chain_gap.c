/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that go from rank to rank, each under a tag of its own, and the rank that has not passed one on.
 */
#include "analysis/messages/messages.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { ranks = 4, waiting = 2, last_tag = 9 };

static struct job job;

static void begin(void)
{
    job = new_judged_job(ranks);
}

static void end(void)
{
    job_clear(&job);
}

TestSuite(chain_gap, .init = begin, .fini = end);

static void give(int from, int to, int tag)
{
    build_send(world_of(&job, from), to, to, tag, BUILD_RETIRED);
    struct operation *receive = build_receive(world_of(&job, to), -1, -1, tag, BUILD_RETIRED);
    build_actual(world_of(&job, to), receive, from, from, tag);
}

/* From rank to rank, beginning with `from`. */
static void pass_along(int from, int tag, int count)
{
    for (int i = 0; i < count; i++)
        give((from + i) % ranks, (from + i + 1) % ranks, tag);
}

/* Each rank begins in turn. */
static void pass_along_all(int first_tag)
{
    for (int tag = first_tag; tag < last_tag; tag++)
        pass_along(tag % ranks, tag, ranks - 1);
}

/* Rank 1 has not passed the last one on to rank 2, and has begun the next. */
static void leave_out(void)
{
    pass_along(3, last_tag, ranks - 2);
    build_send(world_of(&job, 1), 0, 0, last_tag + 1, BUILD_RETIRED);
}

/* The rank that is to blame for what rank 2 waits for; -1: nobody. */
static int find_blamed(void)
{
    const struct wanted_message wanted = {.receiver = &job.processes[waiting],
                                          .communicator = world_of(&job, waiting),
                                          .peer_local = -1,
                                          .peer_world = -1,
                                          .tag = last_tag};
    struct job_index index = job_index_create(&job);
    const struct process *found = chain_gap_find(&index, &wanted);
    return found != NULL ? found->rank : -1;
}

Test(chain_gap, is_at_the_end_of_the_chain)
{
    pass_along_all(1);
    leave_out();
    cr_expect_eq(find_blamed(), 1);
}

Test(chain_gap, three_chains_show_no_habit)
{
    pass_along_all(last_tag - 3);
    leave_out();
    cr_expect_eq(find_blamed(), -1);
}

/* It may pass it on yet. */
Test(chain_gap, rank_has_not_gone_on)
{
    pass_along_all(1);
    pass_along(3, last_tag, ranks - 2);
    cr_expect_eq(find_blamed(), -1);
}

/* As in a tree: not only the last one sends nothing. */
Test(chain_gap, messages_before_have_gone_other_ways)
{
    pass_along_all(1);
    for (int to = 1; to < ranks; to++)
        give(0, to, last_tag - 1);
    leave_out();
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, others_have_not_had_it_either)
{
    pass_along_all(1);
    give(3, 0, last_tag);
    build_send(world_of(&job, 0), 1, 1, last_tag + 1, BUILD_RETIRED);
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, records_were_lost)
{
    pass_along_all(1);
    leave_out();
    job.processes[1].untracked_operations = 1;
    cr_expect_eq(find_blamed(), -1);
}
