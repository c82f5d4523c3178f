/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of render/text/ only.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_TEXT_INTERNAL_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_TEXT_INTERNAL_H

#include "analysis/findings/findings.h"
#include "base/base.h"
#include "model/model.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "words/words.h"

#include <stdint.h>
#include <stdio.h>

/* -- merged_rows.c -- Tables of the ranks' operations and objects, for people: equal rows of one list of a rank become
 * one row, long lists are cut, and equal rows of several ranks become one. Rows of several ranks whose peers follow a
 * rule also count as equal.
 */

enum { MOST_COLUMNS = 12 };

/* Which columns are there. Those of the ranks, of what it is, of the age and of open peers are made last. */
struct merged_layout {
    const struct text_column *columns;
    size_t column_count; /* MOST_COLUMNS at most */
    size_t rank, what, age;
    size_t peer;         /* column_count: there is none */
    size_t single;       /* shown where the row stands for one only; column_count: there is none */
    bool equal_anywhere; /* equal rows of a list become one also where they are no neighbours */
    bool all;            /* nothing merged, nothing cut */
};

/* One row of the table; it stands for `repeats` of each of the ranks. */
struct merged_row {
    const char *cells[MOST_COLUMNS]; /* NULL: the columns that are made last */
    const char *open_peer;           /* text of the peer with PEER_MARK for its number; NULL: its cell has the text */
    struct open_peer peer;           /* for that mark */
    const char *what;
    const char *color; /* NULL: none */
    uint64_t repeats;
    double age_s;      /* of the oldest */
    bool is_remainder; /* a row "+ N more", as its text says */
    bool is_joined;    /* with a row of an earlier rank */
    int rank;          /* the first; -1: not known */
    struct ranks ranks;
};

/* Zero-initialised but for `layout` is empty. */
struct merged_rows {
    struct merged_layout layout;
    struct merged_row *items;
    size_t count;
    size_t list;  /* where the current list begins */
    uint64_t cut; /* of it */
    int rank;     /* of it */
};

/* Begins a list of this rank. */
void merged_rows_begin(struct merged_rows *rows, int rank);
/* Adds a row to the list; `row` has cells, what, color, age_s and the peer, and gives them away. */
void merged_rows_add(struct merged_rows *rows, const struct merged_row *row);
/* A row that is like no other; `text` stands where others say what they are. Both become the table's. */
void merged_rows_add_remark(struct merged_rows *rows, const struct merged_row *row, const char *text);
/* Ends the list. */
void merged_rows_end(struct merged_rows *rows);
/* Writes the table behind an empty line, if there are rows, and clears it. 0, or -1 when writing failed. */
int merged_rows_finish(struct merged_rows *rows, FILE *stream, bool color);

/* -- merged_peers.c -- Peers in such tables: if the peers of several ranks follow a rule, their rows have the rule.
 */

/* Gives rows, which differ in nothing but their open peers and stand by rank, the texts of these in `column`. */
void merged_peers_close(size_t column, struct merged_row **rows, size_t count);
/* As merged_peers_close, for a single row, if its peer is open. */
void merged_peer_close(size_t column, struct merged_row *row);

/* -- render_collectives.c --
 * Communicators and their collective calls as a table.
 */

/* A section of the text of `show`. 0, or -1 when writing failed. */
int render_collectives(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                       const struct render_options *options);

/* -- render_culprits.c --
 * The processes that a finding is about, for users who go on with a debugger.
 */

/* "  rank 2: process 4711 on node3: mpilens gdb 2 4700", of each of the culprits that is to be shown; of many only of
 * the first. */
void render_culprits(FILE *stream, const struct job *job, const struct finding *finding,
                     const struct render_options *options);

/* -- render_objects.c --
 * Objects as a table, or their numbers.
 */

/* A section of the text of `show`. 0, or -1 when writing failed. */
int render_objects(FILE *stream, const struct job *job, const struct render_options *options);

/* -- render_queues.c --
 * The queues as a table.
 */

/* A section of the text of `show`. 0, or -1 when writing failed. */
int render_queues(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                  const struct render_options *options);

/* -- render_requests.c --
 * Requests that stand in no queue as a table.
 */

/* A section of the text of `show`. 0, or -1 when writing failed. */
int render_requests(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                    const struct render_options *options);

/* -- render_stacks.c --
 * Call stacks as text.
 */

/* The call stacks of all threads as one tree. 0, or -1 when writing failed. */
int render_stacks(FILE *stream, const struct job *job, const struct render_options *options);

/* -- render_unexpected.c --
 * How the unexpected messages of ranks started with `mpilens run --unexpected=exact` are known.
 */

/* A line for each way, below the queues; nothing where no such rank is shown. */
void render_unexpected(FILE *stream, const struct job *job, const struct rank_set *ranks);

/* -- unread_ranks.c --
 * Ranks that were not read, those with the same reason together.
 */

struct unread_ranks {
    const struct process *first; /* example whose state and reason are common to all; NULL: see job.absent */
    const char *ranks;           /* "3" or "[3-7]", "?" where no rank is known */
    size_t count;                /* of ranks */
};

struct unread_list {
    struct unread_ranks *items; /* by first rank */
    size_t count;
};

/* Groups the processes that `is_wanted` accepts, and ranks without a process; only ranks of the set. */
struct unread_list unread_list_make(const struct job *job, const struct rank_set *ranks,
                                    bool (*is_wanted)(const struct process *process));

/* -- render_text.c -- The text of `show`.
 */

/* A line for each call and place of the ranks that were read, as in `show`, but few. 0, or -1 when writing failed. */
int render_calls_in_short(FILE *stream, const struct job *job, const struct render_options *options);

#endif
