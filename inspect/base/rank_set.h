/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of ranks as people write them: "0,4-7", "0-30:2" (every second one).
 */
#ifndef MPILENS_INSPECT_BASE_RANK_SET_H
#define MPILENS_INSPECT_BASE_RANK_SET_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised is empty. */
struct rank_set {
    struct rank_range {
        int first, last, stride;
    } * ranges;
    size_t count;
};

/* Adds what `text` says. Returns 0, or -1 when it is not a list of ranks. */
int rank_set_parse(struct rank_set *set, const char *text);
/* Whether the rank is to be shown: it is in the set, or the set is empty, as nobody has chosen. */
bool rank_is_chosen(const struct rank_set *chosen, int rank);
/* The ranks of an ascending set that are to be shown. The caller clears it. */
struct rank_set rank_set_keep_chosen(const struct rank_set *set, const struct rank_set *chosen);
/* Adds a rank above all that are in it. */
void rank_set_append(struct rank_set *set, int rank);
size_t rank_set_size(const struct rank_set *set);
void rank_set_clear(struct rank_set *set);

/* More ranges than a person reads. */
enum { MOST_SHOWN_RANGES = 12 };
/* As ranks_text() writes it; of a set that is not empty and was made with rank_set_append. The caller frees it. */
char *format_rank_set(const struct rank_set *set);

#endif
