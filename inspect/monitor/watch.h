/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a rank is doing, as one character, as padb(1) has them: for a line per moment with all ranks of a job.
 */
#ifndef MPILENS_INSPECT_MONITOR_WATCH_H
#define MPILENS_INSPECT_MONITOR_WATCH_H

#include "base/rank_set.h"
#include "model/model.h"

#include <stdio.h>

/* What each character means, for people; lines with two blanks in front. */
extern const char watch_legend[];

/* `before`: the same process at the moment before; NULL: not known. */
char watch_character(const struct process *process, const struct process *before);

/* Lines of a job that is read again and again. */
struct watch_page {
    const struct rank_set *ranks; /* to show */
    size_t width;                 /* columns of the terminal; 0: none, so no line is wrapped */
    size_t lines;                 /* written since the last ruler */
    size_t ranks_of_ruler;        /* how many it was written for */
};

/* Writes what the ranks do, the clock in front: a line, where the terminal is too narrow several, each with the number
 * of its first rank; the ruler first and now and then. 0, or -1 when writing failed. */
int watch_render(FILE *stream, struct watch_page *page, const struct job *job, const struct job *before,
                 const char *clock);
/* The same as one line of JSON; `at`: seconds since 1970. */
int watch_render_json(FILE *stream, const struct rank_set *ranks, const struct job *job, const struct job *before,
                      double at);

#endif
