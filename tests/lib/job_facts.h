/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Models that tests make by hand name functions; what these are comes from the table of MPI functions, as the runtime
 * has it.
 */
#ifndef MPILENS_TESTS_JOB_FACTS_H
#define MPILENS_TESTS_JOB_FACTS_H

#include "model/model.h"

/* Fills in what the functions are of all threads, polls, collective calls, operations and requests of the job. */
void job_add_facts(struct job *job);
/* The same of a process; what its operations have the same goes into the pool. */
void process_add_facts(struct operation_details_pool *pool, struct process *process);

#endif
