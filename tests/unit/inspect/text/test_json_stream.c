/* SPDX-License-Identifier: BSD-3-Clause
 *
 * JSON documents that are written value by value.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/json/render_json.h"
#include "text/text.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void write_function(struct json_stream *stream);

/* The caller frees the text. */
static char *written(enum json_style style, write_function *write_members)
{
    char *text = NULL;
    size_t bytes = 0;
    struct json_stream stream = {.file = open_memstream(&text, &bytes), .style = style};
    cr_assert_not_null(stream.file);
    json_stream_open_object(&stream, NULL);
    write_members(&stream);
    json_stream_close(&stream);
    cr_expect_eq(json_stream_finish(&stream), 0);
    fclose(stream.file);
    return text;
}

static void expect_text(enum json_style style, write_function *write_members, const char *expected)
{
    char *text = written(style, write_members);
    cr_expect_str_eq(text, expected);
    free(text);
}

static void write_nested(struct json_stream *stream)
{
    json_stream_boolean(stream, "first", true);
    json_stream_open_array(stream, "list");
    json_stream_open_object(stream, NULL);
    json_stream_null(stream, "nothing");
    json_stream_integer(stream, "one", 1);
    json_stream_close(stream);
    json_stream_any_text(stream, NULL, "a < b");
    json_stream_open_array(stream, NULL);
    json_stream_close(stream);
    json_stream_close(stream);
    json_stream_open_object(stream, "none");
    json_stream_close(stream);
    json_stream_boolean(stream, "last", false);
}

Test(json_stream, has_three_styles)
{
    expect_text(JSON_INDENTED, write_nested,
                "{\n"
                " \"first\": true,\n"
                " \"list\": [\n"
                "  {\n"
                "   \"nothing\": null,\n"
                "   \"one\": 1\n"
                "  },\n"
                "  \"a < b\",\n"
                "  []\n"
                " ],\n"
                " \"none\": {},\n"
                " \"last\": false\n"
                "}\n");
    expect_text(JSON_COMPACT, write_nested,
                "{\"first\":true,\"list\":[{\"nothing\":null,\"one\":1},\"a < b\",[]],\"none\":{},\"last\":false}\n");
    expect_text(JSON_IN_HTML, write_nested,
                "{\"first\":true,\"list\":[{\"nothing\":null,\"one\":1},\"a \\u003C b\",[]],\"none\":{},"
                "\"last\":false}\n");
}

static void write_numbers(struct json_stream *stream)
{
    json_stream_integer(stream, "none", 0);
    json_stream_integer(stream, "least", INT64_MIN);
    json_stream_integer(stream, "most", INT64_MAX);
    json_stream_integer_if(stream, "known", true, -5);
    json_stream_integer_if(stream, "not known", false, -5);
    json_stream_number(stream, "number", 1000000);
    json_stream_number(stream, "no number", -1);
    json_stream_identifier(stream, "identifier", 7);
    json_stream_identifier(stream, "no identifier", 0);
    json_stream_address(stream, "address", 0x7ffe0123456789abu);
    json_stream_address(stream, "no address", 0);
    json_stream_any_address(stream, "address 0", 0);
    json_stream_unique_id(stream, "id", UINT64_MAX);
    json_stream_unique_id(stream, "no id", 0);
}

Test(json_stream, numbers)
{
    expect_text(JSON_COMPACT, write_numbers,
                "{\"none\":0,\"least\":-9223372036854775808,\"most\":9223372036854775807,\"known\":-5,"
                "\"not known\":null,\"number\":1000000,\"no number\":null,\"identifier\":7,\"no identifier\":null,"
                "\"address\":\"0x7ffe0123456789ab\",\"no address\":null,\"address 0\":\"0x0\","
                "\"id\":\"18446744073709551615\",\"no id\":null}\n");
}

static void write_seconds(struct json_stream *stream)
{
    static const double seconds[] = {0, 0.000001, 0.1, 1, 10, 59.999999, 123456.5, 86400, 4e-7, -1, 1e300};
    json_stream_open_array(stream, "s");
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        json_stream_seconds(stream, NULL, seconds[i]);
    json_stream_close(stream);
}

Test(json_stream, seconds)
{
    expect_text(JSON_COMPACT, write_seconds,
                "{\"s\":[0.0,0.000001,0.1,1.0,10.0,59.999999,123456.5,86400.0,0.0,null,null]}\n");
}

static void write_texts(struct json_stream *stream)
{
    json_stream_text(stream, "plain", "MPI_Send");
    json_stream_text(stream, "quoted", "a \"b\" \\ c & d");
    json_stream_text(stream, "controls", "one\ntwo\t\x1b[31m\x7f");
    json_stream_text(stream, "letters", "M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x98\x80");
    json_stream_text(stream, "broken", "M\xfcller\n\xe2\x82 \xc0\x80 \xed\xa0\x80 \xf5");
    json_stream_text(stream, "empty", "");
    json_stream_text(stream, "no text", NULL);
    json_stream_any_text(stream, "any text", "");
    json_stream_named_text(stream, "a \"name\" \xfc", "text");
}

Test(json_stream, texts)
{
#define UNKNOWN "\xef\xbf\xbd"
    expect_text(JSON_COMPACT, write_texts,
                "{\"plain\":\"MPI_Send\",\"quoted\":\"a \\\"b\\\" \\\\ c & d\","
                "\"controls\":\"one\\ntwo\\t\\u001B[31m\\u007F\","
                "\"letters\":\"M\xc3\xbcller \xe2\x82\xac \xf0\x9f\x98\x80\","
                "\"broken\":\"M" UNKNOWN "ller " UNKNOWN UNKNOWN " " UNKNOWN UNKNOWN " " UNKNOWN UNKNOWN UNKNOWN
                " " UNKNOWN "\",\"empty\":null,\"no text\":null,\"any text\":\"\","
                "\"a \\\"name\\\" " UNKNOWN "\":\"text\"}\n");
}

Test(json_stream, failed_writes_are_said)
{
    struct json_stream stream = {.file = fopen("/dev/full", "w")};
    cr_assert_not_null(stream.file);
    json_stream_open_array(&stream, NULL);
    for (int i = 0; i < 10000; i++)
        json_stream_any_text(&stream, NULL, "some text");
    json_stream_close(&stream);
    errno = 0;
    cr_expect_eq(json_stream_finish(&stream), -1);
    cr_expect_eq(errno, ENOSPC);
    fclose(stream.file);
}

Test(json_stream, too_many_open_containers_are_said)
{
    struct json_stream stream = {.file = fopen("/dev/null", "w")};
    cr_assert_not_null(stream.file);
    for (int i = 0; i < JSON_STREAM_DEPTH + 2; i++)
        json_stream_open_array(&stream, NULL);
    for (int i = 0; i < JSON_STREAM_DEPTH + 2; i++)
        json_stream_close(&stream);
    cr_expect_eq(json_stream_finish(&stream), -1);
    cr_expect_eq(errno, EOVERFLOW);
    fclose(stream.file);
}

/* As deep as they are collected: MOST_DEPTH of handle_collect_datatype.c. */
Test(json_stream, datatypes_of_many_levels_are_written)
{
    enum { LEVELS = 16 };
    char nothing[] = "";
    struct handle_datatype datatypes[LEVELS + 1] = {{.combiner = nothing}};
    for (int i = 0; i < LEVELS; i++) {
        datatypes[i].parts = &datatypes[i + 1];
        datatypes[i].part_count = 1;
    }
    for (int i = 0; i <= LEVELS; i++) {
        datatypes[i].sentence.text = nothing;
        strcpy(datatypes[i].object.function, "MPI_Type_contiguous");
        datatypes[i].object.site = 1;
    }
    struct handle handle = {.kind = MPILENS_OBJECT_DATATYPE, .datatype = datatypes[0], .sentence = {.text = nothing}};
    struct handle_question question = {.text = "datatype 1", .handles = &handle, .count = 1};
    const struct handle_questions questions = {.items = &question, .count = 1};
    struct job job = build_job(1);
    const struct render_options options = {.all = true};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_expect_eq(render_answers_json(stream, &job, &questions, &options), 0);
    fclose(stream);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_expect_not_null(document);
    json_decref(document);
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
    evidence_add(&finding->evidence, 0, 1, "MPI_Barrier on 'caf\xe9'", evidence_place(NULL, NULL), 1);
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_expect_eq(render_why_json(stream, &job, &analysis, &options), 0);
    fclose(stream);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *said = json_array_get(json_object_get(document, "findings"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(said, "message")), "ranks of 'caf\xef\xbf\xbd' wait");
    const json_t *evidence = json_array_get(json_object_get(said, "evidence"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(evidence, "text")), "MPI_Barrier on 'caf\xef\xbf\xbd'");
    json_decref(document);
    free(text);
    job_clear(&job);
}
