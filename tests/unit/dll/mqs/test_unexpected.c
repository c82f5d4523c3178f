/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The third queue: inferred from several processes that one debugger has set up.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3 };

struct member {
    struct fake_job job;
    struct fake_debugger debugger;
    mqs_process *process;
    uint64_t thread;
    bool is_published;
    bool is_set_up;
    uint64_t reads_before; /* it was destroyed */
};

static struct member members[RANKS];

/* Rank `rank` of a job of four, in a call. */
static void create_member(struct member *member, int32_t rank)
{
    *member = (struct member){.is_set_up = false};
    fake_job_create(&member->job, &(struct fake_options){.memory_bytes = (size_t)1 << 17});
    fake_debugger_init(&member->debugger, member->job.target);
    member->process = fake_process(&member->debugger);
    member->job.target->process.world_rank = rank;
    member->job.target->process.state = MPILENS_PROCESS_RUNNING;
    fake_target_put_field(member->job.target, member->job.world, MPILENS_FIELD_communicator_rank, (uint32_t)rank);
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE,
                                          .tid = 4711,
                                          .function = member->job.function.barrier,
                                          .communicator = member->job.world,
                                          .entered = 6000};
    member->thread = fake_target_add(member->job.target, MPILENS_TABLE_THREADS, &thread);
}

static void set_up(struct member *member)
{
    if (!member->is_published)
        fake_target_publish(member->job.target);
    member->is_published = true;
    cr_assert_eq(mqs_setup_image(fake_image(&member->debugger), &member->debugger.image), mqs_ok);
    cr_assert_eq(mqs_setup_process(member->process, &member->debugger.process), mqs_ok);
    member->is_set_up = true;
}

static void destroy(struct member *member)
{
    if (!member->is_set_up)
        return;
    mqs_destroy_process_info(member->debugger.process_info);
    mqs_destroy_image_info(member->debugger.image_info);
    member->debugger.process_info = NULL;
    member->debugger.image_info = NULL;
    member->is_set_up = false;
}

/* Destroys the earlier setup late, or never. */
static void set_up_again(struct member *member)
{
    mqs_process_info *before = member->debugger.process_info;
    cr_assert_eq(mqs_setup_process(member->process, &member->debugger.process), mqs_ok);
    mqs_destroy_process_info(before);
    cr_assert_eq(mqs_setup_process(member->process, &member->debugger.process), mqs_ok);
}

static void create_members(void)
{
    for (int32_t rank = 0; rank < RANKS; rank++)
        create_member(&members[rank], rank);
    mqs_setup_basic_callbacks(&members[0].debugger.basic);
}

static void set_all_up(void)
{
    for (size_t i = 0; i < RANKS; i++)
        set_up(&members[i]);
}

static void destroy_members(void)
{
    for (size_t i = 0; i < RANKS; i++)
        destroy(&members[i]);
    fail_after_test_unless(fake_allocations_held() == 0, "memory of the DLL is not freed");
    for (size_t i = 0; i < RANKS; i++)
        fake_target_destroy(members[i].job.target);
}

TestSuite(unexpected, .init = create_members, .fini = destroy_members);

static void count_messages(struct member *member, int32_t peer, uint64_t sent, uint64_t received)
{
    const struct mpilens_channel channel = {.state = 1,
                                            .peer = peer,
                                            .communicator = member->job.world,
                                            .communicator_id = 100,
                                            .sent = sent,
                                            .received = received};
    fake_target_add(member->job.target, MPILENS_TABLE_CHANNELS, &channel);
}

static void add_send(struct member *member, int32_t peer, int32_t tag, uint32_t state)
{
    struct mpilens_operation send =
        fake_job_operation(&member->job, member->job.function.isend, MPILENS_OPERATION_SEND, peer, tag);
    send.state = state;
    fake_job_add(&member->job, &send);
}

static void add_receive(struct member *member, int32_t peer, int32_t tag)
{
    const struct mpilens_operation receive =
        fake_job_operation(&member->job, member->job.function.irecv, MPILENS_OPERATION_RECEIVE, peer, tag);
    fake_job_add(&member->job, &receive);
}

static void take_out(struct member *member, int32_t source, int32_t tag, uint64_t arrival)
{
    const struct mpilens_unexpected message = {.state = MPILENS_OBJECT_LIVE,
                                               .source = source,
                                               .bytes = 44,
                                               .communicator = member->job.world,
                                               .arrival = arrival,
                                               .taken_time = 7000,
                                               .tag = tag};
    fake_target_add(member->job.target, MPILENS_TABLE_UNEXPECTED, &message);
    member->job.target->process.unexpected_mode = MPILENS_UNEXPECTED_EXACT;
    member->job.target->process.unexpected_as_of = 7001;
}

static bool go_to_world(const struct member *member)
{
    mqs_communicator communicator;
    for (int code = mqs_setup_communicator_iterator(member->process); code == mqs_ok;
         code = mqs_next_communicator(member->process))
        if (mqs_get_communicator(member->process, &communicator) == mqs_ok && communicator.unique_id == 100)
            return true;
    return false;
}

/* "0:7 0:8 1:x2 ": sender and tag of each, or how many; of an exact one "!" before it. The texts of the last one. */
static const char *list_again(const struct member *member, mqs_pending_operation *ret_last)
{
    static char text[512];
    size_t length = 0;
    text[0] = '\0';
    if (!go_to_world(member) || mqs_setup_operation_iterator(member->process, mqs_unexpected_messages) != mqs_ok)
        return "no information";
    while (mqs_next_operation(member->process, ret_last) == mqs_ok) {
        struct mpilens_unexpected_information more = {.struct_size = sizeof more};
        cr_assert_eq(mpilens_get_unexpected(member->process, &more), mqs_ok);
        cr_assert_eq(ret_last->status, mqs_st_pending);
        cr_assert_eq(ret_last->system_buffer, 1);
        cr_assert_eq(ret_last->actual_global_rank, more.peer_world);
        cr_assert_eq(ret_last->actual_length, more.bytes);
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%ld:%s%ld ",
                             more.origin == MPILENS_ORIGIN_EXACT ? "!" : "", ret_last->actual_local_rank,
                             more.is_counted ? "x" : "", more.is_counted ? (long)more.count : ret_last->actual_tag);
    }
    return text;
}

static const char *list(const struct member *member, mqs_pending_operation *ret_last)
{
    cr_assert_eq(mqs_update_communicator_list(member->process), mqs_ok);
    return list_again(member, ret_last);
}

/* Rank 0 has sent three messages to rank 1, which waits for one of them. */
static void send_three(void)
{
    add_send(&members[0], 1, 7, MPILENS_OPERATION_RETIRED);
    add_send(&members[0], 1, 8, MPILENS_OPERATION_PENDING);
    add_send(&members[0], 1, 9, MPILENS_OPERATION_PENDING);
    count_messages(&members[0], 1, 3, 0);
    add_receive(&members[1], FAKE_ANY_SOURCE, 8);
}

Test(unexpected, are_what_others_have_sent_and_nobody_takes)
{
    mqs_pending_operation last;
    send_three();
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:9 ");
    cr_assert_str_eq(last.extra_text[0], "MPI_Isend, nonblocking");
    cr_assert_str_eq(last.extra_text[1], "10 x MPI_INT");
    cr_assert_str_eq(last.extra_text[2], "called from 0x401003 in rank 0");
    cr_assert_str_eq(last.extra_text[3], "inferred from rank 0, read at the same time");
    cr_assert_str_eq(last.extra_text[4], "");
    cr_assert_eq(last.actual_length, 40);
    cr_assert_str_eq(list(&members[0], &last), "");
    cr_assert_str_eq(list(&members[2], &last), "");
}

static void add_send_after(struct member *member, int32_t tag, uint64_t hours)
{
    struct mpilens_operation send =
        fake_job_operation(&member->job, member->job.function.isend, MPILENS_OPERATION_SEND, 1, tag);
    send.posted_time += hours * 3600 * 1000000000;
    fake_job_add(&member->job, &send);
}

/* Its own is the only one that a debugger with a DLL for each process can know of. */
Test(unexpected, are_listed_by_age_and_its_own_without_any_other_process)
{
    mqs_pending_operation last;
    add_send(&members[1], 1, 5, MPILENS_OPERATION_PENDING);
    count_messages(&members[1], 1, 1, 0);
    add_send_after(&members[0], 7, 1);
    add_send_after(&members[2], 6, 2);
    add_send_after(&members[0], 8, 3);
    count_messages(&members[0], 1, 2, 0);
    count_messages(&members[2], 1, 1, 0);
    set_up(&members[1]);
    cr_assert_str_eq(list(&members[1], &last), "1:5 ");
    cr_assert_str_eq(last.extra_text[3], "inferred from rank 1, read at the same time");
    set_up(&members[0]);
    set_up(&members[2]);
    cr_assert_str_eq(list(&members[1], &last), "1:5 0:7 2:6 0:8 ");
}

static void add_received(struct member *member, int32_t peer, int32_t actual, int32_t tag, uint64_t hours)
{
    struct mpilens_operation receive =
        fake_job_operation(&member->job, member->job.function.irecv, MPILENS_OPERATION_RECEIVE, peer, tag);
    receive.state = MPILENS_OPERATION_RETIRED;
    receive.actual_source = actual;
    receive.actual_tag = tag;
    receive.posted_time += hours * 3600 * 1000000000;
    fake_job_add(&member->job, &receive);
}

/* From the one on behind that whose message was last found there: not of a message that a receive has waited for. */
Test(unexpected, are_in_turn_where_the_library_looks_for_them_so)
{
    mqs_pending_operation last;
    members[1].job.target->process.senders_in_turn = 1;
    add_send(&members[1], 1, 5, MPILENS_OPERATION_PENDING);
    count_messages(&members[1], 1, 1, 0);
    add_send_after(&members[0], 7, 1);
    add_send_after(&members[2], 6, 2);
    add_send_after(&members[0], 8, 3);
    count_messages(&members[0], 1, 2, 0);
    count_messages(&members[2], 1, 1, 0);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "1:5 2:6 0:7 0:8 ");
}

Test(unexpected, begin_behind_the_one_that_was_found_last)
{
    mqs_pending_operation last;
    members[1].job.target->process.senders_in_turn = 1;
    add_send(&members[1], 1, 5, MPILENS_OPERATION_PENDING);
    count_messages(&members[1], 1, 1, 0);
    add_send_after(&members[0], 7, 1);
    add_send_after(&members[0], 8, 3);
    add_send_after(&members[2], 6, 2);
    count_messages(&members[0], 1, 2, 0);
    count_messages(&members[2], 1, 2, 1);
    add_send_after(&members[2], 9, 6);
    add_received(&members[1], FAKE_ANY_SOURCE, 1, 4, 1);
    add_received(&members[1], FAKE_ANY_SOURCE, 2, 6, 1); /* waited for it */
    count_messages(&members[1], 2, 0, 1);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "2:9 0:7 1:5 0:8 ");
}

/* The debugger forgets what it had before. */
Test(unexpected, leave_nothing_behind_of_what_was_set_up_twice)
{
    mqs_pending_operation last;
    send_three();
    for (int i = 0; i < 3; i++)
        set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:9 ");
}

Test(unexpected, of_which_only_the_number_is_known_are_one_entry)
{
    mqs_pending_operation last;
    send_three();
    count_messages(&members[2], 1, 5, 0);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:9 2:x5 ");
    cr_assert_str_eq(last.extra_text[0], "5 more messages of rank 2, older than its recorder");
    cr_assert_eq(last.actual_tag, -1);
}

Test(unexpected, are_not_known_while_no_other_process_is)
{
    mqs_pending_operation last;
    send_three();
    set_up(&members[1]);
    cr_assert_str_eq(list(&members[1], &last), "no information");
    set_up(&members[0]);
    cr_assert_str_eq(list_again(&members[1], &last), "0:7 0:9 ");
    destroy(&members[0]);
    cr_assert_str_eq(list_again(&members[1], &last), "0:7 0:9 ");
    cr_assert_str_eq(list(&members[1], &last), "no information");
}

Test(unexpected, of_other_jobs_are_kept_apart)
{
    mqs_pending_operation last;
    send_three();
    strcpy(members[0].job.target->process.job_identity, "pmix 42");
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "");
    cr_assert_str_eq(list(&members[0], &last), "no information");
}

Test(unexpected, of_several_jobs_that_do_not_know_which_they_are_are_not_mixed)
{
    mqs_pending_operation last;
    send_three();
    for (size_t i = 0; i < RANKS; i++)
        strcpy(members[i].job.target->process.job_identity, "");
    members[2].job.target->process.world_rank = 0;
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "no information");
}

Test(unexpected, of_processes_that_cannot_be_read_are_left_out)
{
    mqs_pending_operation last;
    send_three();
    set_all_up();
    members[2].debugger.fail_read = 1;
    members[2].debugger.fail_later_reads = true;
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:9 ");
    struct mpilens_unexpected_information more = {.struct_size = sizeof more};
    mqs_setup_operation_iterator(members[1].process, mqs_unexpected_messages);
    mqs_next_operation(members[1].process, &last);
    cr_assert_str_eq(last.extra_text[4], "1 process could not be read: left out");
    cr_assert_eq(mpilens_get_unexpected(members[1].process, &more), mqs_ok);
    cr_assert_eq(more.left_out, 1);
    const uint64_t reads = members[2].debugger.reads;
    cr_assert_str_eq(list_again(&members[1], &last), "0:7 0:9 ");
    cr_assert_eq(members[2].debugger.reads, reads, "it is tried again");
}

/* By which it is seen whether a process has moved: the root and the threads. A copy takes many more reads. */
enum { READS_FOR_A_LOOK = 4, LEAST_READS_FOR_A_COPY = 10 };

Test(unexpected, walk_reads_each_process_once)
{
    mqs_pending_operation last;
    uint64_t reads[RANKS] = {0};
    send_three();
    set_all_up();
    for (unsigned round = 0; round < 3; round++) {
        cr_assert_str_eq(list(&members[1], &last), "0:7 0:9 ");
        for (size_t i = 0; i < RANKS; i++) {
            const uint64_t more = members[i].debugger.reads - reads[i];
            cr_assert(i == 1 || round == 0 ? more >= LEAST_READS_FOR_A_COPY : more <= READS_FOR_A_LOOK);
            reads[i] = members[i].debugger.reads;
        }
        cr_assert_str_eq(list(&members[0], &last), "");
        cr_assert_str_eq(list(&members[2], &last), "");
        for (size_t i = 0; i < RANKS; i++) {
            cr_assert_leq(members[i].debugger.reads - reads[i], READS_FOR_A_LOOK);
            reads[i] = members[i].debugger.reads;
        }
    }
}

Test(unexpected, of_processes_that_were_all_read_before_need_no_more_reading)
{
    mqs_pending_operation last;
    send_three();
    set_all_up();
    uint64_t reads[RANKS];
    for (size_t i = 0; i < RANKS; i++) {
        cr_assert_eq(mqs_update_communicator_list(members[i].process), mqs_ok);
        reads[i] = members[i].debugger.reads;
    }
    for (size_t i = RANKS; i-- > 0;)
        cr_assert_str_eq(list_again(&members[i], &last), i == 1 ? "0:7 0:9 " : "");
    for (size_t i = 0; i < RANKS; i++)
        cr_assert_eq(members[i].debugger.reads, reads[i]);
}

/* The thread goes on, and has sent another message. */
static void move_on(struct member *member)
{
    add_send(member, 1, 77, MPILENS_OPERATION_PENDING);
    fake_target_put_field(member->job.target, member->thread, MPILENS_FIELD_thread_entered, 6001);
    fake_target_put_field(member->job.target, member->thread, MPILENS_FIELD_thread_operations, member->job.serial);
    fake_target_publish(member->job.target);
}

Test(unexpected, follow_processes_that_go_on)
{
    mqs_pending_operation last;
    add_send(&members[0], 1, 7, MPILENS_OPERATION_PENDING);
    count_messages(&members[0], 1, 2, 0);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:x1 ");
    move_on(&members[0]);
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:77 ");
}

Test(unexpected, leave_what_the_debugger_has_of_others_as_it_is)
{
    mqs_pending_operation last;
    mqs_pending_operation operation;
    add_send(&members[0], 1, 7, MPILENS_OPERATION_PENDING);
    count_messages(&members[0], 1, 2, 0);
    set_all_up();
    cr_assert_eq(mqs_update_communicator_list(members[0].process), mqs_ok);
    cr_assert(go_to_world(&members[0]));
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:x1 ");
    move_on(&members[0]);
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:77 ");
    cr_assert_eq(mqs_setup_operation_iterator(members[0].process, mqs_pending_sends), mqs_ok);
    cr_assert_eq(mqs_next_operation(members[0].process, &operation), mqs_ok);
    cr_assert_eq(mqs_next_operation(members[0].process, &operation), mqs_end_of_list);
    const uint64_t reads = members[0].debugger.reads;
    cr_assert_eq(mqs_update_communicator_list(members[0].process), mqs_ok);
    cr_assert_leq(members[0].debugger.reads, reads + READS_FOR_A_LOOK);
    cr_assert(go_to_world(&members[0]));
    cr_assert_eq(mqs_setup_operation_iterator(members[0].process, mqs_pending_sends), mqs_ok);
    cr_assert_eq(mqs_next_operation(members[0].process, &operation), mqs_ok);
    cr_assert_eq(mqs_next_operation(members[0].process, &operation), mqs_ok);
    cr_assert_eq(operation.actual_tag, 77);
}

Test(unexpected, that_were_taken_out_of_mpi_are_exact)
{
    mqs_pending_operation last;
    send_three();
    take_out(&members[1], 0, 9, 2);
    take_out(&members[1], 2, 5, 1);
    set_up(&members[1]);
    cr_assert_str_eq(list(&members[1], &last), "!2:5 !0:9 ");
    cr_assert_eq(last.actual_length, 44);
    cr_assert_str_eq(last.extra_text[0], "exact: MPI had it");
    set_up(&members[0]);
    cr_assert_str_eq(list(&members[1], &last), "!2:5 !0:9 0:7 ");
    cr_assert_eq(mqs_setup_operation_iterator(members[1].process, mqs_unexpected_messages), mqs_ok);
    mqs_next_operation(members[1].process, &last);
    mqs_next_operation(members[1].process, &last);
    cr_assert_str_eq(last.extra_text[0], "MPI_Isend, nonblocking");
    cr_assert_str_eq(last.extra_text[3], "exact: MPI had it; its send from rank 0, read at the same time");
}

/* The sends of what was taken out, as they were numbered; 0: nobody remembers it. */
static void expect_sends(const struct member *member, size_t count, const uint64_t *serials)
{
    cr_assert(go_to_world(member));
    cr_assert_eq(mqs_setup_operation_iterator(member->process, mqs_unexpected_messages), mqs_ok);
    for (size_t i = 0; i < count; i++) {
        mqs_pending_operation operation;
        struct mpilens_unexpected_information more = {.struct_size = sizeof more};
        cr_assert_eq(mqs_next_operation(member->process, &operation), mqs_ok);
        cr_assert_eq(mpilens_get_unexpected(member->process, &more), mqs_ok);
        cr_expect_eq(more.origin, MPILENS_ORIGIN_EXACT);
        cr_expect_eq(more.serial, serials[i], "%zu is send %llu", i, (unsigned long long)more.serial);
    }
}

static uint64_t add_numbered_send(struct member *member, int32_t tag)
{
    struct mpilens_operation send =
        fake_job_operation(&member->job, member->job.function.isend, MPILENS_OPERATION_SEND, 1, tag);
    send.state = MPILENS_OPERATION_RETIRED;
    fake_job_add(&member->job, &send);
    return send.posted;
}

Test(unexpected, that_were_taken_out_came_after_what_a_receive_got)
{
    mqs_pending_operation last;
    add_receive(&members[1], 0, 8);
    add_numbered_send(&members[0], 8);
    const uint64_t second = add_numbered_send(&members[0], 8);
    count_messages(&members[0], 1, 2, 0);
    take_out(&members[1], 0, 8, 1);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "!0:8 ");
    expect_sends(&members[1], 1, (const uint64_t[]){second});
}

Test(unexpected, that_were_taken_out_are_the_last_of_which_the_sender_knows)
{
    mqs_pending_operation last;
    const uint64_t fourth = add_numbered_send(&members[0], 8), fifth = add_numbered_send(&members[0], 8);
    count_messages(&members[0], 1, 6, 0);
    for (uint64_t i = 1; i <= 5; i++)
        take_out(&members[1], 0, 8, i);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "!0:8 !0:8 !0:8 !0:8 !0:8 0:x1 ");
    expect_sends(&members[1], 5, (const uint64_t[]){0, 0, 0, fourth, fifth});
}

Test(unexpected, that_were_taken_out_leave_none_that_were_received)
{
    mqs_pending_operation last;
    for (int i = 0; i < 3; i++)
        add_numbered_send(&members[0], 9);
    count_messages(&members[0], 1, 5, 0);
    count_messages(&members[1], 0, 0, 2);
    for (uint64_t i = 1; i <= 3; i++)
        take_out(&members[1], 0, 7, i);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "!0:7 !0:7 !0:7 ");
    expect_sends(&members[1], 3, (const uint64_t[]){0, 0, 0});
}

Test(unexpected, that_were_taken_out_are_not_those_that_came_later)
{
    mqs_pending_operation last;
    const uint64_t early = add_numbered_send(&members[0], 8);
    struct mpilens_operation late =
        fake_job_operation(&members[0].job, members[0].job.function.isend, MPILENS_OPERATION_SEND, 1, 8);
    late.posted_time += UINT64_C(3600) * 1000000000;
    fake_job_add(&members[0].job, &late);
    count_messages(&members[0], 1, 2, 0);
    take_out(&members[1], 0, 8, 1);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "!0:8 0:8 ");
    expect_sends(&members[1], 1, (const uint64_t[]){early});
}

Test(unexpected, that_were_taken_out_may_have_been_sent_after_the_sender_was_read)
{
    mqs_pending_operation last;
    const uint64_t only = add_numbered_send(&members[0], 8);
    count_messages(&members[0], 1, 1, 0);
    take_out(&members[1], 0, 8, 1);
    take_out(&members[1], 0, 8, 2);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "!0:8 !0:8 ");
    expect_sends(&members[1], 2, (const uint64_t[]){only, 0});
}

Test(unexpected, that_were_taken_out_are_no_receives)
{
    mqs_pending_operation last;
    send_three();
    add_send(&members[2], 1, 8, MPILENS_OPERATION_PENDING);
    count_messages(&members[2], 1, 1, 0);
    take_out(&members[1], 0, 8, 1);
    set_all_up();
    cr_assert_str_eq(list(&members[1], &last), "!0:8 0:7 0:9 ");
}

static mqs_image *get_first_image(mqs_process *process)
{
    (void)process;
    return fake_image(&members[0].debugger);
}

/* All processes have the image of the first one. */
static void share_image(void)
{
    for (size_t i = 0; i < RANKS; i++)
        members[i].debugger.process.mqs_get_image_fp = get_first_image;
    cr_assert_eq(mqs_setup_image(fake_image(&members[0].debugger), &members[0].debugger.image), mqs_ok);
}

static void set_up_process(struct member *member)
{
    if (!member->is_published)
        fake_target_publish(member->job.target);
    member->is_published = true;
    cr_assert_eq(mqs_setup_process(member->process, &member->debugger.process), mqs_ok);
    member->is_set_up = true;
}

/* The debugger keeps what was put there, and does not free the image. */
static void destroy_process(struct member *member)
{
    mqs_destroy_process_info(member->debugger.process_info);
    member->is_set_up = false;
    member->reads_before = member->debugger.reads;
}

static void do_anything(struct member *member, unsigned action)
{
    mqs_pending_operation last;
    if (action == 0)
        set_up_again(member);
    else if (action == 1)
        list_again(member, &last);
    else if (action == 2)
        mqs_next_operation(member->process, &last);
    else if (action == 3)
        mqs_update_communicator_list(member->process);
    else if (member == &members[1] && members[0].is_set_up)
        cr_assert_str_eq(list(member, &last), "0:7 0:9 ");
    else
        list(member, &last);
}

Test(unexpected, survive_processes_that_come_and_go_at_random)
{
    enum { TIMES = 10000, ACTIONS = 12 };
    uint64_t random = 1;
    unsigned set_up_times = 0, destroyed_times = 0;
    send_three();
    share_image();
    while (destroyed_times < TIMES) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        struct member *member = &members[(random >> 33) % RANKS];
        const unsigned action = (unsigned)(random >> 40) % ACTIONS;
        if (!member->is_set_up) {
            set_up_process(member);
            set_up_times++;
        } else if (action >= ACTIONS / 2) {
            destroy_process(member);
            destroyed_times++;
        } else
            do_anything(member, action);
        for (size_t i = 0; i < RANKS; i++)
            cr_assert(members[i].is_set_up || members[i].debugger.reads == members[i].reads_before,
                      "a process is touched after it was destroyed");
    }
    cr_assert_geq(set_up_times, TIMES);
    for (size_t i = 0; i < RANKS; i++)
        if (members[i].is_set_up)
            destroy_process(&members[i]);
    mqs_destroy_image_info(members[0].debugger.image_info);
}

Test(unexpected, of_processes_whose_image_is_gone_are_left_out)
{
    mqs_pending_operation last;
    send_three();
    set_all_up();
    mqs_destroy_image_info(members[2].debugger.image_info);
    cr_assert_str_eq(list(&members[1], &last), "0:7 0:9 ");
    cr_assert_neq(mqs_update_communicator_list(members[2].process), mqs_ok);
    members[2].debugger.image_info = NULL;
}
