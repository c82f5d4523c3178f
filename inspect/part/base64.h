/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bytes as text of 64 characters that nothing on the way changes: RFC 4648, section 4, without padding.
 */
#ifndef MPILENS_INSPECT_PART_BASE64_H
#define MPILENS_INSPECT_PART_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* Characters of so many bytes. */
#define BASE64_LENGTH(bytes) (((bytes)*4 + 2) / 3)

/* Writes BASE64_LENGTH(count) characters, and no NUL. */
void base64_encode(const void *bytes, size_t count, char *ret_text);
/* Writes length * 3 / 4 bytes. False: it is no such text; then what is written means nothing. */
bool base64_decode(const char *text, size_t length, void *ret_bytes);

#endif
