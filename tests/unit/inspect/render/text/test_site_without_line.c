/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places whose lines are not known: told by an offset that addr2line takes, and why, once below everything else.
 */
#include "analysis/analysis.h"
#include "analysis/causes/causes.h"
#include "handle/handle.h"
#include "render/json/render_json_internal.h"
#include "render/text/render_text.h"
#include "rendered.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct site stripped = {.module = "/home/me/halo", .offset = 0x1139};
static const struct site named = {.module = "/home/me/halo", .offset = 0x1139, .function = "main"};
static const struct site of_old_snapshot = {.module = "/home/me/halo"};
static const struct site complete = {
    .module = "/home/me/halo", .offset = 0x1139, .function = "main", .file = "halo.c", .line = 18};

static void expect(const char *text, const char *expected)
{
    cr_expect_str_eq(text, expected);
}

Test(site_without_line, in_words)
{
    expect(describe_site(&stripped), "halo+0x1139");
    expect(describe_site(&named), "halo+0x1139 main");
    expect(describe_site(&of_old_snapshot), "halo");
    expect(describe_site(&complete), "halo.c:18 main");
    expect(describe_at(&named), " at halo+0x1139");
    expect(describe_at(&of_old_snapshot), " in halo");
    expect(handle_describe_place(&named, 0x401139), "halo+0x1139");
    expect(arena_take(site_describe_function(&stripped)), "halo+0x1139");
    expect(arena_take(site_describe_function(&named)), "main (halo)");
    expect(arena_take(site_describe_function(&of_old_snapshot)), "halo");
    expect(arena_take(site_describe_function(&complete)), "main (halo.c:18)");
}

/* The caller releases it. */
static json_t *json_of(const struct site *site)
{
    char *text = NULL;
    size_t bytes = 0;
    struct json_stream stream = {.file = open_memstream(&text, &bytes)};
    json_write_site(&stream, NULL, site, 0x55550139);
    cr_expect_eq(json_stream_finish(&stream), 0);
    fclose(stream.file);
    json_t *document = json_loads(text, 0, NULL);
    cr_assert_not_null(document);
    free(text);
    return document;
}

Test(site_without_line, in_json)
{
    json_t *site = json_of(&named);
    cr_expect_str_eq(json_string_value(json_object_get(site, "offset")), "0x1139");
    cr_expect(json_is_null(json_object_get(site, "line")));
    json_decref(site);
    site = json_of(&of_old_snapshot);
    cr_expect(json_is_null(json_object_get(site, "offset")), "not known");
    json_decref(site);
}

static char *why(const struct job *job)
{
    const struct analysis_options options = analysis_default_options();
    const struct render_options how = {.color = false};
    struct analysis analysis;
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    analyze(job, &options, &analysis);
    cr_assert_eq(render_why_text(stream, job, &analysis, &how), 0);
    fclose(stream);
    analysis_clear(&analysis);
    return text;
}

/* Takes the text. */
static void expect_end(char *text, const char *end)
{
    const size_t length = strlen(text);
    cr_expect(length > strlen(end) && strcmp(text + length - strlen(end), end) == 0, "not at the end of\n%s", text);
    free(text);
}

Test(site_without_line, hint_below_everything_else)
{
    const struct render_options options = {.color = false};
    static const char expected[] = "\nno source lines: compile h\\x1balo with -g\n";
    struct job job = ring_of_receives(3);
    for (int i = 0; i < 3; i++)
        site_cache_add_hint(&job.sites, "compile h\033alo with -g");
    site_cache_add_hint(&job.sites, NULL);
    expect_end(rendered(render_show_text, &job, &options), expected);
    expect_end(why(&job), expected);
    job_clear(&job);
}

Test(site_without_line, few_hints_of_many)
{
    static const char *const hints[] = {"a", "b", "c", "d", "e"};
    const struct render_options options = {.color = false};
    struct job job = ring_of_receives(3);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        site_cache_add_hint(&job.sites, hints[i]);
    expect_end(rendered(render_show_text, &job, &options),
               "\nno source lines: a\nno source lines: b\nno source lines: c\n"
               "no source lines of 2 more programs and libraries\n");
    job_clear(&job);
}
