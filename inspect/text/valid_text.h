/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of applications are any bytes; documents are UTF-8.
 */
#ifndef MPILENS_INSPECT_TEXT_VALID_TEXT_H
#define MPILENS_INSPECT_TEXT_VALID_TEXT_H

#include <stddef.h>

/* How many bytes the character at the beginning of the text has, 0: it is none, or a control character. */
size_t valid_character(const char *text);
/* A copy with U+FFFD in the place of each byte that is part of no character; control characters become spaces. The
 * caller frees it. */
char *valid_text(const char *text);

#endif
