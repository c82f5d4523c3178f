/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes ranks into the page.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"

#include <string.h>

/* Characters of ranks that stand in a link. */
enum { MOST_RANK_TEXT = 48 };

const char *page_ranks(const struct ranks *ranks)
{
    const char *text = ranks_text(ranks);
    const size_t length = strlen(text);
    if (length < 2 || text[0] != '[')
        return text;
    return arena_text("%.*s", (int)length - 2, text + 1);
}

void html_write_ranks(FILE *stream, const struct ranks *ranks)
{
    const char *numbers = page_ranks(ranks);
    fprintf(stream, "<a href=\"#rank=%s\">", numbers);
    size_t length = strlen(numbers);
    if (length > MOST_RANK_TEXT) {
        for (length = MOST_RANK_TEXT; length > 0 && numbers[length] != ',';)
            length--;
        fprintf(stream, "%zu ranks [%.*s,...]</a>", ranks->count, (int)length, numbers);
    } else {
        fprintf(stream, ranks->count > 1 ? "ranks [%s]</a>" : "rank %s</a>", numbers);
    }
}
