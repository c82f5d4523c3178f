/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that have no process here: few get one in the model, many are ranges, and all are said in one line.
 */
#include "base/base.h"
#include "collect/collect.h"
#include "model_builder.h"
#include "render/text/render_text.h"
#include "rendered.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { HERE = 3 };

/* Ranks 0, 1 and 2 of a world of `size`. */
static struct job job_of_world(int size)
{
    struct job job = build_job(HERE);
    const struct found_job found = {.size = size};
    for (int i = 0; i < HERE; i++)
        job.processes[i].pid = 100 + i;
    job.size = size;
    add_missing_ranks(&found, &job);
    return job;
}

static int render_nothing_found(FILE *stream, const struct job *job, const struct render_options *options)
{
    const struct analysis analysis = {0};
    return render_why_text(stream, job, &analysis, options);
}

static int render_list_of_one(FILE *stream, const struct job *job, const struct render_options *options)
{
    return render_list_text(stream, job, 1, options);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static void expect_lines(render_function *function, const struct job *job, const struct render_options *options,
                         size_t lines, const char *part)
{
    char *text = rendered(function, job, options);
    cr_expect_eq(count_lines(text), lines, "%s", text);
    cr_expect((strstr(text, part) != NULL) == (part[0] != '\0'), "'%s' is not in\n%s", part, text);
    free(text);
}

static void expect_one_line(int size, const char *ranks)
{
    const struct render_options options = {.verbose = true};
    struct job job = job_of_world(size);
    char *why =
        format_text("ranks %s were not read, so nothing is known about them: its process has exited, or runs on "
                    "another host\n",
                    ranks);
    char *show = format_text("ranks %s  not read: its process has exited, or runs on another host", ranks);
    expect_lines(render_nothing_found, &job, &options, 3, why);
    expect_lines(render_list_of_one, &job, &options, 2 + HERE + 1, ranks);
    char *text = rendered(render_show_text, &job, &options);
    cr_expect_not_null(strstr(text, show), "'%s' is not in\n%s", show, text);
    free(text);
    free(why);
    free(show);
    job_clear(&job);
}

Test(absent_ranks, a_few_have_a_process)
{
    struct job job = job_of_world(100);
    cr_expect_eq(job.process_count, 100);
    cr_expect_eq(job.absent.count, 0);
    cr_expect_eq(job.processes[99].rank, 99);
    cr_expect_eq(job.processes[99].state, PROCESS_UNREADABLE);
    job_clear(&job);
}

Test(absent_ranks, many_are_ranges)
{
    struct job job = job_of_world(MOST_RANKS);
    cr_expect_eq(job.process_count, HERE);
    cr_assert_eq(job.absent.count, 1);
    cr_expect_eq(job.absent.ranges[0].first, HERE);
    cr_expect_eq(job.absent.ranges[0].last, MOST_RANKS - 1);
    job_clear(&job);
}

Test(absent_ranks, are_one_line)
{
    expect_one_line(100, "[3-99]");
    expect_one_line(MOST_RANKS, "[3-16777215]");
}

Test(absent_ranks, of_jobs_in_one_line)
{
    const struct render_options options = {0};
    struct job job = job_of_world(100000);
    job.id = copy_text("4711");
    job.user = copy_text("ann");
    job.command = copy_text("./ring 4");
    expect_lines(render_list_of_one, &job, &options, 2, "3 of 100000");
    job.processes[1].reason = copy_text("process 101 is gone");
    expect_lines(render_list_of_one, &job, &options, 3, "4711  rank 1 running: process 101 is gone");
    job_clear(&job);
}

Test(absent_ranks, that_were_not_asked_for)
{
    struct render_options options = {0};
    struct job job = job_of_world(100000);
    rank_set_parse(&options.ranks, "1,7,9-12");
    char *text = rendered(render_show_text, &job, &options);
    cr_expect_not_null(strstr(text, "ranks [7,9-12]  not read: "), "%s", text);
    free(text);
    rank_set_clear(&options.ranks);
    job_clear(&job);
}

Test(absent_ranks, as_json)
{
    const struct render_options options = {0};
    struct job job = job_of_world(100000);
    json_t *document = rendered_json(&job, &options);
    json_t *said = json_object_get(json_object_get(document, "job"), "ranks_absent");
    cr_assert_eq(json_array_size(said), 1);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(said, 0), "first")), HERE);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(said, 0), "last")), 99999);
    cr_expect_eq(json_array_size(json_object_get(document, "processes")), HERE);
    json_decref(document);
    job_clear(&job);
}
