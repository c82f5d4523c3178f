/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a handle names, in one sentence.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_SUMMARY_H
#define MPILENS_INSPECT_HANDLE_HANDLE_SUMMARY_H

#include "handle/handle.h"

/* The whole in one sentence: "communicator row (0x84000002): rank 1 of 2, intracommunicator, cartesian 2 x 1, periodic
 * in dimension 0, split from MPI_COMM_WORLD at app.c:40". */
char *handle_summary(const struct handle *handle);
/* Likewise of a datatype that is a part of another one. */
char *handle_datatype_summary(const struct handle_datatype *datatype);

#endif
