/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions about handles, and what the processes of a job have answered.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_QUESTION_H
#define MPILENS_INSPECT_HANDLE_HANDLE_QUESTION_H

#include "base/exit_status.h"
#include "base/rank_set.h"
#include "base/reason.h"
#include "handle/handle.h"

#include <stdio.h>

struct handle_question {
    char *text;  /* its line in the file, with spaces for control characters; NULL: it has none */
    size_t line; /* from 1 */
    char *words; /* of the text; the query and rank_text point into it */
    struct handle_query query;
    const char *rank_text; /* of its own --rank; NULL: none */
    struct rank_set ranks; /* likewise */

    enum exit_status status; /* EXIT_USAGE: it cannot be asked; else that of the answer */
    size_t asked;            /* processes */
    struct handle *handles;  /* in those that have it */
    size_t count;
    struct reason *reasons; /* why the others have not got it, each once; or why it cannot be asked */
    size_t reason_count;
    bool has_unknown; /* a value was known, and what it names was not */
};

struct handle_questions {
    struct handle_question *items;
    size_t count;

    /* Of the command line, whose texts stay the caller's. */
    const char *target;
    enum mpilens_handle_language language; /* of values, unless the question says more */
    const struct rank_set *ranks;          /* for questions without --rank */
    const char *rank_text;
    bool is_stopped; /* the processes are, while they are asked */
};

/* Appends the question of the command line. `words` are one or two, and stay the caller's. 0, or -1 and a reason. */
int handle_questions_add(struct handle_questions *questions, char *const words[], size_t count,
                         struct reason *ret_reason);
/* Appends the questions of a file; those that cannot be asked have a reason. 0, or -1 and errno. */
int handle_questions_read(struct handle_questions *questions, FILE *stream);
/* The worst of all. */
enum exit_status handle_questions_status(const struct handle_questions *questions);
void handle_questions_clear(struct handle_questions *questions);

/* For handle_question.c and handle_answer.c only: a reason that the question does not have yet. */
void handle_question_add_reason(struct handle_question *question, const struct reason *reason);

#endif
