/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake process that runs: one thread that starts and completes operations and makes and frees communicators, in steps
 * as small as a store, in the order of stores that layout.def promises. It remembers the truth about everything that it
 * ever made.
 */
#ifndef MPILENS_FAKE_RUNTIME_H
#define MPILENS_FAKE_RUNTIME_H

#include "fake_job.h"

enum {
    FAKE_RUNTIME_OPERATIONS = 24,   /* records */
    FAKE_RUNTIME_COMMUNICATORS = 6, /* records */
    FAKE_RUNTIME_HISTORY = 1 << 16, /* operations and communicators in all */
    FAKE_RUNTIME_WORLD = 4,
};

struct fake_communicator_truth {
    int32_t size;
    int32_t members[FAKE_RUNTIME_WORLD];
};

struct fake_operation_truth {
    uint64_t communicator_id;
    int32_t peer;
    int32_t tag;
};

struct fake_runtime {
    struct fake_job *job;
    uint64_t random;
    uint64_t ticks;
    uint64_t thread_address;
    struct mpilens_thread thread;
    struct {
        uint64_t address;
        struct mpilens_operation record;
    } operations[FAKE_RUNTIME_OPERATIONS];
    struct {
        uint64_t address;
        uint64_t group_address;
        struct mpilens_communicator record;
    } communicators[FAKE_RUNTIME_COMMUNICATORS];
    uint64_t next_id;
    unsigned action;                                                         /* the thread's present action */
    unsigned stage;                                                          /* how far it is */
    unsigned number;                                                         /* of the record that it works on */
    struct fake_communicator_truth communicator_truth[FAKE_RUNTIME_HISTORY]; /* by unique_id */
    struct fake_operation_truth operation_truth[FAKE_RUNTIME_HISTORY];       /* by serial */
};

/* On a job that was created and not populated; publishes it. */
void fake_runtime_create(struct fake_runtime *runtime, struct fake_job *job, uint64_t seed);

/* The next store. */
void fake_runtime_step(struct fake_runtime *runtime);

#endif
