/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the threads of a process do in Python, next to what they do in MPI.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_PYTHON_H
#define MPILENS_INSPECT_COLLECT_COLLECT_PYTHON_H

#include "model/model.h"
#include "python/python_stacks.h"

/* Fills python_site and handling of the threads, and the process's end. The process may run: Python
 * was read before and after its threads; a line counts where it is the same. */
void collect_python(struct job *job, const struct python_stacks *before, const struct python_stacks *after,
                    struct process *process);

#endif
