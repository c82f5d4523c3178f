/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The requests of a process that stand in no queue as rows, which the text and the page write.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_REQUEST_ROWS_H
#define MPILENS_INSPECT_RENDER_TEXT_REQUEST_ROWS_H

#include "words/describe.h"

struct request_row {
    const struct request *request;
    const struct communicator *communicator; /* NULL: none, or not known */
    const char *name;                        /* of its class: "collective", "one-sided" */
    const char *label;                       /* of the communicator; "": none */
    const char *status;                      /* "pending", "complete", "inactive", "released" */
    /* The visitor's. */
    char *place; /* "call 3 on MPI_COMM_WORLD"; "" where there is none */
    char *site;  /* "ring.c:41 main" */
};

/* Calls `visit` for each row, in the order of the model; where not `all`, for active requests only. */
typedef void request_row_visit(void *context, const struct request_row *row);
void visit_request_rows(const struct process *process, const struct communicator_labels *labels, bool all,
                        request_row_visit *visit, void *context);

#endif
