/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on locks of windows, for what MPI libraries do not let happen on demand: locks that are granted at once, and
 * others that are only noted; and what is said of epochs that do not fit.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

/* One window over MPI_COMM_WORLD. */
static void begin(int size)
{
    job = new_judged_job(size);
    for (int i = 0; i < size; i++) {
        struct process *process = &job.processes[i];
        process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
        process->objects[0] = (struct object){.kind = MPILENS_OBJECT_WINDOW,
                                              .serial = 1,
                                              .name = "",
                                              .function = "MPI_Win_create",
                                              .age_s = 9,
                                              .communicator_id = world_of(&job, i)->id};
        process->objects[0].window = allocate(sizeof *process->objects[0].window);
        *process->objects[0].window = (struct window){.id = 77, .synchronization = ""};
    }
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(windows, .fini = end);

static struct window *window_of(int rank)
{
    return job.processes[rank].objects[0].window;
}

static void hold(int rank, int target, uint32_t type)
{
    struct window *window = window_of(rank);
    window->locks = array_append(window->locks, &window->lock_count, sizeof *window->locks);
    window->locks[window->lock_count - 1] =
        (struct window_lock){.target_local = target, .target_world = target, .type = type, .age_s = 7};
}

static void hold_all(int rank)
{
    window_of(rank)->access_epoch = MPILENS_EPOCH_LOCK_ALL;
}

/* `type` of MPI_Win_lock only. */
static void call(int rank, const char *function, int target, uint32_t type)
{
    struct thread *thread = add_judged_thread(&job, rank, function, MPILENS_CALL_SYNCHRONIZATION);
    thread->object_kind = MPILENS_OBJECT_WINDOW;
    thread->object_serial = 1;
    thread->peer_local = thread->peer_world = target;
    thread->lock_type = type;
}

static void expect_nothing(void)
{
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
}

static void expect_lock_wait(int culprit)
{
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LOCK_WAIT, 1, &culprit);
}

Test(windows, lock_that_is_held)
{
    begin(3);
    hold(0, 2, MPILENS_LOCK_SHARED);
    receive_from(&job, 0, 1, 5);
    call(1, "MPI_Win_lock", 2, MPILENS_LOCK_EXCLUSIVE);
    expect_lock_wait(0);
    expect_evidence(&analysis, 0, "has locked target 2 of window #1 of MPI_COMM_WORLD: shared");
    cr_expect_not_null(strstr(analysis.findings.items[0].message, "has not unlocked target 2 since MPI_Win_lock"));
}

Test(windows, shared_locks_do_not_hinder)
{
    begin(3);
    hold(0, 2, MPILENS_LOCK_SHARED);
    receive_from(&job, 0, 1, 5);
    call(1, "MPI_Win_lock", 2, MPILENS_LOCK_SHARED);
    expect_nothing();
}

Test(windows, another_target)
{
    begin(4);
    hold(0, 2, MPILENS_LOCK_EXCLUSIVE);
    receive_from(&job, 0, 1, 5);
    call(1, "MPI_Win_lock", 3, MPILENS_LOCK_EXCLUSIVE);
    expect_nothing();
}

Test(windows, locks_of_all)
{
    begin(3);
    hold_all(0);
    receive_from(&job, 0, 1, 5);
    call(1, "MPI_Win_lock", 2, MPILENS_LOCK_EXCLUSIVE);
    expect_lock_wait(0);
    expect_evidence(&analysis, 0, "has locked all targets of window #1 of MPI_COMM_WORLD: shared");
}

Test(windows, locking_all)
{
    begin(3);
    hold(0, 2, MPILENS_LOCK_EXCLUSIVE);
    receive_from(&job, 0, 1, 5);
    call(1, "MPI_Win_lock_all", -1, 0);
    expect_lock_wait(0);
}

Test(windows, flushing_what_was_locked_lazily)
{
    begin(3);
    hold(0, 2, MPILENS_LOCK_EXCLUSIVE);
    receive_from(&job, 0, 1, 5);
    hold(1, 2, MPILENS_LOCK_SHARED);
    call(1, "MPI_Win_flush_all", -1, 0);
    expect_lock_wait(0);
}

/* Rank 0 wants to access both others; rank 1 has exposed its memory to rank 0, rank 2 by mistake to rank 1. */
Test(windows, epochs_of_other_groups)
{
    begin(3);
    window_of(0)->access_group = group_pool_add_ranks(&job.groups, (int[]){1, 2}, 2);
    call(0, "MPI_Win_start", -1, 0);
    for (int rank = 1; rank < 3; rank++) {
        window_of(rank)->exposure_epoch = MPILENS_EPOCH_GROUP;
        window_of(rank)->exposure_group = group_pool_add_ranks(&job.groups, &(int){rank - 1}, 1);
        call(rank, "MPI_Win_wait", -1, 0);
    }
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 3, (int[]){0, 1, 2});
    expect_evidence(&analysis, 1, "has called MPI_Win_post on window #1 of MPI_COMM_WORLD for rank 0");
    expect_evidence(&analysis, 2, "has called MPI_Win_post on window #1 of MPI_COMM_WORLD for rank 1");
    cr_assert_not_null(analysis.findings.items[0].remedy);
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "groups of MPI_Win_post and MPI_Win_start agree"));
}

Test(windows, flushing_locks_of_all)
{
    begin(3);
    hold(0, 2, MPILENS_LOCK_EXCLUSIVE);
    receive_from(&job, 0, 1, 5);
    hold_all(1);
    call(1, "MPI_Win_flush", 2, 0);
    expect_lock_wait(0);
}

Test(windows, who_waits_for_the_target_has_not_locked_it)
{
    begin(3);
    for (int rank = 0; rank < 2; rank++) {
        hold(rank, 2, MPILENS_LOCK_EXCLUSIVE);
        call(rank, "MPI_Win_flush", 2, 0);
    }
    add_judged_thread(&job, 2, "", MPILENS_CALL_OTHER);
    expect_nothing();
}

Test(windows, locks_crossed)
{
    begin(4);
    hold(0, 2, MPILENS_LOCK_EXCLUSIVE);
    call(0, "MPI_Win_lock", 3, MPILENS_LOCK_EXCLUSIVE);
    hold(1, 3, MPILENS_LOCK_EXCLUSIVE);
    call(1, "MPI_Win_lock", 2, MPILENS_LOCK_EXCLUSIVE);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    expect_evidence(&analysis, 1, "has locked target 3 of window #1 of MPI_COMM_WORLD: exclusive");
}
