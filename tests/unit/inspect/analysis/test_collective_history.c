/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls lined up by number, and ranks with the same ones together.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { MARKED = 64, BEGUN = 100 };

static struct job job;
static struct job_index members;
static struct collective_history history;

static void end(void)
{
    job_clear(&job);
}

TestSuite(collective_history, .fini = end);

static const struct site places[] = {{.file = "a.c", .line = 10}, {.file = "a.c", .line = 20}};

static struct collective_call *make(int rank, const char *function, size_t place)
{
    struct collective_call *call = make_call(&job, rank, function, unknown, false);
    call->site = &places[place];
    return call;
}

static void line_up(void)
{
    members = job_index_create(&job);
    history = collective_history_make(&members, world_of(&job, 0));
}

static void expect_group(size_t number, const char *ranks, uint64_t begun)
{
    cr_assert_lt(number, history.group_count);
    cr_expect_str_eq(ranks_text(&history.groups[number].ranks), ranks);
    cr_expect_eq(history.groups[number].begun, begun);
}

Test(collective_history, all_alike)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        make(rank, "MPI_Bcast", 0);
        make(rank, "MPI_Barrier", 1);
    }
    line_up();
    cr_expect_eq(history.group_count, 1);
    expect_group(0, "[0-3]", 2);
    cr_expect_eq(history.count, 2);
    cr_expect_eq(history.first_difference, 0);
}

Test(collective_history, one_makes_another_call)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        make(rank, "MPI_Bcast", 0);
        make(rank, rank == 2 ? "MPI_Barrier" : "MPI_Allreduce", 1);
    }
    line_up();
    cr_expect_eq(history.group_count, 2);
    expect_group(0, "[0,1,3]", 2);
    expect_group(1, "2", 2);
    cr_expect(history.groups[1].is_odd);
    cr_expect_eq(history.last_alike, 1);
    cr_expect_eq(history.first_difference, 2);
}

Test(collective_history, another_root)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++) {
        struct collective_call *call = make(rank, "MPI_Bcast", 0);
        call->has_root = true;
        call->root = rank == 1 ? 1 : 0;
    }
    line_up();
    expect_group(1, "1", 1);
    cr_expect_eq(history.first_difference, 1);
    cr_expect_eq(history.last_alike, 0);
}

/* The root of a call may well stand at a line of its own. */
Test(collective_history, another_place_is_no_difference)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        make(rank, "MPI_Bcast", rank == 0);
    line_up();
    expect_group(0, "[1,2]", 1);
    expect_group(1, "0", 1);
    cr_expect_eq(history.first_difference, 0);
}

Test(collective_history, one_is_behind)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        for (int call = 0; call < (rank == 1 ? 2 : 3); call++)
            make(rank, "MPI_Barrier", 0);
    line_up();
    expect_group(0, "[0,2]", 3);
    expect_group(1, "1", 2);
    cr_expect_eq(history.count, 3);
    cr_expect_eq(history.first_difference, 0);
}

/* Those that have gone on remember other calls than those that have not. */
static void add_mark(int rank, uint64_t serial, const char *function)
{
    struct communicator *world = world_of(&job, rank);
    world->marks = array_append(world->marks, &world->mark_count, sizeof *world->marks);
    world->marks[world->mark_count - 1] = (struct collective_mark){
        .serial = serial, .function = function, .small_count = "", .site = &places[0], .root = -1};
}

Test(collective_history, marks_tell_of_earlier_calls)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++) {
        add_mark(rank, MARKED / 2, "MPI_Bcast");
        add_mark(rank, MARKED, rank == 0 ? "MPI_Barrier" : "MPI_Bcast");
        world_of(&job, rank)->collective_calls = BEGUN + (uint64_t)rank;
        make(rank, "MPI_Allreduce", 1);
    }
    line_up();
    cr_expect_eq(history.first_difference, MARKED);
    cr_expect_eq(history.last_alike, MARKED / 2);
    cr_expect_eq(history.count, 5);
    cr_expect_eq(history.group_count, 3);
}

Test(collective_history, communicators_with_a_difference_come_first)
{
    enum { ROW = 7 };
    job = new_judged_job(2);
    for (int rank = 0; rank < 2; rank++) {
        make(rank, "MPI_Barrier", 0);
        struct communicator *row = build_communicator(&job.processes[rank], ROW, rank, 2, 0);
        row->recent_collectives =
            array_append(row->recent_collectives, &row->collective_call_count, sizeof *row->recent_collectives);
        row->recent_collectives[0] = *make(rank, rank == 0 ? "MPI_Barrier" : "MPI_Bcast", 0);
        row->recent_collectives[0].serial = row->collective_calls = 1;
        world_of(&job, rank)->collective_call_count = 1;
    }
    members = job_index_create(&job);
    struct rank_set chosen = {.count = 0};
    struct collective_histories all = collective_histories_make(&members, &chosen);
    cr_assert_eq(all.count, 2);
    cr_expect_eq(all.items[0].members.items[0].communicator->id, ROW);
    cr_expect_neq(all.items[0].first_difference, 0);
    cr_expect_eq(all.items[1].first_difference, 0);
}

/* Two ranks have fenced twice, one of them a third time, at another place than before. */
Test(collective_history, of_a_window)
{
    job = new_judged_job(2);
    for (int rank = 0; rank < 2; rank++) {
        struct process *process = &job.processes[rank];
        process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
        struct object *object = &process->objects[0];
        *object = (struct object){.kind = MPILENS_OBJECT_WINDOW, .serial = 1, .name = "", .function = "", .age_s = -1};
        object->window = allocate(sizeof *object->window);
        *object->window = (struct window){.id = 77, .synchronization = "", .collective_calls = 2 + (uint64_t)rank};
        for (uint64_t serial = 1; serial <= object->window->collective_calls; serial++) {
            object->recent_collectives = array_append(object->recent_collectives, &object->collective_call_count,
                                                      sizeof *object->recent_collectives);
            object->recent_collectives[serial - 1] =
                (struct collective_call){.serial = serial, .function = "MPI_Win_fence", .site = &places[serial > 2]};
        }
    }
    members = job_index_create(&job);
    struct rank_set chosen = {.count = 0};
    struct collective_histories all = collective_histories_make(&members, &chosen);
    cr_assert_eq(all.count, 1);
    cr_expect_eq(all.items[0].members.count, 2);
    cr_expect_eq(all.items[0].count, 3);
    cr_expect_eq(all.items[0].group_count, 2);
    cr_expect_eq(all.items[0].first_difference, 0);
    struct made_call made;
    cr_assert(made_call_find(&all.items[0].members.items[1], 3, &made));
    cr_expect_str_eq(made.function, "MPI_Win_fence");
    cr_expect_not(made_call_find(&all.items[0].members.items[0], 3, &made));
}
