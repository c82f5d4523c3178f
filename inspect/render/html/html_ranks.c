/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes ranks into the page.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"

#include <string.h>

/* Characters of ranks that are shown, and that an address has. */
enum { MOST_RANK_TEXT = 48, MOST_ADDRESS_TEXT = 4000 };

void html_write_ranks_attribute(FILE *stream, const struct ranks *ranks)
{
    const char *numbers = ranks_list(ranks);
    if (ranks->count > 0 && strlen(numbers) <= MOST_ADDRESS_TEXT)
        fprintf(stream, " data-ranks=\"%s\"", numbers);
}

void html_write_ranks(FILE *stream, const struct ranks *ranks)
{
    const char *numbers = ranks_list(ranks);
    size_t length = strlen(numbers);
    const bool is_link = length > 0 && length <= MOST_ADDRESS_TEXT;
    if (is_link)
        fprintf(stream, "<a href=\"#rank=%s\">", numbers);
    if (length > MOST_RANK_TEXT) {
        for (length = MOST_RANK_TEXT; length > 0 && numbers[length] != ',';)
            length--;
        fprintf(stream, "%zu ranks [%.*s,...]", ranks->count, (int)length, numbers);
    } else {
        fprintf(stream, ranks->count > 1 ? "ranks [%s]" : "rank %s", length > 0 ? numbers : "?");
    }
    fputs(is_link ? "</a>" : "", stream);
}
