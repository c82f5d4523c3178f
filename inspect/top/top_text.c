/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the last facts of the full-screen view, which the terminal no longer shows.
 */
#include "top/top.h"

#include "text/text.h"

void top_text_write(FILE *stream, const struct top_facts *facts)
{
    print_line(stream, "%s", facts->job);
    print_line(stream, "%s  %s", facts->clock, facts->verdict);
    print_line(stream, "%s", facts->traffic);
    for (size_t i = 0; i < facts->calls.count && i < 3; i++)
        print_line(stream, "  %s %s: %s%s%s", facts->calls.items[i].count > 1 ? "ranks" : "rank",
                   facts->calls.items[i].ranks, facts->calls.items[i].text,
                   facts->calls.items[i].site[0] != '\0' ? ", " : "", facts->calls.items[i].site);
}
