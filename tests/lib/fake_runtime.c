/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The thread's actions, store by store.
 */
#include "fake_runtime.h"

#include <string.h>

enum action { IDLE, START_OPERATION, COMPLETE_OPERATION, MAKE_COMMUNICATOR, FREE_COMMUNICATOR, GIVE_BACK_COMMUNICATOR };

static uint64_t next_random(struct fake_runtime *runtime)
{
    runtime->random ^= runtime->random << 13;
    runtime->random ^= runtime->random >> 7;
    runtime->random ^= runtime->random << 17;
    return runtime->random >> 11;
}

static void put(struct fake_runtime *runtime, uint64_t address, enum mpilens_field field, uint64_t value)
{
    fake_target_put_field(runtime->job->target, address, field, value);
}

static void begin_call(struct fake_runtime *runtime, uint32_t function)
{
    runtime->thread.entered = ++runtime->ticks;
    put(runtime, runtime->thread_address, MPILENS_FIELD_thread_entered, runtime->ticks);
    put(runtime, runtime->thread_address, MPILENS_FIELD_thread_function, function);
}

static void end_call(struct fake_runtime *runtime)
{
    put(runtime, runtime->thread_address, MPILENS_FIELD_thread_function, 0);
    runtime->action = IDLE;
}

static bool is_live(uint32_t state)
{
    return state == MPILENS_OPERATION_PENDING;
}

static bool is_referred_to(const struct fake_runtime *runtime, unsigned number)
{
    for (unsigned i = 0; i < FAKE_RUNTIME_OPERATIONS; i++)
        if (is_live(runtime->operations[i].record.state) &&
            runtime->operations[i].record.communicator == runtime->communicators[number].address)
            return true;
    return false;
}

/* Chooses what to do next; stays idle where the chosen record does not allow it. */
static void choose(struct fake_runtime *runtime)
{
    const uint64_t choice = next_random(runtime) % 100;
    const unsigned operation = (unsigned)(next_random(runtime) % FAKE_RUNTIME_OPERATIONS);
    const unsigned communicator = (unsigned)(next_random(runtime) % FAKE_RUNTIME_COMMUNICATORS);
    const uint32_t state = runtime->communicators[communicator].record.state;
    runtime->stage = 0;
    if (choice < 60) {
        runtime->number = operation;
        runtime->action = is_live(runtime->operations[operation].record.state) ? COMPLETE_OPERATION : START_OPERATION;
        return;
    }
    runtime->number = communicator;
    if (state == 0)
        runtime->action = MAKE_COMMUNICATOR;
    else if (state == MPILENS_OBJECT_LIVE && choice < 90)
        runtime->action = FREE_COMMUNICATOR;
    else if (state == MPILENS_OBJECT_FREED && !is_referred_to(runtime, communicator))
        runtime->action = GIVE_BACK_COMMUNICATOR;
}

/* Any live communicator, or MPI_COMM_WORLD. */
static void set_communicator(struct fake_runtime *runtime, struct mpilens_operation *operation)
{
    const unsigned number = (unsigned)(next_random(runtime) % FAKE_RUNTIME_COMMUNICATORS);
    const struct mpilens_communicator *record = &runtime->communicators[number].record;
    const bool live = record->state == MPILENS_OBJECT_LIVE;
    const uint64_t id = live ? record->unique_id : 100;
    operation->communicator = live ? runtime->communicators[number].address : runtime->job->world;
    operation->peer = (int32_t)(next_random(runtime) % (uint64_t)runtime->communicator_truth[id].size);
    operation->tag = (int32_t)(next_random(runtime) % 1000);
    runtime->operation_truth[operation->posted] = (struct fake_operation_truth){id, operation->peer, operation->tag};
}

static void start_operation(struct fake_runtime *runtime)
{
    const uint64_t address = runtime->operations[runtime->number].address;
    struct mpilens_operation *operation = &runtime->operations[runtime->number].record;
    switch (runtime->stage++) {
    case 0:
        runtime->thread.operations++;
        put(runtime, runtime->thread_address, MPILENS_FIELD_thread_operations, runtime->thread.operations);
        put(runtime, address, MPILENS_FIELD_operation_state, 0);
        break;
    case 1:
        put(runtime, address, MPILENS_FIELD_operation_posted_check, runtime->thread.operations);
        break;
    case 2:
        operation->posted = runtime->thread.operations;
        operation->posted_time = ++runtime->ticks;
        set_communicator(runtime, operation);
        put(runtime, address, MPILENS_FIELD_operation_posted_time, operation->posted_time);
        put(runtime, address, MPILENS_FIELD_operation_communicator, operation->communicator);
        break;
    case 3:
        put(runtime, address, MPILENS_FIELD_operation_peer, (uint32_t)operation->peer);
        put(runtime, address, MPILENS_FIELD_operation_tag, (uint32_t)operation->tag);
        break;
    case 4:
        put(runtime, address, MPILENS_FIELD_operation_posted, operation->posted);
        break;
    default:
        operation->state = MPILENS_OPERATION_PENDING;
        put(runtime, address, MPILENS_FIELD_operation_state, operation->state);
        runtime->action = IDLE;
        break;
    }
}

static void complete_operation(struct fake_runtime *runtime)
{
    switch (runtime->stage++) {
    case 0:
        begin_call(runtime, runtime->job->function.waitall);
        break;
    case 1:
        runtime->thread.completions++;
        put(runtime, runtime->thread_address, MPILENS_FIELD_thread_completions, runtime->thread.completions);
        break;
    case 2:
        runtime->operations[runtime->number].record.state = MPILENS_OPERATION_RETIRED;
        put(runtime, runtime->operations[runtime->number].address, MPILENS_FIELD_operation_state,
            MPILENS_OPERATION_RETIRED);
        break;
    default:
        end_call(runtime);
        break;
    }
}

/* Random members: the same number in another order is another group. */
static void make_group(struct fake_runtime *runtime, struct fake_communicator_truth *ret_truth)
{
    struct fake_communicator_truth truth = {.size = 2};
    const int32_t first = (int32_t)(next_random(runtime) % FAKE_RUNTIME_WORLD);
    truth.members[0] = first;
    truth.members[1] = (int32_t)((first + 1 + (int32_t)(next_random(runtime) % 3)) % FAKE_RUNTIME_WORLD);
    struct mpilens_group group = {.size = 2, .range_count = 2, .rank = 0};
    for (int i = 0; i < 2; i++)
        group.short_ranges[i] = (struct mpilens_range){truth.members[i], 1, 1};
    const uint64_t address = runtime->communicators[runtime->number].group_address;
    group.ranges = address + runtime->job->target->fields[MPILENS_FIELD_group_short_ranges].offset;
    fake_target_put(runtime->job->target, MPILENS_STRUCT_group, address, &group);
    *ret_truth = truth;
}

static void make_communicator(struct fake_runtime *runtime)
{
    const uint64_t address = runtime->communicators[runtime->number].address;
    struct mpilens_communicator *record = &runtime->communicators[runtime->number].record;
    switch (runtime->stage++) {
    case 0:
        begin_call(runtime, runtime->job->function.split);
        break;
    case 1:
        make_group(runtime, &runtime->communicator_truth[runtime->next_id]);
        break;
    case 2:
        put(runtime, runtime->communicators[runtime->number].group_address, MPILENS_FIELD_group_state,
            MPILENS_OBJECT_LIVE);
        break;
    case 3:
        *record = fake_job_communicator(runtime->job, runtime->communicators[runtime->number].group_address, 0, 2, "");
        record->unique_id = runtime->next_id++;
        record->created = ++runtime->ticks;
        record->state = 0;
        fake_target_put(runtime->job->target, MPILENS_STRUCT_communicator, address, record);
        break;
    case 4:
        record->state = MPILENS_OBJECT_LIVE;
        put(runtime, address, MPILENS_FIELD_communicator_state, record->state);
        break;
    default:
        end_call(runtime);
        break;
    }
}

static void free_communicator(struct fake_runtime *runtime)
{
    if (runtime->stage++ == 0) {
        begin_call(runtime, runtime->job->function.split);
        return;
    }
    runtime->communicators[runtime->number].record.state = MPILENS_OBJECT_FREED;
    put(runtime, runtime->communicators[runtime->number].address, MPILENS_FIELD_communicator_state,
        MPILENS_OBJECT_FREED);
    end_call(runtime);
}

static void give_back_communicator(struct fake_runtime *runtime)
{
    switch (runtime->stage++) {
    case 0:
        begin_call(runtime, runtime->job->function.split);
        break;
    case 1:
        put(runtime, runtime->communicators[runtime->number].group_address, MPILENS_FIELD_group_state, 0);
        break;
    default:
        runtime->communicators[runtime->number].record.state = 0;
        put(runtime, runtime->communicators[runtime->number].address, MPILENS_FIELD_communicator_state, 0);
        end_call(runtime);
        break;
    }
}

void fake_runtime_step(struct fake_runtime *runtime)
{
    static void (*const actions[])(struct fake_runtime *) = {
        choose, start_operation, complete_operation, make_communicator, free_communicator, give_back_communicator};
    if (runtime->thread.operations + 2 < FAKE_RUNTIME_HISTORY && runtime->next_id + 2 < FAKE_RUNTIME_HISTORY)
        actions[runtime->action](runtime);
}

void fake_runtime_create(struct fake_runtime *runtime, struct fake_job *job, uint64_t seed)
{
    memset(runtime, 0, sizeof *runtime);
    runtime->job = job;
    runtime->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    runtime->ticks = 1000;
    runtime->next_id = 1000;
    runtime->communicator_truth[100] = (struct fake_communicator_truth){4, {0, 1, 2, 3}};
    for (unsigned i = 0; i < FAKE_RUNTIME_OPERATIONS; i++) {
        struct mpilens_operation *record = &runtime->operations[i].record;
        *record = fake_job_operation(job, job->function.isend, MPILENS_OPERATION_SEND, 0, 0);
        record->state = 0;
        record->posted = record->posted_check = 0;
        runtime->operations[i].address = fake_job_add(job, record);
    }
    for (unsigned i = 0; i < FAKE_RUNTIME_COMMUNICATORS; i++) {
        const struct mpilens_group group = {.state = 0};
        runtime->communicators[i].group_address = fake_target_add(job->target, MPILENS_TABLE_GROUPS, &group);
        runtime->communicators[i].address =
            fake_target_add(job->target, MPILENS_TABLE_COMMUNICATORS, &runtime->communicators[i].record);
    }
    runtime->thread = (struct mpilens_thread){.state = MPILENS_THREAD_ALIVE, .tid = 4711};
    runtime->thread_address = fake_target_add(job->target, MPILENS_TABLE_THREADS, &runtime->thread);
    fake_target_publish(job->target);
}
