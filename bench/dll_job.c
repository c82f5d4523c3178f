/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of all three queues of a job for a debugger: processes with 100 pending sends each to the ones behind it,
 * from fake targets in memory. Fails where a process is read more than once, or a message is missing; processor times
 * are for people to judge.
 */
#include "fake_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SENDS = 100, PEERS = 10 };

struct rank {
    struct fake_job job;
    struct fake_debugger debugger;
    uint64_t sends; /* their first record */
    uint64_t reads; /* of that */
};

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void note_read(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    struct rank *rank = debugger->context;
    rank->reads += rank->sends >= address && rank->sends < address + bytes;
}

static void add_communicator(struct rank *rank, int32_t number, int32_t ranks)
{
    struct fake_job *job = &rank->job;
    const struct mpilens_range everybody = {0, 1, ranks};
    const uint64_t group = fake_job_group(job, number, ranks, &everybody, 1);
    struct mpilens_communicator communicator = fake_job_communicator(job, group, number, ranks, "everybody");
    communicator.unique_id = 4711;
    const uint64_t address = fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &communicator);
    fake_target_reserve(job->target, (size_t)1 << 17); /* so that tables are not fetched with each other */
    for (int32_t i = 0; i < SENDS; i++) {
        struct mpilens_operation send =
            fake_job_operation(job, job->function.isend, MPILENS_OPERATION_SEND, (number + 1 + i % PEERS) % ranks, i);
        send.communicator = address;
        const uint64_t record = fake_job_add(job, &send);
        rank->sends = rank->sends == 0 ? record : rank->sends;
    }
    fake_target_reserve(job->target, (size_t)1 << 17);
    for (int32_t i = 0; i < PEERS; i++) {
        const struct mpilens_channel channel = {.state = 1,
                                                .peer = (number + 1 + i) % ranks,
                                                .communicator = address,
                                                .communicator_id = 4711,
                                                .sent = SENDS / PEERS};
        fake_target_add(job->target, MPILENS_TABLE_CHANNELS, &channel);
    }
    const struct mpilens_thread thread = {
        .state = MPILENS_THREAD_ALIVE, .tid = 1, .function = job->function.barrier, .communicator = address};
    fake_target_add(job->target, MPILENS_TABLE_THREADS, &thread);
}

static void create_rank(struct rank *rank, int32_t number, int32_t ranks)
{
    fake_job_create(&rank->job, &(struct fake_options){.chunk_capacity = 128, .memory_bytes = (size_t)1 << 20});
    rank->job.target->process.world_rank = number;
    rank->job.target->process.world_size = ranks;
    add_communicator(rank, number, ranks);
    fake_target_publish(rank->job.target);
    fake_debugger_init(&rank->debugger, rank->job.target);
    rank->debugger.context = rank;
    rank->debugger.before_read = note_read;
}

static void must_be_ok(int code)
{
    if (code == mqs_ok)
        return;
    printf("FAIL: %s\n", mqs_dll_error_string(code));
    exit(1);
}

/* Returns how many of these the process has. */
static uint64_t walk(mqs_process *process, int op_class)
{
    uint64_t operations = 0;
    for (int code = mqs_setup_communicator_iterator(process); code == mqs_ok; code = mqs_next_communicator(process)) {
        mqs_pending_operation operation;
        if (mqs_setup_operation_iterator(process, op_class) != mqs_ok)
            continue;
        while (mqs_next_operation(process, &operation) == mqs_ok)
            operations++;
    }
    return operations;
}

static int measure(int32_t count)
{
    struct rank *ranks = calloc((size_t)count, sizeof *ranks);
    uint64_t callbacks = 0, most_reads = 0, sends = 0, unexpected = 0;
    if (ranks == NULL)
        exit(1);
    for (int32_t i = 0; i < count; i++)
        create_rank(&ranks[i], i, count);
    mqs_setup_basic_callbacks(&ranks[0].debugger.basic);
    for (int32_t i = 0; i < count; i++) {
        must_be_ok(mqs_setup_image(fake_image(&ranks[i].debugger), &ranks[i].debugger.image));
        must_be_ok(mqs_setup_process(fake_process(&ranks[i].debugger), &ranks[i].debugger.process));
    }
    const double begin = now_ms();
    for (int32_t i = 0; i < count; i++) {
        mqs_process *process = fake_process(&ranks[i].debugger);
        must_be_ok(mqs_update_communicator_list(process));
        sends += walk(process, mqs_pending_sends);
        walk(process, mqs_pending_receives);
        unexpected += walk(process, mqs_unexpected_messages);
    }
    const double end = now_ms();
    for (int32_t i = 0; i < count; i++) {
        callbacks += ranks[i].debugger.reads;
        most_reads = ranks[i].reads > most_reads ? ranks[i].reads : most_reads;
    }
    printf("%10d %10lu %12lu %18.1f %12lu %10.1f %16.2f\n", count, (unsigned long)sends, (unsigned long)unexpected,
           (double)callbacks / count, (unsigned long)most_reads, end - begin, (end - begin) * 1e3 / (double)unexpected);
    for (int32_t i = 0; i < count; i++) {
        mqs_destroy_process_info(ranks[i].debugger.process_info);
        mqs_destroy_image_info(ranks[i].debugger.image_info);
        fake_target_destroy(ranks[i].job.target);
    }
    free(ranks);
    const bool is_right = most_reads == 1 && unexpected == (uint64_t)count * SENDS && sends == unexpected;
    if (!is_right)
        printf("FAIL: not every message is there, or a process was read more than once\n");
    return is_right ? 0 : 1;
}

int main(void)
{
    static const int32_t counts[] = {20, 100, 1000};
    int status = 0;
    printf("%10s %10s %12s %18s %12s %10s %16s\n", "processes", "sends", "unexpected", "callbacks of each", "copies",
           "walk ms", "us per message");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        status |= measure(counts[i]);
    return status;
}
