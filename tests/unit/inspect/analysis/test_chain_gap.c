/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that go from rank to rank, each under a tag of its own, and the rank that has not passed one on.
 */
#include "analysis/messages/messages.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { ranks = 4, waiting = 2, last_tag = 9, credit_tag = 999 };
/* Addresses of calls. */
enum { send_place = 1, take_place, other_send_place, other_place };

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

static void send_at(uint64_t place, int from, int to, int tag)
{
    build_details(build_send(world_of(&job, from), to, to, tag, BUILD_RETIRED))->site_address = place;
}

static struct operation *take_at(uint64_t place, int source, int rank, int tag, enum build_status status)
{
    struct operation *receive = build_receive(world_of(&job, rank), source, source, tag, status);
    build_details(receive)->site_address = place;
    receive->flags |= MPILENS_OPERATION_BLOCKING;
    return receive;
}

static void give(int from, int to, int tag)
{
    send_at(send_place, from, to, tag);
    struct operation *receive = take_at(take_place, -1, to, tag, BUILD_RETIRED);
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

/* Rank 1 has got the last one. */
static void keep(void)
{
    pass_along(3, last_tag, ranks - 2);
}

/* It has not passed that on to rank 2, and has begun the next. */
static void leave_out(void)
{
    keep();
    send_at(send_place, 1, waiting, last_tag + 1);
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
    keep();
    cr_expect_eq(find_blamed(), -1);
}

/* It may need another kind of message to pass this one on. */
Test(chain_gap, rank_waits_for_the_next)
{
    pass_along_all(1);
    keep();
    take_at(take_place, -1, 1, last_tag + 1, BUILD_PENDING);
    cr_expect_eq(find_blamed(), -1);
}

/* It may hold up both. */
Test(chain_gap, rank_has_got_the_next)
{
    pass_along_all(1);
    keep();
    give(0, 1, last_tag + 1);
    cr_expect_eq(find_blamed(), -1);
}

static void pass_the_next_on(void)
{
    pass_along_all(1);
    keep();
    give(0, 1, last_tag + 1);
    send_at(send_place, 1, waiting, last_tag + 1);
}

Test(chain_gap, rank_has_passed_the_next_on)
{
    pass_the_next_on();
    cr_expect_eq(find_blamed(), 1);
}

Test(chain_gap, rank_has_passed_the_next_on_and_waits_for_one_more)
{
    pass_the_next_on();
    take_at(take_place, -1, 1, last_tag + 2, BUILD_PENDING);
    cr_expect_eq(find_blamed(), 1);
}

/* One line of the program receives all: a credit is awaited there for the first time. */
Test(chain_gap, rank_waits_for_the_first_message_of_another_kind)
{
    pass_the_next_on();
    take_at(take_place, -1, 1, credit_tag, BUILD_PENDING);
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, rank_waits_for_any_tag)
{
    pass_the_next_on();
    take_at(take_place, -1, 1, -1, BUILD_PENDING)->tag_wild = true;
    cr_expect_eq(find_blamed(), -1);
}

static void be_in(const char *function, uint32_t call_class, int tag)
{
    struct thread *thread = add_judged_thread(&job, 1, function, call_class);
    thread->communicator_id = world_of(&job, 1)->id;
    thread->tag = tag;
}

/* As mpi4py receives objects. */
Test(chain_gap, rank_probes_for_another_kind)
{
    pass_the_next_on();
    be_in("MPI_Mprobe", MPILENS_CALL_PROBE, credit_tag);
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, rank_probes_for_one_more)
{
    pass_the_next_on();
    be_in("MPI_Mprobe", MPILENS_CALL_PROBE, last_tag + 2);
    cr_expect_eq(find_blamed(), 1);
}

Test(chain_gap, rank_is_in_a_collective_call)
{
    pass_the_next_on();
    be_in("MPI_Bcast", MPILENS_CALL_COLLECTIVE, 0);
    cr_expect_eq(find_blamed(), -1);
}

/* A credit that it asked for before. */
Test(chain_gap, rank_waits_for_an_earlier_receive)
{
    const uint64_t credit = take_at(other_place, waiting, 1, credit_tag, BUILD_PENDING)->serial;
    pass_the_next_on();
    wait_for(&job, 1, "MPI_Wait", MPILENS_CALL_WAIT, credit, 0);
    cr_expect_eq(find_blamed(), -1);
}

/* It has asked the receiver for something, where it sends all. */
Test(chain_gap, rank_has_sent_the_receiver_another_kind)
{
    pass_along_all(1);
    keep();
    send_at(send_place, 1, waiting, credit_tag);
    cr_expect_eq(find_blamed(), -1);
}

/* Rank 2 gives a credit for each message that rank 1 passes on to it, and has left out the last one. */
static void wait_for_credit(uint64_t place)
{
    for (int tag = 1; tag < last_tag; tag++) {
        send_at(other_send_place, waiting, 1, credit_tag);
        take_at(place, waiting, 1, credit_tag, BUILD_RETIRED);
        pass_along(tag % ranks, tag, ranks - 1);
    }
    keep();
    take_at(place, waiting, 1, credit_tag, BUILD_PENDING);
}

Test(chain_gap, rank_waits_for_a_credit)
{
    wait_for_credit(other_place);
    cr_expect_eq(find_blamed(), -1);
}

/* One line of the program receives all. */
Test(chain_gap, rank_waits_for_a_credit_where_it_takes_messages)
{
    wait_for_credit(take_place);
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, credits_of_anybody_come_again_and_again)
{
    wait_for_credit(take_place);
    struct operation *credit = &world_of(&job, 1)->receives.items[0];
    credit->peer_local = credit->peer_world = -1;
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, rank_waits_for_parameters)
{
    pass_along_all(1);
    keep();
    take_at(other_place, 0, 1, last_tag + 1, BUILD_PENDING);
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, rank_has_told_the_sender_that_it_has_the_message)
{
    pass_along_all(1);
    keep();
    send_at(other_send_place, 1, 0, credit_tag);
    cr_expect_eq(find_blamed(), -1);
}

/* It may have got this one after the next. */
Test(chain_gap, receives_are_begun_ahead)
{
    pass_the_next_on();
    struct operations *completed = &world_of(&job, 1)->completed;
    for (size_t i = 0; i < completed->count; i++)
        if (completed->items[i].tag == last_tag)
            completed->items[i].flags &= ~MPILENS_OPERATION_BLOCKING;
    cr_expect_eq(find_blamed(), -1);
}

/* It passes on what it has got before. */
Test(chain_gap, rank_is_late_with_two)
{
    pass_along_all(1);
    pass_along(3, last_tag + 1, ranks - 2);
    keep();
    give(1, waiting, last_tag + 1);
    cr_expect_eq(find_blamed(), -1);
}

/* Messages under higher tags are old. */
Test(chain_gap, tags_begin_anew)
{
    for (int tag = last_tag + 16; tag < last_tag + 24; tag++)
        pass_along(tag % ranks, tag, ranks - 1);
    keep();
    cr_expect_eq(find_blamed(), -1);
}

/* It waits for a second one, while rank 3 has not passed the first one on to rank 0, but goes on. */
Test(chain_gap, receiver_has_had_it)
{
    pass_along(1, last_tag, ranks - 2);
    for (int tag = last_tag + 1; tag < last_tag + 8; tag++)
        pass_along(tag % ranks, tag, ranks - 1);
    take_at(take_place, -1, 3, last_tag + 8, BUILD_PENDING);
    cr_expect_eq(find_blamed(), -1);
}

/* As above, but it has begun the first one itself. */
Test(chain_gap, receiver_has_begun_it)
{
    pass_along(waiting, last_tag, ranks - 2);
    for (int tag = last_tag + 1; tag < last_tag + 8; tag++)
        pass_along(tag % ranks, tag, ranks - 1);
    take_at(take_place, -1, 0, last_tag + 8, BUILD_PENDING);
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
    send_at(send_place, 0, 1, last_tag + 1);
    cr_expect_eq(find_blamed(), -1);
}

Test(chain_gap, records_were_lost)
{
    pass_along_all(1);
    leave_out();
    job.processes[1].untracked_operations = 1;
    cr_expect_eq(find_blamed(), -1);
}
