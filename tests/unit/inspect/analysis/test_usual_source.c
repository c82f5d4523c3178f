/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source that is next to send to a receive from any source, by the messages that rank 0 has received at its place.
 */
#include "analysis/messages/messages.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { here = 4096, elsewhere = 8192 };

static struct job job;

static void begin(void)
{
    job = build_job(4);
}

static void end(void)
{
    job_clear(&job);
}

TestSuite(usual_source, .init = begin, .fini = end);

static void take_of(int source, int tag, const char *datatype, uint64_t place)
{
    struct operation *receive = build_receive(world_of(&job, 0), -1, -1, tag, BUILD_RETIRED);
    build_actual(world_of(&job, 0), receive, source, source, tag);
    build_details(receive)->datatype = datatype;
    build_details(receive)->site_address = place;
}

static void take(int source, int tag)
{
    take_of(source, tag, "MPI_DOUBLE", here);
}

static void take_from_both(int tag)
{
    take(1 + tag % 2, tag);
    take(2 - tag % 2, tag);
}

/* -1: nobody's. */
static int find_turn_of(int tag, bool tag_wild)
{
    const struct wanted_message wanted = {.receiver = &job.processes[0],
                                          .communicator = world_of(&job, 0),
                                          .peer_local = -1,
                                          .peer_world = -1,
                                          .tag = tag,
                                          .tag_wild = tag_wild,
                                          .datatype = "MPI_DOUBLE",
                                          .site_address = here};
    const struct operation *usual = usual_source_find(&wanted);
    return usual != NULL ? usual->actual_world : -1;
}

static int find_turn(int tag)
{
    return find_turn_of(tag, false);
}

Test(usual_source, is_missing_in_its_round)
{
    for (int tag = 1; tag <= 4; tag++)
        take_from_both(tag);
    take(1, 5);
    cr_expect_eq(find_turn(5), 2);
}

/* As libraries have one place for messages of all types. */
Test(usual_source, is_that_of_rounds_of_its_type)
{
    for (int tag = 1; tag <= 8; tag += 2) {
        take_from_both(tag);
        take_of(1, tag + 1, "MPI_INT", here);
        take_of(3, tag + 1, "MPI_DOUBLE", elsewhere);
    }
    take(1, 9);
    cr_expect_eq(find_turn(9), 2);
}

Test(usual_source, oldest_round_may_be_half_forgotten)
{
    take(2, 1);
    for (int tag = 2; tag <= 4; tag++)
        take_from_both(tag);
    take(2, 5);
    cr_expect_eq(find_turn(5), 1);
}

Test(usual_source, is_not_known_after_two_rounds)
{
    for (int tag = 1; tag <= 3; tag++)
        take_from_both(tag);
    take(1, 4);
    cr_expect_eq(find_turn(4), -1);
}

Test(usual_source, is_not_known_where_two_are_missing)
{
    for (int tag = 1; tag <= 4; tag++) {
        take_from_both(tag);
        take(3, tag);
    }
    take(1, 5);
    cr_expect_eq(find_turn(5), -1);
}

Test(usual_source, is_not_known_where_rounds_differ)
{
    for (int tag = 1; tag <= 6; tag++) {
        take(1, tag);
        take(2 + tag % 2, tag);
    }
    take(1, 7);
    cr_expect_eq(find_turn(7), -1);
}

Test(usual_source, comes_in_turn_whatever_the_tags)
{
    for (int tag = 1; tag <= 9; tag++)
        take(1 + tag % 3, tag);
    cr_expect_eq(find_turn(10), 2);
}

/* One line of the program may receive all: a message of another kind may be anybody's. */
Test(usual_source, is_not_known_of_a_tag_that_comes_for_the_first_time)
{
    for (int i = 0; i < 9; i++)
        take(1 + i % 3, 7);
    cr_expect_eq(find_turn(7), 1);
    cr_expect_eq(find_turn(99), -1);
    cr_expect_eq(find_turn_of(7, true), -1);
}

Test(usual_source, is_not_known_of_the_first_message_with_a_tag_of_its_own)
{
    for (int tag = 1; tag <= 5; tag++)
        take(1, tag);
    cr_expect_eq(find_turn(99), -1);
}
