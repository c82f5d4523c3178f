/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the runtime of a process has not recorded, because its memory limit was reached. From then on what the process
 * has is not all, and its counts are too low.
 */
#ifndef MPILENS_INSPECT_MODEL_LOST_RECORDS_H
#define MPILENS_INSPECT_MODEL_LOST_RECORDS_H

#include "model/model.h"

/* Whether it has sent, received or made what it has no record of. */
bool process_has_lost_records(const struct process *process);

/* How much that is. */
uint64_t count_lost_records(const struct process *process);

/* Which ranks have, as one sentence that the caller frees; NULL: none. */
char *describe_lost_records(const struct job *job);

#endif
