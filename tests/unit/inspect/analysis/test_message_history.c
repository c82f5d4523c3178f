/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends of received messages, and the order of sends and receives.
 */
#include "analysis/messages/messages.h"

#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { TAG = 7, OTHER_TAG = 8 };

static struct job job;
static struct message_pairs pairs;

static void end(void)
{
    job_clear(&job);
}

TestSuite(message_history, .fini = end);

/* From rank 0 to rank 1, over at both. */
static void sent(int tag)
{
    build_send(world_of(&job, 0), 1, 1, tag, BUILD_RETIRED)->received = true;
}

static struct operation *received(int tag)
{
    return build_receive(world_of(&job, 1), 0, 0, tag, BUILD_RETIRED);
}

/* Operation `number` of the rank's recorder has this one of the other rank's as its other end; -1: none is known. */
static void expect_other(int rank, size_t number, int other)
{
    const struct operations *own = &world_of(&job, rank)->completed, *others = &world_of(&job, 1 - rank)->completed;
    const struct message_end *found = message_history_other(&pairs, &own->items[number]);
    cr_expect_eq(found != NULL ? (int)(found->operation - others->items) : -1, other, "%d, %zu", rank, number);
    if (found != NULL)
        cr_expect_eq(found->process->rank, 1 - rank);
}

Test(message_history, each_tag_has_an_order)
{
    job = new_judged_job(2);
    sent(TAG);
    sent(OTHER_TAG);
    sent(TAG);
    received(OTHER_TAG);
    received(TAG);
    received(TAG);
    pairs = message_history_pair(&job);
    for (int rank = 0; rank < 2; rank++) {
        expect_other(rank, 0, 1);
        expect_other(rank, 1, 0);
        expect_other(rank, 2, 2);
    }
}

Test(message_history, the_receiver_has_forgotten_the_first)
{
    job = new_judged_job(2);
    sent(TAG);
    sent(TAG);
    received(TAG);
    pairs = message_history_pair(&job);
    expect_other(0, 0, -1);
    expect_other(0, 1, 0);
    expect_other(1, 0, 1);
}

Test(message_history, a_message_that_was_not_received)
{
    job = new_judged_job(2);
    sent(TAG);
    sent(TAG);
    world_of(&job, 0)->completed.items[1].received = false;
    received(TAG);
    pairs = message_history_pair(&job);
    expect_other(0, 0, 0);
    expect_other(0, 1, -1);
}

Test(message_history, the_receiver_was_read_later)
{
    job = new_judged_job(2);
    sent(TAG);
    received(TAG);
    received(TAG);
    pairs = message_history_pair(&job);
    expect_other(0, 0, -1);
    expect_other(1, 1, -1);
}

Test(message_history, received_after_a_matched_probe)
{
    job = new_judged_job(2);
    sent(TAG);
    received(TAG)->flags |= MPILENS_OPERATION_FROM_MESSAGE;
    pairs = message_history_pair(&job);
    expect_other(0, 0, -1);
}

Test(message_history, in_the_order_of_calls)
{
    job = new_judged_job(2);
    received(TAG);
    build_send(world_of(&job, 1), 0, 0, TAG, BUILD_PENDING);
    received(OTHER_TAG);
    struct message_history history = message_history_of(&job.processes[1]);
    cr_assert_eq(history.count, 3);
    for (size_t i = 1; i < history.count; i++)
        cr_expect_lt(history.items[i - 1].operation->posted, history.items[i].operation->posted);
    cr_expect_eq(history.items[1].operation, &world_of(&job, 1)->sends.items[0]);
}
