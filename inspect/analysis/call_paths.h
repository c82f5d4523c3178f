/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The call stacks that led the ranks of a finding into the MPI calls of its evidence.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALL_PATHS_H
#define MPILENS_INSPECT_ANALYSIS_CALL_PATHS_H

#include "analysis/findings/finding.h"
#include "model/model.h"

struct call_path {
    char *text;         /* "global_sum (comm.c:7) < residual (solver.c:40) < cg (cg.c:11) < main (main.c:21)" */
    struct ranks ranks; /* that have come this way */
};

struct call_paths {
    struct call_path *items;
    size_t count;
    size_t left_out;
};

/* Those that say more than the place of the call: it stands in a function that another one has called. */
struct call_paths call_paths_of(const struct job *job, const struct finding *finding);
void call_paths_clear(struct call_paths *paths);

/* "sleep (libc.so.6) < work (a.c:7) < main (a.c:20)": the main thread of a process; NULL: not known. The caller frees
 * it. */
char *describe_main_stack(const struct process *process);

#endif
