/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts in HTML and SVG.
 */
#ifndef MPILENS_INSPECT_TEXT_HTML_TEXT_H
#define MPILENS_INSPECT_TEXT_HTML_TEXT_H

#include <stdio.h>

/* As text of the page or of an attribute in quotes, whatever it is. */
void html_write_text(FILE *stream, const char *text);

#endif
