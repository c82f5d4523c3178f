/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts that belong to a record: in a field, and in lists, struct mpilens_texts of layout.def. The struct is zeroed at
 * first; the memory behind it is its own. No function of these locks.
 */
#ifndef MPILENS_RUNTIME_MEMORY_TEXTS_H
#define MPILENS_RUNTIME_MEMORY_TEXTS_H

#include "mpilens/layout.h"

#include <stdbool.h>
#include <stddef.h>

/* Copies `text` (NULL: empty) into a field of `bytes` bytes, cut to fit. */
void text_copy(char *field, size_t bytes, const char *text);

enum { TEXTS_BYTES_KEPT = 1 << 16 }; /* of one list; what does not fit any more is only counted */

/* One more text at the end. */
void texts_append(struct mpilens_texts *texts, const char *text);

/* In a list of pairs of a key and a value: the key has this value from now on, and stands last. Where some pairs are
 * only counted and the key is none of the others, it is taken for a new one. */
void texts_set_pair(struct mpilens_texts *texts, const char *key, const char *value);

/* In a list of pairs: the key is there no more; it was. */
void texts_remove_pair(struct mpilens_texts *texts, const char *key);

/* Sets every pair of another list. */
void texts_set_pairs(struct mpilens_texts *texts, const struct mpilens_texts *pairs);

/* Whether all texts that count are kept. */
bool texts_are_complete(const struct mpilens_texts *texts);

/* Empties it and gives its memory back. */
void texts_give_back(struct mpilens_texts *texts);

#endif
