/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on what members give to a call that makes an object, and on members that have freed one.
 */
#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIZE = 4 };

static struct job job;
static struct analysis analysis;

/* All are in MPI_Cart_create with the same arguments. */
static void begin(void)
{
    job = new_judged_job(SIZE);
    for (int rank = 0; rank < SIZE; rank++)
        be_in_call(&job, rank, "MPI_Cart_create", unknown)->arguments = "dims 2 2";
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(round_arguments, .init = begin, .fini = end);

static struct collective_call *call_of(int rank)
{
    return &world_of(&job, rank)->recent_collectives[0];
}

static void expect_message(const char *part)
{
    cr_assert_eq(analysis.findings.count, 1, "%s", part);
    cr_expect_not_null(strstr(analysis.findings.items[0].message, part), "%s", analysis.findings.items[0].message);
}

Test(round_arguments, that_are_the_same)
{
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(round_arguments, names_may_differ)
{
    for (int rank = 0; rank < SIZE; rank++)
        call_of(rank)->arguments = rank == 2 ? "mode RDWR; file other.dat" : "mode RDWR; file a.dat";
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(round_arguments, more_than_names_differs)
{
    const int culprits[] = {2};
    for (int rank = 0; rank < SIZE; rank++)
        call_of(rank)->arguments = rank == 2 ? "mode RDONLY; file a.dat" : "mode RDWR; file a.dat";
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, culprits);
}

Test(round_arguments, that_differ)
{
    const int culprits[] = {2};
    call_of(2)->arguments = "dims 1 4";
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, culprits);
    expect_message("rank 2 (1 of 4 ranks) calls MPI_Cart_create with dims 1 4 where the others call it with dims 2 2");
    cr_expect_str_eq(analysis.findings.items[0].remedy, "give the same arguments on all ranks");
    expect_evidence(&analysis, 2, "made call 1 on MPI_COMM_WORLD: MPI_Cart_create, dims 1 4");
}

Test(round_arguments, that_are_not_known)
{
    call_of(2)->arguments = "";
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
}

/* All are in the next call now, and stuck for another reason. */
Test(round_arguments, that_differed_before)
{
    const int culprits[] = {2};
    call_of(2)->arguments = "dims 1 4";
    for (int rank = 0; rank < SIZE; rank++) {
        call_of(rank)->active = false;
        job.processes[rank].thread_count = 0;
        receive_from(&job, rank, (rank + 1) % SIZE, 3);
    }
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, culprits);
    expect_message("where the others call it with dims 2 2");
}

/* --- members that have freed the communicator --- */

/* Rank 0 has freed the duplicate after `calls`, and is in a barrier; the others are in call 7 of it. */
static void free_after(uint64_t calls, const char *function)
{
    static const char name[] = "MPI_Allreduce";
    end_judged_job(&job, &analysis);
    job = new_judged_job(SIZE);
    for (int rank = 0; rank < SIZE; rank++) {
        struct process *process = &job.processes[rank];
        if (rank == 0) {
            process->freed_objects =
                array_append(process->freed_objects, &process->freed_object_count, sizeof *process->freed_objects);
            process->freed_objects[0] = (struct freed_object){.kind = MPILENS_OBJECT_COMMUNICATOR,
                                                              .id = 5,
                                                              .collective_calls = calls + (function[0] != '\0'),
                                                              .function = function,
                                                              .age_s = 9,
                                                              .last_function = name};
            be_in_call(&job, rank, "MPI_Barrier", unknown);
            continue;
        }
        struct communicator *copy = build_communicator(process, 5, rank, SIZE, 0);
        copy->group = world_of(&job, rank)->group;
        copy->collective_calls = 6;
        build_collective(copy, name)->age_s = 5;
        add_judged_thread(&job, rank, name, MPILENS_CALL_COLLECTIVE)->communicator_id = 5;
    }
}

Test(round_arguments, a_member_has_freed_it_before_the_call)
{
    const int culprits[] = {0};
    free_after(6, "MPI_Comm_free");
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISSING, 1, culprits);
    expect_message("for rank 0, which has freed it after 6 collective calls by MPI_Comm_free and is in MPI_Barrier");
    expect_evidence(&analysis, 0, "made call 6 there before it freed it: MPI_Allreduce");
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "on all of its ranks before one frees it"), "%s",
                       analysis.findings.items[0].remedy);
}

/* It has made the call: the others are on their way. */
Test(round_arguments, a_member_has_freed_it_after_the_call)
{
    free_after(7, "MPI_Comm_free");
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
}

Test(round_arguments, a_member_has_freed_it_unseen)
{
    free_after(6, "");
    analysis = judge_job(&job);
    expect_message("for rank 0, which has freed it after 6 collective calls and is in MPI_Barrier");
}

/* --- the members of a group --- */

static const struct group *group_of(const int *ranks, size_t count)
{
    return group_pool_add_ranks(&job.groups, ranks, count);
}

static void create_of(int rank, const struct group *group, int tag)
{
    job.processes[rank].thread_count = 0;
    struct thread *thread = add_judged_thread(&job, rank, "MPI_Comm_create_group", MPILENS_CALL_COMMUNICATOR);
    thread->communicator_id = 1;
    thread->group = group;
    thread->tag = tag;
}

Test(round_arguments, a_group_with_two_tags)
{
    const int culprits[] = {1};
    const struct group *first = group_of((const int[]){0, 1, 2}, 3);
    for (int rank = 0; rank < 3; rank++)
        create_of(rank, first, rank == 1 ? 8 : 7);
    job.processes[3].threads[0].function = "";
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, culprits);
    expect_message("members of a group make different communicators of it, with different tags: rank 1 is in "
                   "MPI_Comm_create_group(ranks [0-2], tag 8, MPI_COMM_WORLD)");
    expect_message("ranks [0,2] are in MPI_Comm_create_group(ranks [0-2], tag 7, MPI_COMM_WORLD)");
}

Test(round_arguments, a_group_in_two_orders)
{
    const int culprits[] = {2};
    for (int rank = 0; rank < 3; rank++)
        create_of(rank, rank == 2 ? group_of((const int[]){0, 2, 1}, 3) : group_of((const int[]){0, 1, 2}, 3), 7);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, culprits);
    expect_message("with different groups: rank 2 is in MPI_Comm_create_group(ranks [0,2,1], tag 7");
}

Test(round_arguments, two_groups_at_once)
{
    for (int rank = 0; rank < SIZE; rank++)
        create_of(rank, rank < 2 ? group_of((const int[]){0, 1}, 2) : group_of((const int[]){2, 3}, 2), rank / 2);
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
}
