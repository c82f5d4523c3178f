/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that run while they are read: nothing that is listed may be wrong, and nothing may fail.
 */
#include "fake_runtime.h"
#include "length.h"
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(running, .init = create_job, .fini = close_job);

static uint64_t torn_records(void)
{
    struct mpilens_process_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_get_process(opened.process, &information), mqs_ok);
    return information.torn_records;
}

static uint64_t torn_address;

static void finish_record_on_second_read(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    if (address == torn_address && bytes == sizeof(struct mpilens_operation))
        fake_target_put_field(debugger->target, torn_address, MPILENS_FIELD_operation_posted_check, 1);
}

static void add_torn_record(void)
{
    struct mpilens_operation operation = send_to(2, 1);
    operation.posted_check = 99;
    torn_address = add_operation(&operation);
    operation = send_to(3, 1);
    add_operation(&operation);
}

Test(running, a_torn_record_is_read_again)
{
    add_torn_record();
    opened.debugger.before_read = finish_record_on_second_read;
    open_world();
    uint64_t serials[4];
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_sends, serials, 4), 2);
    cr_assert_eq(torn_records(), 0);
}

Test(running, a_record_that_stays_torn_is_counted_and_left_out)
{
    add_torn_record();
    open_world();
    uint64_t serials[4];
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_sends, serials, 4), 1);
    cr_assert_eq(serials[0], 2);
    cr_assert_eq(torn_records(), 1);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(torn_records(), 1, "counted anew with every copy");
}

Test(running, a_record_that_was_not_begun_is_no_torn_one)
{
    add_operation(&(struct mpilens_operation){.state = 0});
    struct mpilens_operation operation = send_to(2, 1);
    operation.state = 0; /* given back, or a store away from being published */
    add_operation(&operation);
    open_job();
    cr_assert_eq(torn_records(), 0);
}

/* Between the first fetch of the root and the fetch of the operations, the tables grow by a chunk of communicators, a
 * larger directory and an operation on the new communicator. */
static void grow_once(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    struct fake_target *target = debugger->target;
    (void)bytes;
    if (address != target->process.tables[MPILENS_TABLE_OPERATIONS].directory || debugger->context != NULL)
        return;
    debugger->context = target;
    struct mpilens_operation operation = send_to(2, 1);
    for (int i = 0; i < 20; i++) {
        struct mpilens_communicator communicator =
            fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "new");
        communicator.created = 20;
        operation.communicator = fake_target_add(target, MPILENS_TABLE_COMMUNICATORS, &communicator);
    }
    add_operation(&operation);
    fake_target_publish(target);
    fake_target_put(target, MPILENS_STRUCT_chunk, address, &target->tables[MPILENS_TABLE_OPERATIONS].chunks[0]);
}

Test(running, tables_that_grow_meanwhile_are_read_as_they_are)
{
    struct mpilens_operation operation = send_to(2, 1);
    add_operation(&operation);
    opened.debugger.before_read = grow_once;
    open_job();
    cr_assert_not(opened_job_go_to(&opened, "unknown communicator"));
    opened.debugger.before_read = NULL;
    uint64_t serials[4];
    size_t found = 0;
    for (int code = mqs_setup_communicator_iterator(opened.process); code == mqs_ok;
         code = mqs_next_communicator(opened.process))
        found += opened_job_queue(&opened, mqs_pending_sends, serials, 4);
    cr_assert_eq(found, 2);
}

struct observation {
    uint64_t operations;
    uint64_t communicators;
    uint64_t moved; /* copies during which the process made stores */
};

/* In one process. Where records are copied several times, more of them change meanwhile. */
#if defined(LOADS_ARE_ORDERED) && !LOADS_ARE_ORDERED
enum { LEAST_SEEN = 25 };
#else
enum { LEAST_SEEN = 50 };
#endif

static uint64_t turns;

/* Now a few stores, now many; seldom within reads, where there are many turns. */
static void run_on(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    (void)address;
    (void)bytes;
    const uint64_t turn = ++turns * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    if (debugger->slice_bytes > 0 && turn % 16 != 0)
        return;
    const uint64_t steps = turn / 16 % 16 == 0 ? 20 : turn / 16 % 4;
    for (uint64_t i = 0; i < steps; i++)
        fake_runtime_step(debugger->context);
}

static void check_queues(const struct fake_runtime *runtime, uint64_t communicator_id, struct observation *observation)
{
    mqs_pending_operation pending;
    cr_assert_eq(mqs_setup_operation_iterator(opened.process, mqs_pending_sends), mqs_ok);
    while (mqs_next_operation(opened.process, &pending) == mqs_ok) {
        struct mpilens_operation_information got = {.struct_size = sizeof got};
        cr_assert_eq(mpilens_get_operation(opened.process, &got), mqs_ok);
        const struct fake_operation_truth *truth = &runtime->operation_truth[got.serial];
        cr_assert_eq(communicator_id, truth->communicator_id, "operation %lu", (unsigned long)got.serial);
        cr_assert(got.peer_local == truth->peer && got.tag == truth->tag);
        cr_assert_eq(got.peer_world, runtime->communicator_truth[communicator_id].members[truth->peer]);
        cr_assert_eq(got.bytes, 40);
        observation->operations++;
    }
}

static void check_copy(const struct fake_runtime *runtime, struct observation *observation)
{
    int code = mqs_setup_communicator_iterator(opened.process);
    cr_assert_eq(code, mqs_ok);
    for (; code == mqs_ok; code = mqs_next_communicator(opened.process)) {
        mqs_communicator communicator;
        cr_assert_eq(mqs_get_communicator(opened.process, &communicator), mqs_ok);
        if (communicator.unique_id < 1000 && communicator.unique_id != 100)
            continue;
        const struct fake_communicator_truth *truth = &runtime->communicator_truth[communicator.unique_id];
        int members[FAKE_RUNTIME_WORLD];
        cr_assert_eq(communicator.size, truth->size);
        cr_assert_eq(mqs_get_comm_group(opened.process, members), mqs_ok);
        for (int i = 0; i < truth->size; i++)
            cr_assert_eq(members[i], truth->members[i], "communicator %lu", (unsigned long)communicator.unique_id);
        check_queues(runtime, communicator.unique_id, observation);
        observation->communicators++;
    }
}

static struct fake_runtime runtime;

enum { COPIES = 50 };

static uint64_t processes(void)
{
    return length_of(40);
}

static struct observation observe(size_t slice_bytes)
{
    struct observation observation = {0};
    for (uint64_t seed = 1; seed <= processes(); seed++) {
        create_job();
        fake_runtime_create(&runtime, &opened.job, seed);
        cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
        opened.debugger.before_read = run_on;
        opened.debugger.slice_bytes = slice_bytes;
        opened.debugger.context = &runtime;
        for (int copy = 0; copy < COPIES; copy++) {
            for (int i = 0; i < 100; i++)
                fake_runtime_step(&runtime);
            uint64_t ticks = runtime.ticks;
            cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
            observation.moved += runtime.ticks > ticks;
            check_copy(&runtime, &observation);
        }
        close_job();
    }
    cr_assert_gt(observation.moved, COPIES * processes() * 95 / 100);
    return observation;
}

Test(running_process, nothing_listed_is_wrong_when_the_process_runs_between_reads)
{
    struct observation observation = observe(0);
    cr_assert(observation.operations > 50 * processes() && observation.communicators > 50 * processes(), "%lu, %lu",
              (unsigned long)observation.operations, (unsigned long)observation.communicators);
}

Test(running_process, nothing_listed_is_wrong_when_the_process_runs_within_reads)
{
    struct observation observation = observe(64);
    cr_assert(observation.operations > LEAST_SEEN * processes() && observation.communicators > LEAST_SEEN * processes(),
              "%lu, %lu", (unsigned long)observation.operations, (unsigned long)observation.communicators);
}

Test(running_process, everything_is_listed_when_the_process_stands_still)
{
    for (uint64_t seed = 1; seed <= length_of(200); seed++) {
        create_job();
        fake_runtime_create(&runtime, &opened.job, seed);
        for (uint64_t i = 0; i < 200 + seed; i++)
            fake_runtime_step(&runtime);
        uint64_t pending = 0;
        for (unsigned i = 0; i < FAKE_RUNTIME_OPERATIONS; i++)
            pending += runtime.operations[i].record.state == MPILENS_OPERATION_PENDING;
        cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
        cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
        struct observation observation = {0};
        check_copy(&runtime, &observation);
        cr_assert_eq(observation.operations, pending, "at any instant, seed %lu", (unsigned long)seed);
        close_job();
    }
}
