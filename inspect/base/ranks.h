/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Some ranks, one by one: those that a finding concerns, that are in a call, that wait for another. (Ranks as a person
 * chooses them, in ranges, are a struct rank_set.)
 */
#ifndef MPILENS_INSPECT_BASE_RANKS_H
#define MPILENS_INSPECT_BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised is none. */
struct ranks {
    int *items; /* as they were added, perhaps repeated; from ranks_finish on ascending, each once */
    size_t count;
};

/* Numbers below 0 are left out. */
void ranks_add(struct ranks *ranks, int rank);
void ranks_add_all(struct ranks *ranks, const struct ranks *others);
/* Sorts them and leaves out repetitions. May be called again when more were added. */
void ranks_finish(struct ranks *ranks);
/* Those below are for finished ranks. */
bool ranks_has(const struct ranks *ranks, int rank);
/* The lowest; -1: there is none. */
int ranks_first(const struct ranks *ranks);
/* "3", or "[0-3,7]", "[0-30:2]" when there are several; of many ranges the first ones, and how many ranks there are
 * beyond: "[1,5,8,+70 more]"; "?" when there is none. The caller frees it. */
char *ranks_text(const struct ranks *ranks);
/* "rank 3", "ranks [0-3,7]". The caller frees it. */
char *ranks_name(const struct ranks *ranks);
void ranks_clear(struct ranks *ranks);

#endif
