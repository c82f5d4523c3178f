/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many questions about the handles of a fake process, answered in one reading.
 */
#include "asked_process.h"
#include "job/job.h"
#include "render/json/render_json_internal.h"
#include "render/text/render_text.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

TestSuite(handle_answer, .init = asked_process_begin, .fini = asked_process_end);

static struct handle_questions ask_process(char *text, const char *ranks, struct job *job)
{
    static struct rank_set set;
    if (ranks != NULL)
        cr_assert_eq(rank_set_parse(&set, ranks), 0);
    struct handle_questions questions = {.target = "4711", .ranks = &set, .rank_text = ranks};
    FILE *stream = fmemopen(text, strlen(text), "r");
    cr_assert_eq(handle_questions_read(&questions, stream), 0);
    fclose(stream);
    asked_process_read();
    handle_questions_ask(&asked.collection, &asked.process, &questions);
    handle_questions_finish(&questions, job);
    rank_set_clear(&set);
    return questions;
}

static char *text_of(const struct handle_questions *questions, const struct job *job, bool json)
{
    const struct render_options options = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_eq(json ? render_answers_json(stream, job, questions, &options)
                      : render_answers_text(stream, questions, &options),
                 0);
    fclose(stream);
    return text;
}

static void expect_begins(const char *text, const char *beginning)
{
    cr_expect_eq(strncmp(text, beginning, strlen(beginning)), 0, "%s", text);
}

static void expect_statuses(const struct handle_questions *questions, const enum exit_status *statuses, size_t count)
{
    cr_assert_eq(questions->count, count);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(questions->items[i].status, statuses[i], "line %zu", questions->items[i].line);
}

Test(handle_answer, many_questions_in_one_reading)
{
    char text[] = "comm 0x84000002\ncomm 0x1\ncomm 1x\nMPI_COMM_WORLD --rank 0\nMPI_COMM_WORLD --rank 1\n";
    static const enum exit_status statuses[] = {EXIT_GOOD, EXIT_UNREADABLE, EXIT_USAGE, EXIT_UNREADABLE, EXIT_GOOD};
    static const char *const reasons[] = {NULL, "not found: communicator 0x1 names nothing that is known",
                                          "'1x' is neither a number of 64 bits nor a name",
                                          "the job has no rank 0 that can be read; it has 2 ranks", NULL};
    struct job job = {.size = 2};
    struct handle_questions questions = ask_process(text, NULL, &job);
    expect_statuses(&questions, statuses, 5);
    cr_expect_eq(handle_questions_status(&questions), EXIT_UNREADABLE);

    char *output = text_of(&questions, &job, true);
    json_t *document = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
    const json_t *answers = json_object_get(document, "answers");
    cr_assert_eq(json_array_size(answers), 5);
    for (size_t i = 0; i < 5; i++) {
        json_t *answer = json_array_get(answers, i);
        const json_t *handle = json_object_get(answer, "handle"), *handles = json_object_get(answer, "handles");
        cr_expect_str_eq(json_string_value(json_object_get(answer, "question")), questions.items[i].text);
        cr_expect_eq((size_t)json_integer_value(json_object_get(answer, "line")), i + 1);
        cr_expect_eq(json_integer_value(json_object_get(answer, "status")), statuses[i]);
        cr_expect_eq(json_array_size(handles), questions.items[i].count);
        cr_expect_eq(handle != NULL, questions.items[i].count > 0);
        cr_expect(handle == NULL || json_equal(handle, json_array_get(handles, 0)), "line %zu", i + 1);
        if (reasons[i] != NULL)
            cr_expect_str_eq(json_string_value(json_object_get(answer, "failed")), reasons[i]);
        else
            cr_expect_null(json_object_get(answer, "failed"));
    }
    json_decref(document);
    free(output);
    handle_questions_clear(&questions);
}

Test(handle_answer, ranks_of_the_command_line_and_of_questions)
{
    char text[] = "comm 0x84000002\ncomm 0x1\n--rank 1 MPI_COMM_WORLD\n";
    static const enum exit_status statuses[] = {EXIT_UNREADABLE, EXIT_UNREADABLE, EXIT_GOOD};
    struct job job = {.size = 2};
    struct handle_questions questions = ask_process(text, "0", &job);
    expect_statuses(&questions, statuses, 3);
    char *output = text_of(&questions, &job, false);
    expect_begins(output, "==> --rank 1 MPI_COMM_WORLD <==\ncommunicator MPI_COMM_WORLD (0x44000000): ");
    cr_expect_null(strstr(output, "0x84000002"), "%s", output);
    free(output);
    handle_questions_clear(&questions);
}

Test(handle_answer, pages_have_a_blank_line_between_them)
{
    char text[] = "comm 0x4000000\ncomm 0x1\nMPI_COMM_NULL\n";
    struct job job = {.size = 2};
    struct handle_questions questions = ask_process(text, NULL, &job);
    char *output = text_of(&questions, &job, false);
    cr_expect_str_eq(output, "==> comm 0x4000000 <==\n"
                             "communicator MPI_COMM_NULL (0x4000000): the null handle\n"
                             "in rank 1 of MPI_COMM_WORLD\n"
                             "\n"
                             "==> MPI_COMM_NULL <==\n"
                             "communicator MPI_COMM_NULL: the null handle\n"
                             "in rank 1 of MPI_COMM_WORLD\n");
    free(output);
    handle_questions_clear(&questions);
}
