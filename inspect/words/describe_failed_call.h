/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that MPI has failed in words. The caller frees what is returned.
 */
#ifndef MPILENS_INSPECT_WORDS_DESCRIBE_FAILED_CALL_H
#define MPILENS_INSPECT_WORDS_DESCRIBE_FAILED_CALL_H

#include "words/describe.h"

/* "MPI_Recv(1000 x MPI_INT (4000 bytes) <- 0, tag 3, MPI_COMM_WORLD)", "MPI_Bcast(root 2, call 4 on MPI_COMM_WORLD)".
 * What it was called with, right or wrong. */
char *describe_failed_call(const struct failed_call *call, const struct communicator_labels *labels);

/* What MPI says of the error in one line, without what it says of the call: "Invalid tag, value is -5"; "": nothing. */
char *describe_failure(const struct failed_call *call);

/* "has got MPI_ERR_TAG from MPI_Send(...), 3 times: Invalid tag, value is -5". */
char *describe_returned_failure(const struct failed_call *call, const struct communicator_labels *labels);

#endif
