/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of applications are any bytes. A terminal obeys some of them, and a line break would let a name pass for a line
 * of ours.
 */
#ifndef MPILENS_INSPECT_TEXT_ESCAPED_TEXT_H
#define MPILENS_INSPECT_TEXT_ESCAPED_TEXT_H

/* What to do once, before texts are written: takes the character set from the environment; where that names none, it
 * is UTF-8. */
void escaped_text_set_locale(void);
/* A copy for people: characters of UTF-8 as they are, where the locale has them; "\n", "\t", "\x1b" for control
 * characters, "\xff" for each byte that is part of no character, and so too for characters that break lines or turn the
 * direction of writing. Escaping twice changes nothing. The caller frees it. */
char *escaped_text(const char *text);

#endif
