/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the word that somebody meant who has mistyped it.
 */
#ifndef MPILENS_INSPECT_VERBS_SIMILAR_WORD_H
#define MPILENS_INSPECT_VERBS_SIMILAR_WORD_H

#include <stddef.h>

/* One of the words, of which any may be NULL, that begins with `word` or differs from it in a letter or two; NULL: none
 * is like it. */
const char *similar_word(const char *word, const char *const *words, size_t count);

#endif
