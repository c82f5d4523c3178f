/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks of which unexpected messages are known in the same way stand together.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "mpilens/layout.h"
#include "text/text.h"
#include "words/words.h"

enum way { WAY_EXACT, WAY_NOT_ASKED, WAY_NO_LEVEL, WAY_NO_SYSTEM, WAY_COUNT };

struct known_ranks {
    struct ranks ranks;
    const struct process *first;
    double least_s, most_s; /* how long ago MPI was asked */
};

static enum way way_of(const struct process *process)
{
    switch (process->unexpected_mode) {
    case MPILENS_UNEXPECTED_EXACT:
        return process->unexpected_as_of_s >= 0 ? WAY_EXACT : WAY_NOT_ASKED;
    case MPILENS_UNEXPECTED_NO_LEVEL:
        return WAY_NO_LEVEL;
    case MPILENS_UNEXPECTED_NO_SYSTEM:
        return WAY_NO_SYSTEM;
    default:
        return WAY_COUNT;
    }
}

static void add(struct known_ranks *known, const struct process *process)
{
    const double as_of_s = process->unexpected_as_of_s;
    const bool is_first = known->first == NULL;
    ranks_add(&known->ranks, process->rank);
    known->first = is_first ? process : known->first;
    known->least_s = is_first || as_of_s < known->least_s ? as_of_s : known->least_s;
    known->most_s = is_first || as_of_s > known->most_s ? as_of_s : known->most_s;
}

static const char *describe_way(enum way way, const struct known_ranks *known)
{
    if (way == WAY_NOT_ASKED)
        return "inferred, but for those marked exact: MPI was not asked for all of them so far";
    if (way != WAY_EXACT)
        return arena_text("inferred: %s", describe_inexact_reason(known->first));
    const char *most = describe_age(known->most_s);
    const char *least = describe_age(known->least_s);
    return known->most_s - known->least_s < 1 ? arena_text("exact, as of %s ago", most)
                                              : arena_text("exact, as of %s to %s ago", least, most);
}

void render_unexpected(FILE *stream, const struct job *job, const struct rank_set *ranks)
{
    struct known_ranks known[WAY_COUNT] = {{.first = NULL}};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        const enum way way = way_of(process);
        if (way != WAY_COUNT && process->reason == NULL && rank_is_chosen(ranks, process->rank))
            add(&known[way], process);
    }
    for (enum way way = 0; way < WAY_COUNT; way++) {
        if (known[way].first == NULL)
            continue;
        ranks_finish(&known[way].ranks);
        print_line(stream, "unexpected messages of %s: %s", ranks_name(&known[way].ranks),
                   describe_way(way, &known[way]));
    }
}
