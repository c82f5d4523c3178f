/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake job with a debugger on it, and short ways to look at its queues.
 */
#ifndef MPILENS_OPENED_JOB_H
#define MPILENS_OPENED_JOB_H

#include "fake_job.h"

struct opened_job {
    struct fake_job job;
    struct fake_debugger debugger;
    mqs_process *process;
};

/* A job without operations, not yet published. */
void opened_job_create(struct opened_job *opened, const struct fake_options *options);

/* Publishes the job, opens the debugger and takes a copy. The first code that is not mqs_ok, or mqs_ok. */
int opened_job_open(struct opened_job *opened);

/* Returns how many allocations the DLL has not freed. */
uint64_t opened_job_close(struct opened_job *opened);

/* Puts the communicator iterator on the communicator of this name. False: there is none. */
bool opened_job_go_to(struct opened_job *opened, const char *communicator_name);

/* Serials of a queue of the current communicator, in order; `capacity` at most. Returns how many there are. */
size_t opened_job_queue(struct opened_job *opened, int op_class, uint64_t *ret_serials, size_t capacity);

/* The operation with this serial, in the queue of the current communicator. False: it is not there. */
bool opened_job_find(struct opened_job *opened, int op_class, uint64_t serial, mqs_pending_operation *ret_operation,
                     struct mpilens_operation_information *ret_information);

#endif
