/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses the widths of a table's columns on a terminal.
 */
#include "text/text.h"

#include <string.h>

static size_t floor_of(const struct column_need *need, bool breaks_words)
{
    return breaks_words ? need->least : need->words;
}

/* Where no column is wider than `most`, but for those that need more. Returns the sum of all. */
static size_t cap_widths(const struct column_need *needs, size_t count, size_t most, bool breaks_words,
                         size_t *ret_widths)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t least = floor_of(&needs[i], breaks_words);
        const size_t capped = needs[i].natural < most ? needs[i].natural : most;
        ret_widths[i] = capped > least ? capped : least;
        sum += ret_widths[i];
    }
    return sum;
}

bool share_width(const struct column_need *needs, size_t count, size_t width, bool breaks_words, size_t *ret_widths)
{
    const size_t separators = (count - 1) * strlen(COLUMN_SEPARATOR);
    const size_t available = width > separators ? width - separators : 0;
    if (cap_widths(needs, count, 0, breaks_words, ret_widths) > available)
        return false;
    for (size_t most = available; cap_widths(needs, count, most, breaks_words, ret_widths) > available;)
        most--;
    return true;
}
