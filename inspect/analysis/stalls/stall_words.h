/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the kernel tells of a process that stands still, in words. The caller frees what is returned as char *; NULL:
 * there is nothing of that kind to say.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_STALL_WORDS_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_STALL_WORDS_H

#include "analysis/findings/finding.h"
#include "model/model.h"

/* "is stopped by a signal", "is frozen by its control group", "sleeps in the kernel and cannot be interrupted". */
char *describe_hindrance(const struct process *process);
/* "has a socket in SYN_SENT to 10.0.0.3:41234": one that is no whole connection. */
char *describe_broken_socket(const struct process *process);
/* "has 4096 bytes for 10.0.0.3:41234 that are not acknowledged": of a connection whose other end does not answer. */
char *describe_full_socket(const struct process *process);
/* "spins", "sleeps in poll", "runs now and then". */
char *describe_running(const struct process *process);
/* "spin", "sleep in poll": what describe_running says, of several. Valid until the next call. */
const char *describe_others(const char *running);

/* All of that, and memory, processor time and devices, as evidence. The process has kernel facts. */
void add_kernel_evidence(const struct process *process, struct finding *finding);
/* Its server of PMI or PMIx, as evidence, where one is known: of ranks that start or end, which wait for it. */
void add_manager_evidence(const struct process *process, struct finding *finding);

#endif
