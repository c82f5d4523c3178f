/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Says which ranks run without the runtime.
 */

#include "render/text/render_text_internal.h"
#include "text/text.h"
#include "words/words.h"

bool has_seen_ranks(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (process_was_seen(&job->processes[i]))
            return true;
    return false;
}

void render_seen_note(FILE *stream, const struct job *job, const struct rank_set *ranks)
{
    const char *name = name_seen_ranks(job, ranks);
    if (name == NULL)
        return;
    const char *preparation = describe_preparation(job);
    print_line(stream, "%s: without the mpilens runtime, only the call stacks are known; %s", name, preparation);
}

void render_seen(FILE *stream, const struct job *job, const struct render_options *options)
{
    if (!has_seen_ranks(job))
        return;
    render_stacks(stream, job, options);
    render_seen_note(stream, job, &options->ranks);
}
