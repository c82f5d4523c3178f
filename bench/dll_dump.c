/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of a dump for a debugger: callbacks, bytes, allocations and milliseconds for all queues of a process with
 * 10, 1,000 and 100,000 pending operations of two threads on 64 communicators, from a fake target in memory. Fails
 * where there are more callbacks than the aim; times are for people to judge.
 */
#include "fake_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COMMUNICATORS = 64, ROUNDS = 9 };

struct cost {
    uint64_t callbacks;
    uint64_t bytes;
    uint64_t allocations;
    double copy_ms;  /* mqs_update_communicator_list */
    double total_ms; /* with every operation asked for */
    uint64_t operations;
};

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void fill(struct fake_job *job, uint64_t operations)
{
    uint64_t communicators[COMMUNICATORS];
    for (int i = 0; i < COMMUNICATORS; i++) {
        const struct mpilens_communicator communicator = fake_job_communicator(job, job->world_group, 1, 4, "");
        communicators[i] = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &communicator);
    }
    for (uint64_t i = 0; i < operations; i++) {
        const bool is_send = i % 2 == 0;
        struct mpilens_operation operation =
            fake_job_operation(job, is_send ? job->function.isend : job->function.irecv,
                               is_send ? MPILENS_OPERATION_SEND : MPILENS_OPERATION_RECEIVE, (int32_t)(i % 4), 7);
        operation.thread = i / 32 % 2;
        operation.posted_time = (i ^ 32) * 10; /* batches of records belong to threads */
        operation.communicator = communicators[i * 7 % COMMUNICATORS];
        fake_job_add(job, &operation);
    }
    fake_target_publish(job->target);
}

static uint64_t iterate(mqs_process *process)
{
    uint64_t operations = 0;
    for (int code = mqs_setup_communicator_iterator(process); code == mqs_ok; code = mqs_next_communicator(process)) {
        mqs_communicator communicator;
        mqs_get_communicator(process, &communicator);
        for (int op_class = mqs_pending_sends; op_class <= mqs_pending_receives; op_class++) {
            mqs_pending_operation operation;
            mqs_setup_operation_iterator(process, op_class);
            while (mqs_next_operation(process, &operation) == mqs_ok)
                operations++;
        }
    }
    return operations;
}

static struct cost measure(uint64_t operations)
{
    struct fake_job job;
    struct fake_debugger debugger;
    fake_job_create(&job, &(struct fake_options){.chunk_capacity = operations < 64 ? 64 : 8192,
                                                 .memory_bytes = ((size_t)64 << 20) + operations * 160});
    fill(&job, operations);
    fake_debugger_init(&debugger, job.target);
    struct cost best = {.total_ms = 1e9, .copy_ms = 1e9};
    if (fake_debugger_open(&debugger) != mqs_ok)
        exit(1);
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t reads = debugger.reads;
        const uint64_t bytes = debugger.bytes_read;
        const uint64_t allocations = fake_allocations();
        const double begin = now_ms();
        if (mqs_update_communicator_list(fake_process(&debugger)) != mqs_ok)
            exit(1);
        const double copied = now_ms();
        best.operations = iterate(fake_process(&debugger));
        const double end = now_ms();
        best.callbacks = debugger.reads - reads;
        best.bytes = debugger.bytes_read - bytes;
        best.allocations = fake_allocations() - allocations;
        best.copy_ms = copied - begin < best.copy_ms ? copied - begin : best.copy_ms;
        best.total_ms = end - begin < best.total_ms ? end - begin : best.total_ms;
    }
    fake_debugger_close(&debugger);
    fake_target_destroy(job.target);
    return best;
}

int main(void)
{
    static const uint64_t sizes[] = {10, 1000, 100000};
    const double callbacks_aim = 0.02;
    int status = 0;
    printf("%10s %10s %14s %12s %11s %10s %10s\n", "operations", "callbacks", "per operation", "bytes", "allocations",
           "copy ms", "total ms");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct cost cost = measure(sizes[i]);
        const double per_operation = (double)cost.callbacks / (double)sizes[i];
        printf("%10lu %10lu %14.5f %12lu %11lu %10.3f %10.3f\n", (unsigned long)sizes[i], (unsigned long)cost.callbacks,
               per_operation, (unsigned long)cost.bytes, (unsigned long)cost.allocations, cost.copy_ms, cost.total_ms);
        if (cost.operations != sizes[i]) {
            printf("FAIL: %lu operations delivered\n", (unsigned long)cost.operations);
            status = 1;
        }
        if (sizes[i] >= 1000 && per_operation > callbacks_aim) {
            printf("FAIL: more than %.2f callbacks per operation\n", callbacks_aim);
            status = 1;
        }
    }
    return status;
}
