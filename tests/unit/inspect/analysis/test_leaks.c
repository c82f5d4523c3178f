/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Live objects by the place where they were made, and when they are leaks.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "job_facts.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const struct site here = {.module = "app", .function = "main", .file = "app.c", .line = 5};
static const struct site same_place = {.module = "app", .function = "main", .file = "app.c", .line = 5};
static const struct site elsewhere = {.module = "app", .function = "main", .file = "app.c", .line = 6};
static const struct rank_set all_ranks;

static struct object *add_object(struct job *job, int rank, uint32_t kind, const struct site *site, double age_s)
{
    struct process *process = &job->processes[rank];
    process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
    struct object *object = &process->objects[process->object_count - 1];
    *object = (struct object){.kind = kind, .references = 1, .function = "MPI_Made", .site = site, .age_s = age_s};
    return object;
}

static struct operation *add_request(struct job *job, int rank, uint32_t state)
{
    struct operation *operation = build_send(world_of(job, rank), 1, 1, 0, BUILD_PENDING);
    operation->flags &= ~MPILENS_OPERATION_BLOCKING;
    build_details(operation)->function = "MPI_Isend";
    operation->state = state;
    return operation;
}

Test(leaks, equal_places_are_one)
{
    struct job job = build_job(3);
    for (int i = 0; i < 3; i++)
        add_object(&job, 0, MPILENS_OBJECT_COMMUNICATOR, &here, i);
    add_object(&job, 2, MPILENS_OBJECT_COMMUNICATOR, &same_place, 10)->references = 4;
    add_object(&job, 0, MPILENS_OBJECT_COMMUNICATOR, &elsewhere, 1);
    add_object(&job, 0, MPILENS_OBJECT_DATATYPE, &here, 1);
    add_object(&job, 0, MPILENS_OBJECT_COMMUNICATOR, &here, 1)->freed = true;
    add_object(&job, 0, MPILENS_OBJECT_ATTRIBUTE, &here, 1);
    struct leaks leaks = find_leaks(&job, &all_ranks);
    cr_assert_eq(leaks.count, 3);
    const struct leak *most = leaks.items[0];
    cr_expect_eq(most->count, 7);
    cr_expect_eq(most->site->line, 5);
    cr_expect_eq(most->kind, MPILENS_OBJECT_COMMUNICATOR);
    cr_expect_float_eq(most->oldest_s, 10, 1e-9);
    cr_assert_eq(most->rank_count, 2);
    cr_expect_eq(most->ranks[0].rank, 0);
    cr_expect_eq(most->ranks[0].count, 3);
    cr_expect_eq(most->ranks[1].rank, 2);
    cr_expect_eq(most->ranks[1].count, 4);
    cr_expect_eq(leaks.items[1]->kind, MPILENS_OBJECT_COMMUNICATOR);
    cr_expect_eq(leaks.items[1]->site->line, 6);
    cr_expect_eq(leaks.items[2]->kind, MPILENS_OBJECT_DATATYPE);
    job_clear(&job);
}

Test(leaks, unknown_places_are_told_apart_by_address)
{
    struct job job = build_job(1);
    for (uint64_t i = 0; i < 4; i++)
        add_object(&job, 0, MPILENS_OBJECT_INFO, NULL, 1)->site_address = 0x1000 + i / 2;
    struct leaks leaks = find_leaks(&job, &all_ranks);
    cr_assert_eq(leaks.count, 2);
    cr_expect_eq(leaks.items[0]->count, 2);
    cr_expect_eq(leaks.items[1]->count, 2);
    job_clear(&job);
}

/* As of a stripped program, which every rank has at another address. */
Test(leaks, places_without_lines_are_told_apart_by_offset)
{
    static const struct site places[] = {{.module = "app", .offset = 0x1139},
                                         {.module = "app", .offset = 0x1139},
                                         {.module = "app", .offset = 0x1150},
                                         {.module = "lib.so", .offset = 0x1139}};
    struct job job = build_job(2);
    for (int i = 0; i < 4; i++)
        add_object(&job, i % 2, MPILENS_OBJECT_COMMUNICATOR, &places[i], 1)->site_address = 0x1000 * (unsigned)i;
    struct leaks leaks = find_leaks(&job, &all_ranks);
    cr_assert_eq(leaks.count, 3);
    cr_expect_eq(leaks.items[0]->count, 2);
    cr_expect_eq(leaks.items[0]->site->offset, 0x1139);
    job_clear(&job);
}

Test(leaks, requests_but_no_blocking_calls)
{
    struct job job = build_job(2);
    add_request(&job, 0, MPILENS_OPERATION_PENDING);
    add_request(&job, 0, MPILENS_OPERATION_COMPLETE);
    add_request(&job, 0, MPILENS_OPERATION_RELEASED);
    add_request(&job, 0, MPILENS_OPERATION_PENDING)->flags |= MPILENS_OPERATION_BLOCKING;
    struct leaks leaks = find_leaks(&job, &all_ranks);
    static const char *const kinds[] = {"requests", "released requests", "active requests"};
    cr_assert_eq(leaks.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const char *kind = describe_leak_kind(leaks.items[i], 2);
        cr_expect_eq(leaks.items[i]->count, 1);
        cr_expect_str_eq(kind, kinds[i]);
    }
    job.processes[0].state = PROCESS_FINALIZED;
    leaks = find_leaks(&job, &all_ranks);
    cr_expect_eq(leaks.count, 2, "nothing is under way any more");
    struct findings findings = judge_leaks(&leaks, 0);
    cr_expect_eq(findings.count, 1, "released requests may be left");
    job_clear(&job);
}

static struct findings judge(const struct job *job, uint64_t limit)
{
    struct leaks leaks = find_leaks(job, &all_ranks);
    struct findings findings = judge_leaks(&leaks, limit);
    return findings;
}

Test(leaks, are_findings_at_the_end_and_beyond_the_limit)
{
    struct job job = build_job(3);
    for (int i = 0; i < 4; i++)
        add_object(&job, i < 3 ? 1 : 2, MPILENS_OBJECT_COMMUNICATOR, &here, 1);
    struct findings findings = judge(&job, 3);
    cr_expect_eq(findings.count, 0);
    findings = judge(&job, 2);
    cr_assert_eq(findings.count, 1);
    cr_expect_eq(findings.items[0].kind, FINDING_LEAK);
    cr_expect_str_eq(findings.items[0].message, "3 communicators made by MPI_Made at app.c:5 main are alive at rank 1");
    cr_expect_eq(findings.items[0].culprits.count, 1);
    cr_expect_eq(findings.items[0].culprits.items[0], 1);
    job.processes[2].state = PROCESS_FINALIZING;
    findings = judge(&job, 2);
    cr_assert_eq(findings.count, 2);
    cr_expect_str_eq(findings.items[0].message,
                     "1 communicator made by MPI_Made at app.c:5 main is alive in or after MPI_Finalize at rank 2");
    job_clear(&job);
}

/* It has one request for both. */
Test(leaks, a_send_and_receive_at_once_count_once)
{
    struct job job = build_job(2);
    build_details(add_request(&job, 0, MPILENS_OPERATION_PENDING))->function = "MPI_Isendrecv_replace";
    struct operation *receive = build_receive(world_of(&job, 0), 1, 1, 0, BUILD_PENDING);
    receive->flags &= ~MPILENS_OPERATION_BLOCKING;
    build_details(receive)->function = "MPI_Isendrecv_replace";
    receive->state = MPILENS_OPERATION_PENDING;
    job_add_facts(&job);
    struct leaks leaks = find_leaks(&job, &all_ranks);
    cr_assert_eq(leaks.count, 1);
    cr_expect_eq(leaks.items[0]->count, 1);
    job_clear(&job);
}
