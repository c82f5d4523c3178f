/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The message queues of a process as rows, which the text and the page write.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_QUEUE_ROWS_H
#define MPILENS_INSPECT_RENDER_TEXT_QUEUE_ROWS_H

#include "words/describe.h"

enum queue { QUEUE_SEND, QUEUE_RECEIVE, QUEUE_UNEXPECTED };

/* An operation or message in a queue; or, of the unexpected messages, how many more there are. */
struct queue_row {
    enum queue queue;
    const char *name;                  /* of the queue: "send", "receive", "unexpected" */
    bool is_first;                     /* of the queue on its communicator; true also of how many more there are */
    const struct operation *operation; /* NULL: how many more there are */
    uint64_t unknown;                  /* how many more, which are too old to be known */
    const struct communicator *communicator;
    const char *label; /* of the communicator */
    /* The visitor's; NULL without an operation. */
    char *tag;    /* "7", "any" */
    char *status; /* "pending", "pending, 2 of 4 ready" */
    char *site;   /* "ring.c:41 main" */
};

/* Calls `visit` for each row: by communicator, then by queue, as they stand there. */
typedef void queue_row_visit(void *context, const struct queue_row *row);
void visit_queue_rows(const struct process *process, const struct communicator_labels *labels, queue_row_visit *visit,
                      void *context);

#endif
