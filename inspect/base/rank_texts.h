/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is the same for several ranks, found by a text. Who groups something else than texts makes a text of all that
 * must be equal (rank_texts_join), adds that, and keeps what it groups in an array of its own: the number of the text
 * is its place there, and the text is new when its number is the count of that array. Evidence of a finding is found so
 * by its text and site, a leak by its kind, function and place.
 *
 * Adding takes O(log n) comparisons, whatever a target says.
 */
#ifndef MPILENS_INSPECT_BASE_RANK_TEXTS_H
#define MPILENS_INSPECT_BASE_RANK_TEXTS_H

#include "base/ranks.h"

#include <stdbool.h>
#include <stddef.h>

/* A text and its ranks. */
struct rank_text {
    char *text;
    struct ranks ranks; /* as they were added, none twice in a row; without those that are not known */
    size_t number;      /* its place among the items */
};

/* Zero-initialised is empty. */
struct rank_texts {
    bool apart;               /* equal texts are not made one */
    struct rank_text **items; /* in the order in which they were first added */
    size_t count;
    void *tree; /* tsearch tree of the items; empty if they stay apart */
};

/* The text's number; count: it was not added, or all stay apart. */
size_t rank_texts_find(const struct rank_texts *texts, const char *text);
/* Adds the text if it is new, without ranks. Returns its number. */
size_t rank_texts_add(struct rank_texts *texts, const char *text);
/* Adds a rank to the text, too. */
size_t rank_texts_add_rank(struct rank_texts *texts, const char *text, int rank);
void rank_texts_clear(struct rank_texts *texts);

/* One text that differs wherever one of the parts differs; a part may be NULL. The caller frees it. */
char *rank_texts_join(const char *const *parts, size_t count);

#endif
