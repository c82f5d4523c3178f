/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the sentence of a cause, and its parts.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_TEXT_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_TEXT_H

#include "analysis/causes/cause.h"
#include "words/describe.h"
#include "words/open_call.h"

struct cause_text {
    const struct waits *waits;
    const struct communicator_labels *labels;
};

/* "MPI_Recv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)", "a loop of MPI_Iprobe(...) and MPI_Test(...)", with peers left
 * open, and `with_places` with " at ring.c:41" behind each call. The caller frees its text. */
struct open_call describe_waiting_call(const struct cause_text *text, const struct process *process,
                                       const struct thread *thread, bool with_places);
/* The same with places and peers. The caller frees it. */
char *describe_call_and_place(const struct cause_text *text, const struct process *process,
                              const struct thread *thread);
/* "MPI_COMM_WORLD", "file \"out.dat\"": what has the order that the member belongs to. The caller frees it. */
char *describe_order(const struct cause_text *text, const struct job_member *member);
/* " at ring.c:41", " in libsolver.so", or "". The caller frees it. */
char *describe_at(const struct site *site);
/* "is in MPI_Barrier(...) at a.c:7", "has exited", "is not in MPI: computing in solve (a.c:3)". The caller frees it. */
char *describe_doing(const struct cause_text *text, const struct process *process);
/* "is in MPI_Finalize", "has called MPI_Finalize", "has exited". */
const char *describe_end(const struct process *process);

/* The thread that others see blocked; NULL: none. */
const struct thread *find_first_blocked(const struct process *process);

#endif
