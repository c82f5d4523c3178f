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

#endif
