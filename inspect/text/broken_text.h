/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breaking texts into lines. A word with a place in it ("ring.c:12") is never broken. Texts are as escaped_text() makes
 * them, so every character of UTF-8 is whole.
 */
#ifndef MPILENS_INSPECT_TEXT_BROKEN_TEXT_H
#define MPILENS_INSPECT_TEXT_BROKEN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A copy with line breaks, and `indent` spaces behind each, so that lines have at most `width` columns. Words that are
 * too long are broken behind commas, slashes and "::", else anywhere; not those with a place, nor the first one where
 * `is_whole`. The caller frees it. */
char *broken_text(const char *text, size_t width, size_t indent, bool is_whole);
/* The columns of the longest word; of those that may be broken not more than `most`. */
size_t longest_word(const char *text, size_t most, bool is_whole);

#endif
