/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The width of texts in cells of a terminal: each character has one cell, two, or none.
 */
#ifndef MPILENS_INSPECT_TEXT_TEXT_COLUMNS_H
#define MPILENS_INSPECT_TEXT_TEXT_COLUMNS_H

#include <stddef.h>

/* Of the character of UTF-8 that has this many bytes: 2 for those of East Asia and for pictures, 0 for what only joins
 * the character before it. */
size_t character_columns(const char *character, size_t length);
/* Of a text as valid_text() makes it. */
size_t text_columns(const char *text);

#endif
