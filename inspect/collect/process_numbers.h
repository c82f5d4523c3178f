/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rank and the job of a process whose runtime does not say them.
 */
#ifndef MPILENS_INSPECT_COLLECT_PROCESS_NUMBERS_H
#define MPILENS_INSPECT_COLLECT_PROCESS_NUMBERS_H

#include "model/model.h"

/* Fills in rank and size where they are not known, as far as the environment in the memory of its target tells them,
 * alive or as a core file. */
void process_find_numbers(struct process *process);
/* Fills in the identity of the job of a living one. */
void process_find_job(struct job *job, struct process *process);

#endif
