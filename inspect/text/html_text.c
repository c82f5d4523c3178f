/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Escapes texts for HTML.
 */
#include "text/text.h"

#include <stdlib.h>

void html_write_text(FILE *stream, const char *text)
{
    char *valid = valid_text(text);
    for (const char *at = valid; *at != '\0'; at++)
        switch (*at) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        case '\'':
            fputs("&#39;", stream);
            break;
        default:
            fputc(*at, stream);
        }
    free(valid);
}
