/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls and operations in words. The caller frees what is returned as char *.
 */
#ifndef MPILENS_INSPECT_WORDS_DESCRIBE_CALL_H
#define MPILENS_INSPECT_WORDS_DESCRIBE_CALL_H

#include "words/describe.h"
#include "words/open_call.h"

/* "MPI_Recv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)"; "polling MPI_Iprobe(...) and MPI_Test(...)"; "not in MPI". */
char *describe_call(const struct process *process, const struct thread *thread,
                    const struct communicator_labels *labels);
/* "MPI_Waitall(2 receives, 1 send)", of a call that waits for requests. */
char *describe_call_numbers(const struct process *process, const struct thread *thread);
/* What stands in front of the poll with this number of all that the thread makes in turn: "", ", " or " and ". */
const char *describe_poll_separator(const struct thread *thread, size_t number);
/* "MPI_Irecv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)". */
char *describe_operation(const struct operation *operation, const struct communicator *communicator,
                         const struct communicator_labels *labels);

/* The call of a thread that is in one, or of the polls only the first. */
struct open_call describe_open_call(const struct process *process, const struct thread *thread,
                                    const struct communicator_labels *labels);
/* As describe_call(). */
struct open_call describe_open_calls(const struct process *process, const struct thread *thread,
                                     const struct communicator_labels *labels);
struct open_call describe_open_operation(const struct operation *operation, const struct communicator *communicator,
                                         const struct communicator_labels *labels);
/* Whether that has the same text for both on one communicator, if it leaves the peers of both open. */
bool operations_read_alike(const struct operation *left, const struct operation *right);

#endif
