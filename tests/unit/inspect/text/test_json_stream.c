/* SPDX-License-Identifier: BSD-3-Clause
 *
 * JSON documents that are written value by value.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/json/render_json.h"
#include "render/text/render_text.h"
#include "rendered.h"
#include "text/json_stream.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static json_t *some_value(void)
{
    return json_pack("{s:[i, {s:n}], s:s, s:{}, s:f}", "numbers", 1, "nothing", "lines", "one\ntwo \"three\"", "empty",
                     "real", 0.1);
}

Test(json_stream, is_the_text_of_the_library)
{
    json_t *expected = json_pack("{s:b, s:[o, s, [], {s:o}], s:{}, s:o}", "first", true, "list", some_value(), "text",
                                 "inner", some_value(), "none", "last", some_value());
    char *expected_text = json_dumps(expected, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    char *text = NULL;
    size_t bytes = 0;
    struct json_stream stream = {.file = open_memstream(&text, &bytes)};
    cr_assert_not_null(stream.file);
    json_stream_open_object(&stream, NULL);
    json_stream_add(&stream, "first", json_true());
    json_stream_open_array(&stream, "list");
    json_stream_add(&stream, NULL, some_value());
    json_stream_add(&stream, NULL, json_string("text"));
    json_stream_open_array(&stream, NULL);
    json_stream_close(&stream);
    json_stream_open_object(&stream, NULL);
    json_stream_add_members(&stream, json_pack("{s:o}", "inner", some_value()));
    json_stream_close(&stream);
    json_stream_close(&stream);
    json_stream_open_object(&stream, "none");
    json_stream_close(&stream);
    json_stream_add(&stream, "last", some_value());
    json_stream_close(&stream);
    cr_expect_eq(json_stream_finish(&stream), 0);
    fclose(stream.file);
    cr_expect_eq(text[bytes - 1], '\n');
    text[bytes - 1] = '\0';
    cr_expect_str_eq(text, expected_text);
    free(text);
    free(expected_text);
    json_decref(expected);
}

Test(json_stream, failed_writes_are_said)
{
    struct json_stream stream = {.file = fopen("/dev/full", "w")};
    cr_assert_not_null(stream.file);
    json_stream_open_array(&stream, NULL);
    for (int i = 0; i < 10000; i++)
        json_stream_add(&stream, NULL, some_value());
    json_stream_close(&stream);
    errno = 0;
    cr_expect_eq(json_stream_finish(&stream), -1);
    cr_expect_eq(errno, ENOSPC);
    fclose(stream.file);
}

Test(json_stream, missing_values_are_said)
{
    struct json_stream stream = {.file = fopen("/dev/null", "w")};
    cr_assert_not_null(stream.file);
    json_stream_open_array(&stream, NULL);
    json_stream_add(&stream, NULL, NULL);
    json_stream_close(&stream);
    cr_expect_eq(json_stream_finish(&stream), -1);
    cr_expect_eq(errno, ENOMEM);
    fclose(stream.file);
}

static size_t live_bytes, most_bytes;

static void *count_allocation(size_t bytes)
{
    void *memory = malloc(bytes);
    live_bytes += malloc_usable_size(memory);
    most_bytes = live_bytes > most_bytes ? live_bytes : most_bytes;
    return memory;
}

static void count_release(void *memory)
{
    live_bytes -= malloc_usable_size(memory);
    free(memory);
}

Test(json_stream, documents_of_jobs_are_never_in_memory_as_a_whole)
{
    enum { RANKS = 500, OPERATIONS = 20, MOST_BYTES = 300000 };
    struct job job = build_job(RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < OPERATIONS; i++)
            build_send(world_of(&job, rank), (rank + 1) % RANKS, (rank + 1) % RANKS, i, BUILD_PENDING);
    for (int i = 0; i < RANKS * OPERATIONS; i++)
        build_send(world_of(&job, 0), 1, 1, i, BUILD_PENDING);
    const struct render_options options = {.all = true};
    json_set_alloc_funcs(count_allocation, count_release);
    char *text = rendered(render_show_json, &job, &options);
    cr_expect_lt(most_bytes, MOST_BYTES, "%zu of %zu", most_bytes, strlen(text));
    cr_expect_eq(live_bytes, 0);
    cr_expect_gt(strlen(text), 10 * MOST_BYTES);
    json_set_alloc_funcs(malloc, free);
    free(text);
    job_clear(&job);
}

Test(json_stream, findings_are_said_whatever_the_application_calls_its_communicators)
{
    struct job job = build_job(1);
    struct analysis analysis = {.remark = NULL};
    const struct render_options options = {.all = true};
    struct finding *finding = findings_add(&analysis.findings, FINDING_DEADLOCK);
    finding->message = "ranks of 'caf\xe9' wait";
    evidence_add(&finding->evidence, 0, 1, "MPI_Barrier on 'caf\xe9'", "", 1);
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_expect_eq(render_why_json(stream, &job, &analysis, &options), 0);
    fclose(stream);
    json_t *document = json_loads(text, 0, NULL);
    const json_t *said = json_array_get(json_object_get(document, "findings"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(said, "message")), "ranks of 'caf\xef\xbf\xbd' wait");
    const json_t *evidence = json_array_get(json_object_get(said, "evidence"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(evidence, "text")), "MPI_Barrier on 'caf\xef\xbf\xbd'");
    json_decref(document);
    free(text);
    findings_clear(&analysis.findings);
    job_clear(&job);
}
