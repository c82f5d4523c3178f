/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model and the findings as text for terminals.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_TEXT_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_TEXT_H

#include "analysis/analysis.h"
#include "analysis/calls/calls.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "handle/handle.h"
#include "model/model.h"
#include "source/source.h"
#include "words/words.h"

#include <stdio.h>

/* The parts of a job to show, and their form. */

/* The ranks whose calls and queues a document has. */
enum shown_queues {
    QUEUES_CONCERNED, /* those that findings name, of each the first ones */
    QUEUES_NONE,
    QUEUES_ALL,
};

struct render_options {
    struct rank_set ranks; /* to show; none: all, see rank_is_chosen() */
    bool color;
    bool all;       /* nothing merged, nothing cut */
    bool objects;   /* all of them, not only their numbers */
    bool stack;     /* the call stacks of all threads */
    bool verbose;   /* each rank, not only jobs */
    bool is_ending; /* the processes are about to end: no debugger is offered */
    enum shown_queues queues;
    struct source_options source;
    double again_s;              /* the page is written again at this interval; 0: it is not */
    struct redaction *redaction; /* of a page; NULL: names stay */
    const char *target;          /* the words that have named the job, for another command; NULL: none were needed */
};

/* -- handle_page.c -- The page of a handle, for people.
 */

/* One handle in one or several processes of the job; `count` is not 0. 0, or -1 when writing failed. */
int render_handles_text(FILE *stream, const struct handle *handles, size_t count, const struct render_options *options);
/* The answers to the questions of a file that were found, each below its question. 0, or -1 when writing failed. */
int render_answers_text(FILE *stream, const struct handle_questions *questions, const struct render_options *options);

/* -- history_rows.c --
 * The last calls, in words, which the text and the page write.
 */

/* Columns, of which each is of a group of ranks. */
enum { MOST_HISTORY_GROUPS = 4 };

/* "MPI_Bcast root 0 ring.c:41 main"; "-": the ranks have not begun the call, "": they have forgotten it. */
const char *history_describe_call(const struct history_group *group, uint64_t serial);
/* "3 to 5 collective calls". */
const char *history_describe_counts(const struct collective_history *history);
/* "the first difference is call 4". */
const char *history_describe_difference(const struct collective_history *history);
/* Whether the row is the first one in which ranks differ. */
bool history_row_differs(const struct collective_history *history, size_t row);
/* Rows between the first difference and the last calls are not, where they are many. */
bool history_row_is_shown(const struct collective_history *history, size_t row);
/* "rank 3: MPI_Recv ring.c:41 main", "not received", "pending"; "": not known. */
const char *history_describe_other_end(const struct message_pairs *pairs, const struct message_end *end);

/* -- queue_rows.c --
 * The message queues of a process as rows, which the text and the page write.
 */

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
    const char *tag;    /* "7", "any" */
    const char *status; /* "pending", "pending, 2 of 4 ready" */
    const char *site;   /* "ring.c:41 main" */
};

/* Calls `visit` for each row: by communicator, then by queue, as they stand there. */
typedef void queue_row_visit(void *context, const struct queue_row *row);
void visit_queue_rows(const struct process *process, const struct communicator_labels *labels, queue_row_visit *visit,
                      void *context);

/* -- render_culprits.c --
 * The processes that a finding is about, for who goes on with a debugger.
 */

/* The next step with a process. */
struct culprit_step {
    const char *before, *command, *after; /* "", "mpilens gdb 2 4700", ""; `command` NULL: there is none */
};

/* More culprits are a matter for `mpilens list`. */
enum { MOST_CULPRITS = 3 };

/* "rank 2: process 4711 on node3". */
const char *describe_culprit(const struct process *process);
struct culprit_step culprit_next_step(const struct job *job, const struct process *process,
                                      const struct finding *finding, const struct render_options *options);

/* -- render_history.c --
 * The text of `history`.
 */

/* 0, or -1 when writing failed. */
int render_history_text(FILE *stream, const struct job *job, const struct render_options *options);

/* -- render_leaks.c --
 * Live objects on standard output.
 */

/* Both return 0, or -1 when writing failed. */
int render_leaks_text(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options);
/* Only the table. */
int render_leaks_table(FILE *stream, const struct leaks *leaks, bool color);

/* -- render_list.c --
 * The text of `list`.
 */

/* 0, or -1 when writing failed. */
int render_list_text(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options);

/* -- render_seen.c -- Remarks about ranks without the runtime, beside their activities.
 */

/* Whether only stacks tell what some rank does. */
bool has_seen_ranks(const struct job *job);
/* Says for which ranks that is so, and how to start the job next time; nothing where there are none. */
void render_seen_note(FILE *stream, const struct job *job, const struct rank_set *ranks);
/* The same below the stacks of all ranks as a tree. */
void render_seen(FILE *stream, const struct job *job, const struct render_options *options);

/* -- render_source.c --
 * Source lines as text.
 */

/* The lines below their place and an empty line, the call underlined; or why they are not shown. */
void render_excerpt(FILE *stream, const struct source_excerpt *excerpt, bool color);

/* -- render_text.c --
 * The text of `show`.
 */

/* 0, or -1 when writing failed. */
int render_show_text(FILE *stream, const struct job *job, const struct render_options *options);

/* Adds what the process is doing. */
void render_text_add_process(struct activities *activities, const struct process *process,
                             const struct communicator_labels *labels);
/* The line that says which job it is. */
void render_header(FILE *stream, const struct job *job, const struct render_options *options);
/* Why places have no source lines, below everything else. */
void render_hints(FILE *stream, const struct job *job);

/* -- render_why.c --
 * The verdict on standard output.
 */

/* 0, or -1 when writing failed. */
int render_why_text(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options);

/* -- request_rows.c --
 * The requests of a process that stand in no queue as rows, which the text and the page write.
 */

struct request_row {
    const struct operation *request;
    const struct communicator *communicator; /* NULL: none, or not known */
    const char *name;                        /* of its class: "collective", "one-sided" */
    const char *label;                       /* of the communicator; "": none */
    const char *status;                      /* "pending", "complete", "inactive", "released" */
    /* The visitor's. */
    const char *place; /* "call 3 on MPI_COMM_WORLD"; "" where there is none */
    const char *site;  /* "ring.c:41 main" */
};

/* Calls `visit` for each row, in the order of the model; where not `all`, for active requests only. */
typedef void request_row_visit(void *context, const struct request_row *row);
void visit_request_rows(const struct process *process, const struct communicator_labels *labels, bool all,
                        request_row_visit *visit, void *context);

#endif
