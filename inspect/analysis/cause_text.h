/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes in sentences.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSE_TEXT_H
#define MPILENS_INSPECT_ANALYSIS_CAUSE_TEXT_H

#include "analysis/cause.h"
#include "words/describe.h"

#include <stdio.h>

struct cause_text {
    const struct waits *waits;
    const struct communicator_labels *labels;
};

/* The sentence of the finding. The caller frees it. */
char *cause_message(const struct cause_text *text, const struct cause *cause);
/* Appends what the sentence leaves open: "; rank 2 could not be read (its process has ...): it may be doing anything".
 */
void cause_write_openings(FILE *stream, const struct cause_text *text, const struct cause *cause);
/* What each rank of the cause does, and what else the sentence says. */
void cause_add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* "waits in MPI_Recv(...)" of every blocked thread of the process, or where it is instead. */
void add_process_evidence(const struct cause_text *text, const struct process *process, struct finding *finding);
/* "not complete: MPI_Irecv(...)", of an operation of the process. */
void add_operation_evidence(const struct cause_text *text, const struct process *process,
                            const struct operation *operation, const struct communicator *communicator,
                            struct finding *finding);

/* "MPI_Recv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)", "a loop of MPI_Iprobe(...) and MPI_Test(...)", with peers left
 * open, and `with_places` with " at ring.c:41" behind each call. The caller frees its text. */
struct open_call describe_waiting_call(const struct cause_text *text, const struct process *process,
                                       const struct thread *thread, bool with_places);
/* The same with places and peers. The caller frees it. */
char *describe_call_and_place(const struct cause_text *text, const struct process *process,
                              const struct thread *thread);
/* "MPI_COMM_WORLD", "file \"out.dat\"": what has the order that the member belongs to. The caller frees it. */
char *describe_order(const struct cause_text *text, const struct job_member *member);
/* "10 x MPI_INT (40 bytes)": what is noted of a collective call; "": nothing. The caller frees it. */
char *describe_amount(const struct collective_call *call);
/* " at ring.c:41", " in libsolver.so", or "". The caller frees it. */
char *describe_at(const struct site *site);
/* "not in MPI: computing in solve (solve.c:41)", "not in MPI: sleeping in flock, called by log (a.c:7)". The caller
 * frees it. */
char *describe_outside(const struct process *process);
/* "is in MPI_Barrier(...) at a.c:7", "has exited", "is not in MPI: computing in solve (a.c:3)". The caller frees it. */
char *describe_doing(const struct cause_text *text, const struct process *process);
/* "is in MPI_Finalize", "has called MPI_Finalize", "has exited". */
const char *describe_end(const struct process *process);

/* The thread that others see blocked; NULL: none. */
const struct thread *find_first_blocked(const struct process *process);

/* For cause_text*.c only: the sentences about ranks that wait for others, about members that disagree about a
 * collective call, about a near miss, about a message that was lost, about one that was not sent, about a receive from
 * any source that took the message, and about a send that MPI_Finalize waits for. */
void cause_write_waiters(FILE *stream, const struct cause_text *text, const struct cause *cause);
void cause_write_mismatch(FILE *stream, const struct cause_text *text, const struct cause *cause);
void cause_write_near_miss(FILE *stream, const struct cause_text *text, const struct cause *cause);
void cause_write_lost(FILE *stream, const struct cause_text *text, const struct cause *cause);
void cause_write_skipped(FILE *stream, const struct cause_text *text, const struct cause *cause);
void cause_write_stolen(FILE *stream, const struct cause_text *text, const struct cause *cause);
/* About an operation that only its own process could complete, which waits for it in this thread. */
void cause_write_own(FILE *stream, const struct cause_text *text, const struct process *process,
                     const struct thread *thread, const struct wait_subject *subject);
void cause_write_left_over(FILE *stream, const struct cause_text *text, const struct cause *cause);
/* About a source that does not send in neighborhood collectives. */
void cause_write_silent(FILE *stream, const struct cause_text *text, const struct cause *cause);

/* Appends "; rank 2 has received 3 messages of rank 0 and sent it 2, ..." where one of several ranks has not answered.
 */
void cause_write_odd(FILE *stream, const struct cause_text *text, const struct cause *cause);
/* For cause_evidence.c only: what was sent and received before that tells who has left out something. */
void cause_add_history(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* "rank 2 is stuck in MPI_Recv(...) at a.c:7", "rank 3 is stuck in MPI_Waitall at a.c:9: nothing matches its
 * MPI_Irecv(...) at a.c:3". */
void cause_write_stuck(FILE *stream, const struct cause_text *text, const struct cause *cause);

#endif
