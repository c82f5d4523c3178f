/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on the order of collective calls of communicators, windows and files.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { OBJECT_SERIAL = 1 };

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(rounds, .fini = end);

/* Call `serial` of an order. */
static struct collective_call made(uint64_t serial, const char *function, bool active)
{
    return (struct collective_call){.serial = serial,
                                    .age_s = 5,
                                    .function = function,
                                    .datatype = "",
                                    .op_name = "",
                                    .count = -1,
                                    .bytes = -1,
                                    .root = -1,
                                    .active = active};
}

static void make(int rank, const char *function, bool active)
{
    struct collective_call *call = build_collective(world_of(&job, rank), function);
    call->age_s = 5;
    call->active = active;
}

static void be_in(int rank, const char *function, uint32_t call_class)
{
    make(rank, function, true);
    add_judged_thread(&job, rank, function, call_class)->communicator_id = world_of(&job, rank)->id;
}

/* A file of all ranks, or a window. */
static void share_object(int rank, uint32_t kind)
{
    struct process *process = &job.processes[rank];
    process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
    process->objects[0] = (struct object){.kind = kind,
                                          .serial = OBJECT_SERIAL,
                                          .name = "",
                                          .function = "",
                                          .age_s = 9,
                                          .communicator_id = world_of(&job, rank)->id};
    if (kind == MPILENS_OBJECT_WINDOW) {
        process->objects[0].window = allocate(sizeof *process->objects[0].window);
        *process->objects[0].window = (struct window){.id = 77, .synchronization = ""};
    } else {
        process->objects[0].file = allocate(sizeof *process->objects[0].file);
        *process->objects[0].file = (struct file){
            .id = 77, .view_etype = "", .view_filetype = "", .view_representation = "", .split_collective = ""};
    }
}

static void make_on_object(int rank, const char *function, bool active)
{
    struct object *object = &job.processes[rank].objects[0];
    uint64_t *count = object->window != NULL ? &object->window->collective_calls : &object->file->collective_calls;
    object->recent_collectives =
        array_append(object->recent_collectives, &object->collective_call_count, sizeof *object->recent_collectives);
    object->recent_collectives[object->collective_call_count - 1] = made(++*count, function, active);
}

static void be_on_object(int rank, const char *function, uint32_t call_class)
{
    make_on_object(rank, function, true);
    struct thread *thread = add_judged_thread(&job, rank, function, call_class);
    thread->object_kind = job.processes[rank].objects[0].kind;
    thread->object_serial = OBJECT_SERIAL;
    thread->communicator_id = world_of(&job, rank)->id;
}

static void begin(int size, uint32_t kind)
{
    job = new_judged_job(size);
    for (int rank = 0; rank < size; rank++)
        share_object(rank, kind);
}

static void expect(enum finding_kind kind, int culprit)
{
    analysis = judge_job(&job);
    expect_one_finding(&analysis, kind, 1, &culprit);
}

static void expect_nothing(void)
{
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
}

static const char *message(void)
{
    return analysis.findings.items[0].message;
}

Test(rounds, constructor_against_data)
{
    job = new_judged_job(3);
    be_in(0, "MPI_Comm_split", MPILENS_CALL_COMMUNICATOR);
    be_in(1, "MPI_Barrier", MPILENS_CALL_COLLECTIVE);
    be_in(2, "MPI_Comm_split", MPILENS_CALL_COMMUNICATOR);
    expect(FINDING_COLLECTIVE_MISMATCH, 1);
    cr_expect_not_null(strstr(message(), "the ranks disagree about collective call 1 on MPI_COMM_WORLD"), "%s",
                       message());
    expect_evidence(&analysis, 1, "made call 1 on MPI_COMM_WORLD: MPI_Barrier");
}

/* Both calls are stuck, for one reason, which is no second group of ranks. */
Test(rounds, two_calls_in_another_order)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++) {
        make(rank, rank == 2 ? "MPI_Iallreduce" : "MPI_Ibcast", true);
        be_in(rank, rank == 2 ? "MPI_Ibcast" : "MPI_Iallreduce", MPILENS_CALL_COLLECTIVE);
        if (rank == 1) /* waits for the first of them */
            job.processes[rank].threads[job.processes[rank].thread_count - 1].function = "MPI_Ibcast";
    }
    expect(FINDING_COLLECTIVE_MISMATCH, 2);
    cr_expect_eq(analysis.findings.items[0].alike, 0, "%s", message());
}

Test(rounds, two_different_constructors)
{
    job = new_judged_job(3);
    be_in(0, "MPI_Win_create", MPILENS_CALL_WINDOW);
    be_in(1, "MPI_Win_create", MPILENS_CALL_WINDOW);
    be_in(2, "MPI_File_open", MPILENS_CALL_FILE);
    expect(FINDING_COLLECTIVE_MISMATCH, 2);
}

Test(rounds, constructor_with_another_root)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++) {
        be_in(rank, "MPI_Comm_spawn", MPILENS_CALL_COMMUNICATOR);
        job.processes[rank].threads[0].spawned = "";
        world_of(&job, rank)->recent_collectives[0].has_root = true;
        world_of(&job, rank)->recent_collectives[0].root = rank == 2;
    }
    expect(FINDING_COLLECTIVE_MISMATCH, 2);
    cr_expect_not_null(strstr(message(), "with root 1"), "%s", message());
}

Test(rounds, on_the_way_out_of_a_constructor)
{
    job = new_judged_job(3);
    be_in(0, "MPI_Comm_dup", MPILENS_CALL_COMMUNICATOR);
    for (int rank = 1; rank < 3; rank++) {
        make(rank, "MPI_Comm_dup", false);
        receive_from(&job, rank, 0, 4);
    }
    expect_nothing();
}

Test(rounds, on_the_way_out_of_a_call_that_frees)
{
    begin(2, MPILENS_OBJECT_FILE);
    be_on_object(0, "MPI_File_close", MPILENS_CALL_FILE);
    window_destroy(job.processes[1].objects[0].window);
    free(job.processes[1].objects[0].file);
    job.processes[1].object_count = 0;
    receive_from(&job, 1, 0, 4);
    expect_nothing();
}

Test(rounds, fence_against_free)
{
    begin(3, MPILENS_OBJECT_WINDOW);
    be_on_object(0, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION);
    be_on_object(1, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION);
    be_on_object(2, "MPI_Win_free", MPILENS_CALL_WINDOW);
    expect(FINDING_COLLECTIVE_MISMATCH, 2);
    cr_expect_not_null(strstr(message(), "call 1 on window #1 of MPI_COMM_WORLD"), "%s", message());
}

Test(rounds, fence_that_one_has_not_come_to)
{
    begin(3, MPILENS_OBJECT_WINDOW);
    be_on_object(0, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION);
    receive_from(&job, 1, 0, 4);
    be_on_object(2, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION);
    expect(FINDING_WINDOW_WAIT, 1);
}

Test(rounds, fence_that_one_has_left)
{
    begin(3, MPILENS_OBJECT_WINDOW);
    be_on_object(0, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION);
    make_on_object(1, "MPI_Win_fence", false);
    receive_from(&job, 1, 0, 4);
    be_on_object(2, "MPI_Win_fence", MPILENS_CALL_SYNCHRONIZATION);
    expect_nothing();
}

Test(rounds, free_that_one_has_not_come_to)
{
    begin(3, MPILENS_OBJECT_WINDOW);
    be_on_object(0, "MPI_Win_free", MPILENS_CALL_WINDOW);
    receive_from(&job, 1, 0, 4);
    be_on_object(2, "MPI_Win_free", MPILENS_CALL_WINDOW);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
}

Test(rounds, read_against_write)
{
    begin(3, MPILENS_OBJECT_FILE);
    for (int rank = 0; rank < 3; rank++)
        make_on_object(rank, "MPI_File_set_view", false);
    be_on_object(0, "MPI_File_read_all", MPILENS_CALL_FILE_DATA);
    be_on_object(1, "MPI_File_write_all", MPILENS_CALL_FILE_DATA);
    be_on_object(2, "MPI_File_write_all", MPILENS_CALL_FILE_DATA);
    expect(FINDING_COLLECTIVE_MISMATCH, 0);
    cr_expect_not_null(strstr(message(), "call 2 on file #1 of MPI_COMM_WORLD"), "%s", message());
    cr_expect_str_eq(analysis.findings.items[0].remedy,
                     "make the collective calls on a file in the same order on all of its ranks");
}

Test(rounds, write_that_one_has_not_come_to)
{
    begin(4, MPILENS_OBJECT_FILE);
    for (int rank = 0; rank < 3; rank++)
        be_on_object(rank, "MPI_File_write_all", MPILENS_CALL_FILE_DATA);
    be_in(3, "MPI_Barrier", MPILENS_CALL_COLLECTIVE);
    expect(FINDING_COLLECTIVE_MISSING, 3);
    cr_expect_not_null(strstr(message(), "MPI_File_write_all(call 1 on file #1 of MPI_COMM_WORLD)"), "%s", message());
}

Test(rounds, write_of_one_process_waits_for_nobody)
{
    begin(2, MPILENS_OBJECT_FILE);
    struct thread *thread = add_judged_thread(&job, 0, "MPI_File_write", MPILENS_CALL_FILE_DATA);
    thread->object_kind = MPILENS_OBJECT_FILE;
    thread->object_serial = OBJECT_SERIAL;
    receive_from(&job, 1, 0, 4);
    expect_nothing();
}

enum { SCANNING = 200 };

static bool is_late(int rank)
{
    return rank % 2 == 1 && rank > 4;
}

/* A scan waits for lower ranks: those below the first that is late have left it. */
Test(rounds, scan_that_many_left_out)
{
    job = new_judged_job(SCANNING);
    for (int rank = 0; rank < SCANNING; rank++) {
        if (!is_late(rank) && rank > 5)
            be_in(rank, "MPI_Scan", MPILENS_CALL_COLLECTIVE);
        else if (!is_late(rank))
            make(rank, "MPI_Scan", false);
        if (is_late(rank) || rank <= 5) {
            add_judged_thread(&job, rank, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT);
            job.processes[rank].state = PROCESS_FINALIZING;
        }
    }
    int late[SCANNING];
    size_t count = 0;
    for (int rank = 0; rank < SCANNING - 1; rank++)
        if (is_late(rank))
            late[count++] = rank;
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISSING, count, late);
    const char *message = analysis.findings.items[0].message;
    cr_expect_not_null(strstr(message, "ranks [6-198:2] wait in MPI_Scan("), "%s", message);
    cr_expect_not_null(strstr(message, "for ranks [5-197:2], each of which is in MPI_Finalize"), "%s", message);
}

/* If all lower ranks have begun a scan, a rank still in it waits for others, as in other calls. */
Test(rounds, scan_that_higher_ranks_have_not_begun)
{
    job = new_judged_job(2);
    be_in(0, "MPI_Scan", MPILENS_CALL_COLLECTIVE);
    receive_from(&job, 1, 0, 4);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
}

Test(rounds, scan_instead_of_another)
{
    job = new_judged_job(3);
    be_in(0, "MPI_Exscan", MPILENS_CALL_COLLECTIVE);
    be_in(1, "MPI_Scan", MPILENS_CALL_COLLECTIVE);
    be_in(2, "MPI_Exscan", MPILENS_CALL_COLLECTIVE);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, (int[]){1});
}

/* The fields of a process need not fit together. */
Test(rounds, communicator_with_another_size_than_its_group, .timeout = 20)
{
    job = new_judged_job(2);
    world_of(&job, 0)->size = INT32_MAX;
    be_in(0, "MPI_Barrier", MPILENS_CALL_COLLECTIVE);
    receive_from(&job, 1, 0, 4);
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
}

static void claim_members(const struct mpilens_rank_range *range)
{
    struct communicator *world = world_of(&job, 0);
    world->group = group_pool_add_ranges(&job.groups, range, 1);
    world->size = range->count;
}

Test(rounds, group_with_more_members_than_there_can_be, .timeout = 20)
{
    const struct mpilens_rank_range strangers = {.first = -1, .count = INT32_MAX};
    const struct mpilens_rank_range same = {.first = 1, .stride = 0, .count = INT32_MAX};
    job = new_judged_job(2);
    claim_members(&strangers);
    cr_assert_not_null(world_of(&job, 0)->group);
    be_in(0, "MPI_Barrier", MPILENS_CALL_COLLECTIVE);
    receive_from(&job, 0, -1, 4);
    be_in(0, "MPI_Scan", MPILENS_CALL_COLLECTIVE);
    analysis = judge_job(&job);
    claim_members(&same);
    cr_expect_null(world_of(&job, 0)->group);
}
