/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests and objects in words. The caller frees what is returned as char *.
 */
#ifndef MPILENS_INSPECT_WORDS_DESCRIBE_OBJECT_H
#define MPILENS_INSPECT_WORDS_DESCRIBE_OBJECT_H

#include "words/describe.h"

/* "collective", "one-sided"; of the class of an operation. */
const char *describe_class(uint32_t operation_class);
/* "exclusive", "shared"; of enum mpilens_lock_type. */
const char *describe_lock(uint32_t lock_type);
/* "pending", "complete", "inactive", "released". */
const char *describe_request_status(const struct request *request);
/* "window \"halo\"", "file \"out.dat\"", "window #1 of MPI_COMM_WORLD". */
char *describe_object(const struct process *process, uint32_t kind, uint32_t serial,
                      const struct communicator_labels *labels);
/* "call 3 on MPI_COMM_WORLD", "window \"halo\""; "" where there is none. */
char *describe_request_place(const struct process *process, const struct request *request,
                             const struct communicator_labels *labels);
/* "MPI_Ibcast, root 0, call 3 on MPI_COMM_WORLD". */
char *describe_request(const struct process *process, const struct request *request,
                       const struct communicator_labels *labels);

#endif
