/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The full-screen view `top`: facts about a job, screens made of these, and the terminal.
 */
#ifndef MPILENS_INSPECT_TOP_TOP_H
#define MPILENS_INSPECT_TOP_TOP_H

#include "analysis/analysis.h"
#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct process_reading;

/* -- top_facts.c -- The facts of one reading that are shown: plain data, all texts escaped, which goes from the process
 * that reads the job to the one that has the terminal.
 */

/* Ranks that do the same, or that others wait for. */
struct top_row {
    const char *ranks, *text, *site; /* "ranks [0-3]", "MPI_Recv(...)", "ring.c:7 main" */
    uint64_t count;                  /* of these ranks, or of those that wait for them */
    int32_t first;                   /* of these ranks */
    double age_s;                    /* of the oldest; -1: not known */
};

struct top_rows {
    struct top_row *items;
    size_t count;
    uint64_t left_out;
};

enum top_verdict {
    TOP_UNKNOWN, /* as of call stacks, or of a single reading */
    TOP_NOTHING_WRONG,
    TOP_FINDING,
};

struct top_facts {
    const char *job, *clock, *verdict, *traffic;
    const char *host; /* only ranks of hosts with this in their names are shown; "": all */
    uint32_t verdict_kind;
    uint64_t job_ranks;      /* all that were read, shown or not */
    char *characters;        /* of watch_character(), a rank each */
    char *blamed;            /* '1' of those that a finding blames, '0' of the others */
    int32_t *ranks;          /* of these characters, ascending */
    size_t rank_count;       /* as long as all three are */
    struct top_rows awaited; /* those that the most ranks wait for first */
    struct top_rows calls;   /* the most ranks first */
};

/* One reading. */
struct top_reading {
    struct job *job;
    const struct job *before;     /* the reading before; NULL: there is none */
    double interval_s;            /* between them */
    const struct rank_set *ranks; /* to show */
    const char *host;             /* as above */
    const char *clock;
};

/* Threads are marked as stalled already. Looks up the places of calls. */
struct top_facts top_facts_make(const struct top_reading *reading);

/* -- top_stream.c -- These facts as bytes.
 */

/* Their number first, as uint64_t. */
void top_facts_write(FILE *stream, const struct top_facts *facts);
/* Reads the bytes behind that number. 0, or -1: they are no facts. */
int top_facts_read(const char *bytes, size_t count, struct top_facts *ret_facts);

/* -- top_view.c -- The choices of the user.
 */

/* Keys that are no characters. */
enum {
    TOP_KEY_UP = 256,
    TOP_KEY_DOWN,
    TOP_KEY_PAGE_UP,
    TOP_KEY_PAGE_DOWN,
    TOP_KEY_HOME,
    TOP_KEY_END,
    TOP_KEY_DELETE,
    TOP_KEY_NONE
};
enum { TOP_ENTER = '\n', TOP_ESCAPE = 27 };
enum { MOST_TOP_INPUT = 64 };

enum top_order { TOP_BY_NUMBER, TOP_BY_AGE, TOP_BY_RANK, TOP_ORDERS };
enum top_prompt { TOP_NO_PROMPT, TOP_PROMPT_RANK, TOP_PROMPT_STACK, TOP_PROMPT_HOST };

struct top_view {
    enum top_order order;
    enum top_prompt prompt;
    char input[MOST_TOP_INPUT]; /* of the prompt */
    size_t offset;              /* lines that are scrolled away */
    bool has_page;              /* instead of the job */
    char *page_title, *page;    /* lines, escaped; NULL: none so far */
    char *note;                 /* in the place of the keys; NULL: none */
};

/* A key may ask for more than a change of the view. */
enum top_action {
    TOP_NOTHING,
    TOP_QUIT,
    TOP_SHOW_RANK,  /* whose number is in `input`, as of the next two */
    TOP_SHOW_STACK, /* "": of all */
    TOP_FILTER,
    TOP_SHOW_VERDICT,
    TOP_SNAPSHOT,
};

enum top_action top_view_take(struct top_view *view, int key);
/* Shows these lines, which it takes; NULL: they are still to come. */
void top_view_open_page(struct top_view *view, const char *title, char *lines);
void top_view_set_note(struct top_view *view, const char *note); /* NULL: none */
void top_view_clear(struct top_view *view);

/* -- top_draw.c -- From facts to the lines of a screen, without a terminal.
 */

enum top_style {
    TOP_PLAIN,
    TOP_TITLE,
    TOP_HEADING,
    TOP_GOOD, /* computes, or nothing is wrong */
    TOP_WAITS,
    TOP_COLLECTIVE,
    TOP_BAD,
    TOP_BLAMED,
    TOP_KEYS,
    TOP_STYLES,
    TOP_MIXED = 0x100, /* and stands for ranks that do not all do the same */
};

struct top_span {
    unsigned style;
    const char *text;
};

struct top_line {
    struct top_span *spans;
    size_t count;
    size_t columns; /* that they take */
};

struct top_screen {
    size_t rows, columns;
    struct top_line *lines; /* `rows` */
};

/* `waited_s`: for how long the next reading has been under way, where that is worth saying; else 0. */
struct top_screen top_draw(const struct top_facts *facts, const struct top_view *view, double waited_s, size_t rows,
                           size_t columns);

/* -- top_text.c -- The last facts as a few lines of text, for who sees the end of a job.
 */

void top_text_write(FILE *stream, const struct top_facts *facts);

/* -- top_terminal_check.c --
 */

/* 0, or -1 and a reason: standard input or output is no terminal, or none that can be drawn on, or this mpilens was
 * built without ncurses. */
int top_terminal_check(struct reason *ret_reason);

/* -- top_terminal.c -- The terminal, through ncurses.
 */

/* From now on it is in full-screen mode. 0, or -1 and a reason. */
int top_terminal_begin(bool color, struct reason *ret_reason);
void top_terminal_end(void);
void top_terminal_size(size_t *ret_rows, size_t *ret_columns);
void top_terminal_show(const struct top_screen *screen);
/* -1: none was pressed; the size may have changed. Waits for nothing. */
int top_terminal_key(void);

/* -- top_screen.c -- The process that has the terminal.
 */

struct top_plan {
    int facts;           /* a pipe: top_facts_write() */
    int messages;        /* a pipe: standard error of the reader */
    int filter;          /* a pipe: texts of MOST_TOP_INPUT bytes, the host to be shown, go there */
    pid_t reader;        /* the process at the other end */
    char *const *target; /* the words that name the job for other verbs; ends with NULL */
    bool color;
    double interval_s; /* between two readings */
    bool is_constant;  /* there is one */
};

/* Shows what comes until the user has had enough or the reader has ended. */
enum exit_status top_screen_run(const struct top_plan *plan);

#endif
