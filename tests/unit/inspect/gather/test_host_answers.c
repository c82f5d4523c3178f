/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which hosts have answered, in whatever order their lines come.
 */
#include "gather/gather.h"

#include "part/part.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

static struct host_list hosts;
static struct host_answers answers;
static struct part_reader *reader;

static void start(void)
{
    hosts = (struct host_list){.count = 0};
    cr_assert_eq(host_list_parse(&hosts, "n[1-3]"), 0);
    answers = host_answers_begin(&hosts, "/opt/mpilens");
    reader = part_reader_create(MOST_BYTES);
}

static void end(void)
{
    part_reader_destroy(reader);
    host_answers_clear(&answers);
}

TestSuite(host_answers, .init = start, .fini = end);

/* As who runs an engine does. */
static void take_line(const char *line)
{
    struct part_stream stream = {.length = 0};
    struct received_part part;
    part_reader_feed(reader, &stream, line, strlen(line));
    part_reader_end(reader, &stream);
    host_answers_note_output(&answers, NULL, line, reader);
    while (part_reader_take(reader, &part)) {
        host_answers_note_part(&answers, part.host, part.round, reader);
        free(part.bytes);
    }
}

/* Lines of a stream, the last one first. */
static void take_reversed(char *text)
{
    while (strlen(text) > 0) {
        text[strlen(text) - 1] = '\0';
        char *newline = strrchr(text, '\n');
        take_line(newline != NULL ? newline + 1 : text);
        if (newline == NULL)
            break;
        newline[1] = '\0';
    }
}

static bool has_answered(size_t host)
{
    return answers.items[host].has_answered[1];
}

Test(host_answers, the_first_line_comes_last)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    part_write(stream, "n2.site", 2, "part", 4);
    part_write_status(stream, "n2.site", 0);
    fclose(stream);
    cr_expect_eq(host_answers_count(&answers, 2, false).pending, 3);
    take_reversed(text);
    cr_expect(has_answered(1));
    cr_expect_eq(host_answers_count(&answers, 2, false).done, 1);
    cr_expect_eq(host_answers_count(&answers, 2, false).pending, 2);
    free(text);
}

Test(host_answers, merged_before_the_part_is_there)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    part_write(stream, "n1_merged", 2, "part", 4);
    part_write_merged(stream, "n1", 2, "n1_merged");
    part_write_merged(stream, "n3", 2, "n1_merged");
    part_write_error(stream, "n2", "no rank could be read");
    part_write_status(stream, "n2", 3);
    fclose(stream);
    take_reversed(text);
    cr_expect(has_answered(0));
    cr_expect_not(has_answered(1));
    cr_expect(has_answered(2));
    cr_expect_eq(host_answers_count(&answers, 2, false).pending, 0);
    char *reason = host_answers_explain(&answers, 1, reader, 2, 1);
    cr_expect_str_eq(reason, "no rank could be read");
    free(reason);
    free(text);
}

Test(host_answers, merged_into_what_is_torn)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    part_write_merged(stream, "n3", 2, "n1_merged");
    part_write_status(stream, "n3", 0);
    fclose(stream);
    take_reversed(text);
    cr_expect_not(has_answered(2));
    char *reason = host_answers_explain(&answers, 2, reader, 2, 1);
    cr_expect_str_eq(reason, "its answer is in that of n1_merged, of which not all has come");
    free(reason);
    free(text);
}
