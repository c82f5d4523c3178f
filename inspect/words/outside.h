/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a process does whose threads are not in MPI, in words. The caller frees what is returned.
 */
#ifndef MPILENS_INSPECT_WORDS_OUTSIDE_H
#define MPILENS_INSPECT_WORDS_OUTSIDE_H

#include "model/model.h"

/* For where its place stands elsewhere: "not in MPI", "not in MPI (finalizing)". */
char *describe_outside_briefly(const struct process *process);
/* "not in MPI: computing in solve (solve.c:41)", "not in MPI: sleeping in flock, called by log (a.c:7)". */
char *describe_outside(const struct process *process);
/* The same of a process in any state: "has exited", "not read: no permission". */
char *describe_without_call(const struct process *process);

#endif
