/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was seen of ranks without the runtime, in words. The caller frees what is returned.
 */
#ifndef MPILENS_INSPECT_WORDS_DESCRIBE_SEEN_H
#define MPILENS_INSPECT_WORDS_DESCRIBE_SEEN_H

#include "model/model.h"

/* "MPI_Recv(count 16, tag 8)", "MPI_Recv(?)", "MPI_Recv(?), stopped", "not in MPI: sleeping in nanosleep". */
char *describe_seen_thread(const struct seen_thread *thread);

/* The thread to be shown after number `after` of a process that lacks tables: each that is in MPI, or the main thread
 * where none is; -1: from the first on. -1: there is no more. */
int next_seen_thread(const struct process *process, int after);
/* Whether the stacks of the process tell something that its runtime does not. */
bool process_was_seen(const struct process *process);
/* Those processes of the ranks, as "ranks [0-3]"; NULL: there are none. */
char *name_seen_ranks(const struct job *job, const struct rank_set *ranks);

/* How to start the job so that it has the runtime: "mpiexec -n 4 mpilens run ./app arguments". */
char *describe_prepared_start(const struct job *job);
/* What to do so that the runtime sees what it does: "next time, start it with '...'". */
char *describe_preparation(const struct job *job);

#endif
