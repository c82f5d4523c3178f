/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the facts about functions that hand-made models name, from the table of MPI functions, as the runtime has them.
 */
#ifndef MPILENS_TESTS_JOB_FACTS_H
#define MPILENS_TESTS_JOB_FACTS_H

#include "model/model.h"

/* Fills in what the functions are of all threads, polls, collective calls, operations and requests of the job. */
void job_add_facts(struct job *job);
/* As above, for a process; shared details of its operations go into the pool. */
void process_add_facts(struct operation_details_pool *pool, struct process *process);

#endif
