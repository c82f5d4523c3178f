/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How unexpected messages are known of ranks that were asked for exact ones, in the text of `show`.
 */
#include "model_builder.h"
#include "mpilens/layout.h"
#include "render/text/render_text.h"
#include "rendered.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *shown(struct job *job, const char *ranks)
{
    struct render_options options = {0};
    if (ranks != NULL)
        rank_set_parse(&options.ranks, ranks);
    char *text = rendered(render_show_text, job, &options);
    rank_set_clear(&options.ranks);
    job_clear(job);
    return text;
}

static void expect_line(const char *text, const char *line)
{
    cr_expect_neq(strstr(text, line), NULL, "'%s' is not in\n%s", line, text);
}

static struct job ask_for_exact(void)
{
    static const uint32_t modes[] = {MPILENS_UNEXPECTED_EXACT, MPILENS_UNEXPECTED_EXACT, MPILENS_UNEXPECTED_EXACT,
                                     MPILENS_UNEXPECTED_NO_LEVEL, MPILENS_UNEXPECTED_INFERRED};
    static const double as_of_s[] = {0.3, 0.5, -1, -1, -1};
    struct job job = build_job(5);
    for (int i = 0; i < 5; i++) {
        job.processes[i].unexpected_mode = modes[i];
        job.processes[i].unexpected_as_of_s = as_of_s[i];
    }
    return job;
}

Test(render_unexpected, ranks_that_are_known_alike_are_one_line)
{
    struct job job = ask_for_exact();
    char *text = shown(&job, NULL);
    expect_line(text, "\nunexpected messages of ranks [0,1]: exact, as of 0.5 s ago\n");
    expect_line(text,
                "\nunexpected messages of rank 2: inferred, but for those marked exact: MPI was not asked for all "
                "of them so far\n");
    expect_line(text, "\nunexpected messages of rank 3: inferred: its MPI does not provide MPI_THREAD_MULTIPLE\n");
    cr_expect_eq(strstr(text, "unexpected messages of rank 4"), NULL);
    free(text);
}

Test(render_unexpected, ranks_that_were_asked_at_different_times)
{
    struct job job = ask_for_exact();
    job.processes[1].unexpected_as_of_s = 7;
    char *text = shown(&job, NULL);
    expect_line(text, "\nunexpected messages of ranks [0,1]: exact, as of 0.3 s to 7.0 s ago\n");
    free(text);
}

Test(render_unexpected, chosen_ranks_only)
{
    struct job job = ask_for_exact();
    char *text = shown(&job, "1,4");
    expect_line(text, "\nunexpected messages of rank 1: exact, as of 0.5 s ago\n");
    cr_expect_eq(strstr(text, "inferred"), NULL);
    free(text);
}
