/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of what ranks have, for people: equal rows of one list of a rank become one row, long lists are cut, and equal
 * rows of several ranks become one. Rows of several ranks whose peers follow a rule are equal, too.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_MERGED_ROWS_H
#define MPILENS_INSPECT_RENDER_TEXT_MERGED_ROWS_H

#include "base/ranks.h"
#include "text/text_table.h"
#include "words/describe.h"
#include "words/open_call.h"

#include <stdint.h>

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
    char *cells[MOST_COLUMNS]; /* NULL: the columns that are made last */
    char *open_peer;           /* text of the peer with PEER_MARK for its number; NULL: its cell has the text */
    struct open_peer peer;     /* for that mark */
    const char *what;
    const char *color; /* NULL: none */
    uint64_t repeats;
    double age_s;      /* of the oldest */
    bool is_remainder; /* "+ N more": what[] says so itself */
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

/* What follows is a list of this rank. */
void merged_rows_begin(struct merged_rows *rows, int rank);
/* Adds a row to the list; `row` has cells, what, color, age_s and the peer, and gives them away. */
void merged_rows_add(struct merged_rows *rows, const struct merged_row *row);
/* A row that is like no other; `text` stands where others say what they are. Both become the table's. */
void merged_rows_add_remark(struct merged_rows *rows, const struct merged_row *row, char *text);
/* Ends the list. */
void merged_rows_end(struct merged_rows *rows);
/* Writes the table behind an empty line, if there are rows, and clears it. 0, or -1 when writing failed. */
int merged_rows_finish(struct merged_rows *rows, FILE *stream, bool color);

#endif
