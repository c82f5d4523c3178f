/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes are found with and without an index.
 */
#include "base/base.h"
#include "model/model.h"
#include "model_builder.h"

#include <criterion/criterion.h>

enum { RANKS = 3, OPERATIONS = 40 };

static struct job job;

static struct operation *add_request(struct process *process, uint64_t serial)
{
    process->requests = array_append(process->requests, &process->request_count, sizeof *process->requests);
    process->requests[process->request_count - 1].serial = serial;
    return &process->requests[process->request_count - 1];
}

static void add_object(struct process *process, uint32_t kind, uint32_t serial)
{
    process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
    process->objects[process->object_count - 1].kind = kind;
    process->objects[process->object_count - 1].serial = serial;
}

static void build(void)
{
    job = build_job(RANKS);
    struct process *process = &job.processes[1];
    for (uint64_t i = 0; i < OPERATIONS; i++) /* in an order of their own */
        build_communicator(process, 1000 - i * 7 % OPERATIONS, 0, 1, 0);
    for (uint64_t i = 0; i < OPERATIONS; i++) {
        struct communicator *communicator = &process->communicators[i * 3 % OPERATIONS];
        build_send(communicator, 0, 0, 1, BUILD_PENDING)->serial = i * 11 % OPERATIONS * 10 + 1;
        build_receive(communicator, 0, 0, 1, BUILD_PENDING)->serial = i * 13 % OPERATIONS * 10 + 2;
        build_send(communicator, 0, 0, 1, BUILD_RETIRED)->serial = i * 10 + 3;
        add_request(process, i * 7 % OPERATIONS * 10 + 4);
        add_object(process, (uint32_t)(i % 4 + 1), (uint32_t)(OPERATIONS - i));
    }
}

static void clear(void)
{
    job_clear(&job);
}

TestSuite(process_index, .init = build, .fini = clear);

static void expect_all(const struct process *process)
{
    const struct communicator *communicator = NULL;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *expected = &process->communicators[i];
        cr_expect_eq(find_communicator(process, expected->id), expected);
        for (size_t j = 0; j < expected->sends.count; j++) {
            cr_expect_eq(find_operation(process, expected->sends.items[j].serial, &communicator),
                         &expected->sends.items[j]);
            cr_expect_eq(communicator, expected);
        }
        for (size_t j = 0; j < expected->receives.count; j++) {
            cr_expect_eq(find_operation(process, expected->receives.items[j].serial, &communicator),
                         &expected->receives.items[j]);
            cr_expect_eq(communicator, expected);
        }
    }
    for (size_t i = 0; i < process->request_count; i++)
        cr_expect_eq(find_request(process, process->requests[i].serial), &process->requests[i]);
    for (size_t i = 0; i < process->object_count; i++)
        cr_expect_eq(find_object(process, process->objects[i].kind, process->objects[i].serial), &process->objects[i]);
}

static void expect_nothing_else(const struct process *process)
{
    const struct communicator *communicator = &process->communicators[0];
    for (uint64_t serial = 0; serial < 1000; serial += 5)
        cr_expect_null(find_operation(process, serial, &communicator), "%d", (int)serial);
    cr_expect_null(find_operation(process, 3, &communicator), "it is over");
    cr_expect_eq(communicator, &process->communicators[0], "untouched");
    cr_expect_null(find_communicator(process, 77));
    cr_expect_null(find_request(process, 1));
    cr_expect_null(find_object(process, 9, 1));
    cr_expect_null(find_object(process, 1, OPERATIONS + 1));
}

Test(process_index, finds_all)
{
    struct process *process = &job.processes[1];
    process_make_index(process);
    expect_all(process);
    expect_nothing_else(process);
    process_make_index(process);
    expect_all(process);
}

Test(process_index, finds_all_without)
{
    expect_all(&job.processes[1]);
    expect_nothing_else(&job.processes[1]);
}

/* As most processes are: few communicators, and each queue in the order of its serials. */
Test(process_index, of_few_queues_in_order)
{
    struct process *process = &job.processes[0];
    build_communicator(process, 2000, 0, 1, 0);
    for (uint64_t i = 0; i < OPERATIONS; i++) {
        struct communicator *communicator = &process->communicators[i % 2];
        build_send(communicator, 0, 0, 1, BUILD_PENDING)->serial = i * 10 + 1;
        build_receive(communicator, 0, 0, 1, BUILD_PENDING)->serial = i * 10 + 2;
        process_make_index(process);
        expect_all(process);
        expect_nothing_else(process);
    }
}

Test(process_index, of_nothing)
{
    process_clear_contents(&job.processes[1]);
    process_make_index(&job.processes[1]);
    const struct communicator *communicator = NULL;
    cr_expect_null(find_communicator(&job.processes[1], 1));
    cr_expect_null(find_operation(&job.processes[1], 1, &communicator));
    cr_expect_null(find_request(&job.processes[1], 4));
    cr_expect_null(find_object(&job.processes[1], 1, 1));
}

Test(process_index, processes_by_rank)
{
    job.processes[0].rank = -1;
    job.processes[2].rank = 7;
    cr_expect_eq(find_process(&job, -1), &job.processes[0]);
    cr_expect_eq(find_process(&job, 1), &job.processes[1]);
    cr_expect_eq(find_process(&job, 7), &job.processes[2]);
    cr_expect_null(find_process(&job, 0));
    cr_expect_null(find_process(&job, 8));
}
