/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Live objects as text: findings in a sentence each, and the table of all.
 */
#include "render/text/render_text.h"

#include "base/base.h"
#include "text/text.h"

static const char *describe_ranks(const struct leak *leak)
{
    struct ranks ranks = {.count = 0};
    for (size_t i = 0; i < leak->rank_count; i++)
        ranks_add(&ranks, leak->ranks[i].rank);
    return ranks_text(&ranks);
}

int render_leaks_table(FILE *stream, const struct leaks *leaks, bool color)
{
    static const struct text_column columns[] = {{"COUNT", true, false},    {"OBJECT", false, false},
                                                 {"RANK", false, false},    {"OLDEST", true, false},
                                                 {"MADE BY", false, false}, {"SITE", false, true}};
    struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns, true, color);
    for (size_t i = 0; i < leaks->count; i++) {
        const struct leak *leak = leaks->items[i];
        const char *const cells[] = {arena_text("%llu", (unsigned long long)leak->count),
                                     describe_leak_kind(leak, leak->count),
                                     describe_ranks(leak),
                                     describe_age(leak->oldest_s),
                                     arena_copy(leak->function),
                                     describe_site(leak->site)};
        text_table_add(table, cells, NULL);
    }
    return text_table_finish(table, stream);
}

int render_leaks_text(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options)
{
    render_header(stream, job, options);
    if (findings->count > 0)
        fputc('\n', stream);
    for (size_t i = 0; i < findings->count; i++)
        print_colored_line(stream, options->color ? "\033[1;31m" : NULL, "%s: %s",
                           finding_kind_name(findings->items[i].kind), findings->items[i].message);
    fputs(leaks->count > 0 ? "\n" : "\nno live objects: all that was made is freed\n", stream);
    const int result = render_leaks_table(stream, leaks, options->color);
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].untracked_objects > 0)
            print_line(stream, "rank %d has %llu more objects that are not tracked: the limit was reached",
                       job->processes[i].rank, (unsigned long long)job->processes[i].untracked_objects);
    return result == 0 ? finish_output(stream) : -1;
}
