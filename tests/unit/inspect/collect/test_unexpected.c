/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unexpected messages, inferred from hand-made jobs.
 */
#include "collect/collect_internal.h"
#include "model_builder.h"
#include "opened_dll.h"

#include <criterion/criterion.h>

/* The tags of the unexpected messages at a communicator must be these, in this order. */
static void expect_tags(const struct communicator *communicator, size_t count, const int *tags)
{
    cr_assert_eq(communicator->unexpected.count, count, "%zu unexpected messages instead of %zu",
                 communicator->unexpected.count, count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(communicator->unexpected.items[i].tag, tags[i], "message %zu has tag %d instead of %d", i,
                     communicator->unexpected.items[i].tag, tags[i]);
        cr_expect(communicator->unexpected.items[i].inferred);
    }
}

Test(unexpected, small_send_with_the_wrong_tag)
{
    struct job job = build_job(2);
    const uint64_t serial = build_send(world_of(&job, 0), 1, 1, 99, BUILD_RETIRED)->serial;
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){99});
    const struct operation *message = &world_of(&job, 1)->unexpected.items[0];
    cr_expect_eq(message->serial, serial);
    cr_expect_eq(message->peer_local, 0);
    cr_expect_eq(message->peer_world, 0);
    cr_expect_eq(message->status, mqs_st_pending);
    cr_expect_eq(message->actual_tag, 99);
    cr_expect_eq(world_of(&job, 0)->unexpected.count, 0);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 0);
    job_clear(&job);
}

Test(unexpected, nothing_when_all_was_received)
{
    struct job job = build_job(2);
    for (int i = 0; i < 5; i++) {
        build_send(world_of(&job, 0), 1, 1, i, BUILD_RETIRED);
        build_receive(world_of(&job, 1), 0, 0, i, BUILD_RETIRED);
    }
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    job_clear(&job);
}

Test(unexpected, pending_receive_takes_its_message)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 8, BUILD_PENDING);
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){8});
    job_clear(&job);
}

Test(unexpected, wildcard_receive_takes_the_first)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 3, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 4, BUILD_RETIRED);
    build_receive(world_of(&job, 1), -1, -1, -1, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){4});
    job_clear(&job);
}

Test(unexpected, any_source_takes_the_oldest_of_all_senders)
{
    struct job job = build_job(3);
    build_send(world_of(&job, 2), 0, 0, 5, BUILD_RETIRED);
    build_send(world_of(&job, 1), 0, 0, 5, BUILD_RETIRED);
    build_receive(world_of(&job, 0), -1, -1, 5, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 0), 1, (int[]){5});
    cr_expect_eq(world_of(&job, 0)->unexpected.items[0].peer_world, 1);
    job_clear(&job);
}

Test(unexpected, receives_take_in_the_order_in_which_they_were_posted)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 2, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, -1, BUILD_PENDING); /* takes tag 1, which the next one would want */
    build_receive(world_of(&job, 1), 0, 0, 1, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){2});
    job_clear(&job);
}

Test(unexpected, completed_wildcard_receive_counts_by_what_it_got)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 2, BUILD_RETIRED);
    struct communicator *receiver = world_of(&job, 1);
    build_actual(receiver, build_receive(receiver, -1, -1, -1, BUILD_RETIRED), 0, 0, 2);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){1});
    job_clear(&job);
}

Test(unexpected, receive_that_is_complete_but_not_collected_counts)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 2, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 1, BUILD_COMPLETE);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){2});
    job_clear(&job);
}

Test(unexpected, interleaved_tags)
{
    struct job job = build_job(2);
    for (int i = 0; i < 12; i++)
        build_send(world_of(&job, 0), 1, 1, i % 3, BUILD_RETIRED);
    for (int i = 0; i < 4; i++)
        build_receive(world_of(&job, 1), 0, 0, 1, BUILD_RETIRED);
    for (int i = 0; i < 3; i++)
        build_receive(world_of(&job, 1), 0, 0, 2, BUILD_RETIRED);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 5, (int[]){0, 0, 0, 0, 2});
    job_clear(&job);
}

Test(unexpected, more_messages_than_the_sender_remembers)
{
    struct job job = build_job(2);
    build_forgotten(world_of(&job, 0), 1, 1, 1000, 0);
    for (int i = 0; i < 256; i++)
        build_send(world_of(&job, 0), 1, 1, 9, BUILD_RETIRED);
    infer_unexpected(opened_dll(), &job);
    cr_expect_eq(world_of(&job, 1)->unexpected.count, 256);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 1000);
    job_clear(&job);
}

Test(unexpected, wrong_tag_after_a_long_life)
{
    struct job job = build_job(2);
    build_forgotten(world_of(&job, 0), 1, 1, 5000, 0);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 5100);
    for (int i = 0; i < 127; i++)
        build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 99, BUILD_RETIRED);
    for (int i = 0; i < 27; i++)
        build_receive(world_of(&job, 1), 0, 0, 7, BUILD_RETIRED);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){99});
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 0);
    job_clear(&job);
}

Test(unexpected, what_a_waiting_receive_wants_is_believed_to_have_been_received)
{
    struct job job = build_job(2);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 100);
    build_send(world_of(&job, 0), 1, 1, 99, BUILD_RETIRED); /* before the others */
    for (int i = 0; i < 100; i++)
        build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){99});
    job_clear(&job);
}

Test(unexpected, younger_ones_where_the_receiver_has_forgotten)
{
    struct job job = build_job(2);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 2, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 3, BUILD_RETIRED);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){3});
    job_clear(&job);
}

Test(unexpected, self_messages)
{
    struct job job = build_job(1);
    build_send(world_of(&job, 0), 0, 0, 1, BUILD_PENDING);
    build_send(world_of(&job, 0), 0, 0, 2, BUILD_PENDING);
    build_receive(world_of(&job, 0), 0, 0, 2, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 0), 1, (int[]){1});
    job_clear(&job);
}

Test(unexpected, intercommunicator_names_ranks_of_the_remote_group)
{
    struct job job = build_job(4); /* groups {0, 1} and {2, 3} */
    for (int rank = 0; rank < 4; rank++)
        build_communicator(&job.processes[rank], 50, rank % 2, 2, 2);
    build_send(&job.processes[1].communicators[1], 0, 2, 6, BUILD_RETIRED); /* world 1 to world 2 */
    infer_unexpected(opened_dll(), &job);
    expect_tags(&job.processes[2].communicators[1], 1, (int[]){6});
    cr_expect_eq(job.processes[2].communicators[1].unexpected.items[0].peer_local, 1);
    cr_expect_eq(job.processes[2].communicators[1].unexpected.items[0].peer_world, 1);
    cr_expect_eq(job.processes[0].communicators[1].unexpected.count, 0, "it has the same local rank as the receiver");
    job_clear(&job);
}

Test(unexpected, other_communicator_does_not_match)
{
    struct job job = build_job(2);
    build_communicator(&job.processes[0], 60, 0, 2, 0);
    build_communicator(&job.processes[1], 60, 1, 2, 0);
    build_send(&job.processes[0].communicators[1], 1, 1, 7, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(&job.processes[1].communicators[1], 1, (int[]){7});
    expect_tags(world_of(&job, 1), 0, NULL);
    job_clear(&job);
}

Test(unexpected, matched_probe_has_taken_its_message)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    build_details(build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED))->bytes = 8;
    struct matched_message matched = {.peer_local = 0, .peer_world = 0, .tag = 1};
    world_of(&job, 1)->matched_messages = &matched;
    world_of(&job, 1)->message_count = 1;
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){1});
    cr_expect_eq(world_of(&job, 1)->unexpected.items[0].details->bytes, 8);
    world_of(&job, 1)->matched_messages = NULL;
    job_clear(&job);
}

Test(unexpected, cancelled_operations_take_no_part)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED)->flags |= MPILENS_OPERATION_CANCELLED;
    build_forgotten(world_of(&job, 0), 1, 1, (uint64_t)-1, 0); /* the runtime counts it back */
    build_send(world_of(&job, 0), 1, 1, 2, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 2, BUILD_PENDING)->flags |= MPILENS_OPERATION_CANCELLED;
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 1, (int[]){2});
    job_clear(&job);
}

Test(unexpected, sender_that_cannot_be_read_says_nothing)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    process_clear_contents(&job.processes[0]);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    job_clear(&job);
}

Test(unexpected, counts_that_disagree_because_the_job_runs)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 1, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 1, BUILD_RETIRED);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 3); /* received after the sender was read */
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 0);
    job_clear(&job);
}

Test(unexpected, partitioned_messages_are_not_under_way)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING)->flags |= MPILENS_OPERATION_PARTITIONED;
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED)->flags |= MPILENS_OPERATION_PARTITIONED;
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_RETIRED)->flags |= MPILENS_OPERATION_PARTITIONED;
    infer_unexpected(opened_dll(), &job);
    cr_expect_eq(world_of(&job, 1)->unexpected.count, 0);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 0);
    job_clear(&job);
}

Test(unexpected, a_message_beside_partitioned_ones)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING)->flags |= MPILENS_OPERATION_PARTITIONED;
    const uint64_t serial = build_send(world_of(&job, 0), 1, 1, 8, BUILD_RETIRED)->serial;
    infer_unexpected(opened_dll(), &job);
    cr_assert_eq(world_of(&job, 1)->unexpected.count, 1);
    cr_expect_eq(world_of(&job, 1)->unexpected.items[0].serial, serial);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 0);
    job_clear(&job);
}

/* One of the receives of rank 1 was not recorded. */
static struct job lose_a_receive(void)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 3, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 4, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 3, BUILD_RETIRED);
    job.processes[1].untracked_operations = 1;
    return job;
}

Test(unexpected, nothing_is_inferred_where_records_were_lost)
{
    struct job job = lose_a_receive();
    build_receive(world_of(&job, 1), 0, 0, 4, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 0);
    cr_expect_eq(world_of(&job, 1)->receives.items[0].match_rank, -1);
    cr_expect_not(world_of(&job, 1)->receives.items[0].match_is_possible);
    for (size_t i = 0; i < 2; i++)
        cr_expect_not(world_of(&job, 0)->completed.items[i].received);
    job_clear(&job);
}

Test(unexpected, messages_beyond_lost_records_are_counted)
{
    struct job job = lose_a_receive();
    for (int i = 0; i < 5; i++)
        build_send(world_of(&job, 0), 1, 1, 5, BUILD_RETIRED);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 5);
    job_clear(&job);
}

Test(unexpected, pending_sends_match_at_most_possibly_where_records_were_lost)
{
    struct job job = lose_a_receive();
    build_send(world_of(&job, 0), 1, 1, 5, BUILD_PENDING);
    build_send(world_of(&job, 0), 1, 1, 6, BUILD_PENDING);
    build_receive(world_of(&job, 1), 0, 0, 6, BUILD_PENDING);
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    const struct operation *receive = &world_of(&job, 1)->receives.items[0];
    cr_expect_eq(receive->match_rank, -1);
    cr_expect(receive->match_is_possible);
    cr_expect_not(world_of(&job, 0)->sends.items[0].match_is_possible);
    cr_expect(world_of(&job, 0)->sends.items[1].match_is_possible);
    job_clear(&job);
}

Test(unexpected, the_sender_of_lost_records_says_nothing_either)
{
    struct job job = lose_a_receive();
    job.processes[0].untracked_objects = 1;
    job.processes[1].untracked_operations = 0;
    infer_unexpected(opened_dll(), &job);
    expect_tags(world_of(&job, 1), 0, NULL);
    cr_expect_eq(world_of(&job, 1)->unexpected_unknown, 1);
    job_clear(&job);
}

/* Rank 1's MPI had a message with tag 7. Its sender was read some seconds before. */
static struct job take_out(double sent_s, double taken_s)
{
    struct job job = build_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED)->age_s = sent_s;
    build_exact(world_of(&job, 1), 0, 0, 7)->age_s = taken_s;
    job.processes[0].ages_end_s = 1000;
    job.processes[1].ages_end_s = 1003;
    return job;
}

Test(unexpected, exact_messages_find_sends_of_processes_that_were_read_before)
{
    struct job job = take_out(6, 8.5);
    infer_unexpected(opened_dll(), &job);
    const struct operations *unexpected = &world_of(&job, 1)->unexpected;
    cr_assert_eq(unexpected->count, 1);
    cr_expect(unexpected->items[0].exact);
    cr_expect_str_eq(unexpected->items[0].details->function, "MPI_Isend");
    cr_expect_float_eq(unexpected->items[0].age_s, 6, 1e-9, "as its sender says");
    cr_expect_float_eq(world_of(&job, 0)->completed.items[0].age_s, 6, 1e-9);
    job_clear(&job);
}

Test(unexpected, exact_messages_are_not_sends_of_later)
{
    struct job job = take_out(4, 8.5);
    infer_unexpected(opened_dll(), &job);
    const struct operations *unexpected = &world_of(&job, 1)->unexpected;
    cr_assert_eq(unexpected->count, 1);
    cr_expect_str_eq(unexpected->items[0].details->function, "");
    job_clear(&job);
}

Test(unexpected, oldest_message_of_senders_that_were_read_at_different_times)
{
    struct job job = build_job(3);
    build_send(world_of(&job, 0), 2, 2, 1, BUILD_PENDING)->age_s = 5;
    build_send(world_of(&job, 1), 2, 2, 2, BUILD_PENDING)->age_s = 6;
    build_receive(world_of(&job, 2), -1, -1, -1, BUILD_PENDING);
    for (int i = 0; i < 3; i++)
        job.processes[i].ages_end_s = i == 0 ? 1000 : 1002;
    infer_unexpected(opened_dll(), &job);
    cr_assert_eq(world_of(&job, 2)->unexpected.count, 1);
    cr_expect_eq(world_of(&job, 2)->unexpected.items[0].tag, 2, "rank 0 was the first to send");
    job_clear(&job);
}

/* As a snapshot does that was made of parts. */
Test(unexpected, exact_messages_find_their_sends_again)
{
    struct job job = take_out(14, 2);
    job.processes[0].ages_end_s = 1014;
    job.processes[1].unexpected_mode = MPILENS_UNEXPECTED_EXACT;
    for (int i = 0; i < 2; i++) {
        infer_unexpected(opened_dll(), &job);
        const struct operations *unexpected = &world_of(&job, 1)->unexpected;
        cr_assert_eq(unexpected->count, 1);
        cr_expect_str_eq(unexpected->items[0].details->function, "MPI_Isend");
        cr_expect_eq(world_of(&job, 0)->completed.items[0].unexpected_at, 1, "it is that of rank 1");
    }
    job_clear(&job);
}

Test(unexpected, exact_messages_of_parts_of_one_round_find_their_sends)
{
    struct job job = take_out(6, 20);
    for (int i = 0; i < 2; i++) {
        job.processes[i].part = 1 + (size_t)i;
        job.processes[i].ages_end_s = 0;
    }
    job.processes[1].unexpected_mode = MPILENS_UNEXPECTED_EXACT;
    job.processes[1].unexpected_as_of_s = 0.2;
    infer_unexpected(opened_dll(), &job);
    const struct operations *unexpected = &world_of(&job, 1)->unexpected;
    cr_assert_eq(unexpected->count, 1);
    cr_expect_str_eq(unexpected->items[0].details->function, "MPI_Isend");
    job_clear(&job);
}
