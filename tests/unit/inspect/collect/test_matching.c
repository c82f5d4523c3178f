/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which sends and receives match, inferred from jobs made by hand.
 */
#include "collect/collect_internal.h"
#include "model_builder.h"
#include "opened_dll.h"

#include <criterion/criterion.h>

static void expect_match(const struct operation *operation, int rank, uint64_t serial, bool is_possible)
{
    cr_expect_eq(operation->match_rank, rank, "it matches one of rank %d instead of %d", operation->match_rank, rank);
    cr_expect_eq(operation->match_serial, serial);
    cr_expect_eq(operation->match_is_possible, is_possible);
}

static void expect_no_match(const struct operation *operation)
{
    expect_match(operation, -1, 0, false);
}

Test(matching, pending_send_and_receive)
{
    struct job job = build_job(2);
    const struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    const struct operation *receive = build_receive(world_of(&job, 1), 0, 0, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_match(send, 1, receive->serial, false);
    expect_match(receive, 0, send->serial, false);
    cr_expect_not(send->received, "nobody has seen that");
    job_clear(&job);
}

Test(matching, nothing_matches)
{
    struct job job = build_job(2);
    const struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    const struct operation *receive = build_receive(world_of(&job, 1), 0, 0, 8, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_no_match(send);
    expect_no_match(receive);
    cr_expect_not(send->received);
    cr_expect_eq(world_of(&job, 1)->unexpected.items[0].match_rank, -1);
    job_clear(&job);
}

Test(matching, in_the_order_of_posting)
{
    struct job job = build_job(2);
    uint64_t sends[3];
    for (int i = 0; i < 3; i++)
        sends[i] = build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED)->serial;
    for (int i = 0; i < 3; i++)
        build_receive(world_of(&job, 1), i == 1 ? -1 : 0, i == 1 ? -1 : 0, i == 1 ? -1 : 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    for (int i = 0; i < 3; i++)
        expect_match(&world_of(&job, 1)->receives.items[i], 0, sends[i], false);
    job_clear(&job);
}

Test(matching, pending_send_that_was_received)
{
    struct job job = build_job(2);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 1);
    const struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    cr_expect(send->received);
    expect_no_match(send);
    job_clear(&job);
}

Test(matching, all_that_is_over)
{
    struct job job = build_job(2);
    for (int i = 0; i < 4; i++)
        build_send(world_of(&job, 0), 1, 1, i % 2, BUILD_RETIRED);
    for (int i = 0; i < 3; i++) {
        struct operation *receive = build_receive(world_of(&job, 1), -1, -1, -1, BUILD_RETIRED);
        build_actual(world_of(&job, 1), receive, 0, 0, i == 0);
    }
    infer_unexpected(opened_dll(), &job); /* tags 0 1 0 1 were sent, 1 0 0 received */
    const struct operation *sends = world_of(&job, 0)->completed.items;
    const struct operation *receives = world_of(&job, 1)->completed.items;
    static const int received_by[] = {1, 0, 2};
    for (int i = 0; i < 3; i++) {
        cr_expect(sends[i].received);
        expect_match(&sends[i], 1, receives[received_by[i]].serial, false);
        expect_match(&receives[received_by[i]], 0, sends[i].serial, false);
    }
    cr_expect_not(sends[3].received);
    expect_no_match(&sends[3]);
    job_clear(&job);
}

Test(matching, what_is_over_is_not_known_where_something_was_forgotten)
{
    struct job job = build_job(2);
    build_forgotten(world_of(&job, 0), 1, 1, 1, 0);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 1);
    const struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    const struct operation *receive = build_receive(world_of(&job, 1), 0, 0, 7, BUILD_RETIRED);
    infer_unexpected(opened_dll(), &job);
    cr_expect(send->received);
    expect_no_match(send);
    expect_no_match(receive);
    job_clear(&job);
}

Test(matching, receive_that_is_complete_but_not_collected)
{
    struct job job = build_job(2);
    const struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    const struct operation *receive = build_receive(world_of(&job, 1), 0, 0, 7, BUILD_COMPLETE);
    infer_unexpected(opened_dll(), &job);
    cr_expect(send->received);
    expect_match(send, 1, receive->serial, false);
    expect_match(receive, 0, send->serial, false);
    job_clear(&job);
}

Test(matching, several_senders)
{
    struct job job = build_job(4);
    const struct operation *first = build_send(world_of(&job, 1), 0, 0, 7, BUILD_PENDING);
    const struct operation *second = build_send(world_of(&job, 2), 0, 0, 7, BUILD_PENDING);
    const struct operation *other = build_send(world_of(&job, 3), 0, 0, 8, BUILD_PENDING);
    struct communicator *receiver = world_of(&job, 0);
    build_receive(receiver, -1, -1, 7, BUILD_PENDING);
    build_receive(receiver, 1, 1, 7, BUILD_PENDING);
    build_receive(receiver, 3, 3, 8, BUILD_PENDING);
    build_receive(receiver, 3, 3, 8, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_match(&receiver->receives.items[0], 1, first->serial, true);
    expect_match(&receiver->receives.items[1], -1, 0, true);
    expect_match(&receiver->receives.items[2], 3, other->serial, false);
    expect_no_match(&receiver->receives.items[3]);
    expect_match(first, 0, receiver->receives.items[0].serial, true);
    expect_match(second, -1, 0, true);
    expect_match(other, 0, receiver->receives.items[2].serial, false);
    cr_assert_eq(receiver->unexpected.count, 1);
    cr_expect(receiver->unexpected.items[0].match_is_possible);
    job_clear(&job);
}

Test(matching, any_source_of_one_sender)
{
    struct job job = build_job(3);
    const struct operation *send = build_send(world_of(&job, 2), 0, 0, 7, BUILD_PENDING);
    build_send(world_of(&job, 1), 0, 0, 8, BUILD_PENDING);
    const struct operation *receive = build_receive(world_of(&job, 0), -1, -1, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_match(receive, 2, send->serial, false);
    expect_match(send, 0, receive->serial, false);
    job_clear(&job);
}
