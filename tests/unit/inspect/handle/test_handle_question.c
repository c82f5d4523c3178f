/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions about handles as the lines of a file.
 */
#include "handle/handle.h"

#include <criterion/criterion.h>
#include <string.h>

/* Reads `bytes`, which are no text. */
static struct handle_questions read_bytes(const char *bytes, size_t count)
{
    static const struct rank_set all_ranks;
    struct handle_questions questions = {.target = "4711", .ranks = &all_ranks};
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, count, "r");
    cr_assert_not_null(stream);
    cr_assert_eq(handle_questions_read(&questions, stream), 0);
    fclose(stream);
    return questions;
}

static struct handle_questions read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

Test(handle_question, lines)
{
    struct handle_questions questions = read_text("# a comment\n"
                                                  "comm 0x84000002\n"
                                                  "\n"
                                                  " \t \r\n"
                                                  "  # another one\n"
                                                  "\trow\r\n"
                                                  "--fortran  datatype -5\n"
                                                  "-r 3 request main::requests[2]\n"
                                                  "op MPI_SUM --rank=0,4-7");
    static const struct {
        const char *text;
        size_t line;
        uint32_t kind;
        const char *name;
        uint64_t value;
        enum mpilens_handle_language language;
        const char *ranks;
    } expected[] = {
        {"comm 0x84000002", 2, MPILENS_OBJECT_COMMUNICATOR, NULL, 0x84000002, MPILENS_HANDLE_C, NULL},
        {"row", 6, MPILENS_OBJECT_NONE, "row", 0, MPILENS_HANDLE_C, NULL},
        {"--fortran  datatype -5", 7, MPILENS_OBJECT_DATATYPE, NULL, (uint64_t)-5, MPILENS_HANDLE_FORTRAN, NULL},
        {"-r 3 request main::requests[2]", 8, MPILENS_OBJECT_REQUEST, "main::requests[2]", 0, MPILENS_HANDLE_C, "3"},
        {"op MPI_SUM --rank=0,4-7", 9, MPILENS_OBJECT_OP, "MPI_SUM", 0, MPILENS_HANDLE_C, "0,4-7"},
    };
    cr_assert_eq(questions.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < questions.count; i++) {
        const struct handle_question *question = &questions.items[i];
        cr_expect_str_eq(question->text, expected[i].text);
        cr_expect_eq(question->line, expected[i].line);
        cr_expect_neq(question->status, EXIT_USAGE);
        cr_expect_eq(question->query.kind, expected[i].kind, "%s", question->text);
        cr_expect_eq(question->query.value, expected[i].value, "%s", question->text);
        cr_expect_eq(question->query.language, expected[i].language, "%s", question->text);
        cr_expect_str_eq(question->query.name != NULL ? question->query.name : "",
                         expected[i].name != NULL ? expected[i].name : "");
        cr_expect_str_eq(question->rank_text != NULL ? question->rank_text : "",
                         expected[i].ranks != NULL ? expected[i].ranks : "");
    }
    cr_expect(rank_is_chosen(&questions.items[4].ranks, 5));
    cr_expect_not(rank_is_chosen(&questions.items[4].ranks, 3));
    handle_questions_clear(&questions);
}

Test(handle_question, lines_that_cannot_be_asked)
{
    static const struct {
        const char *line, *reason;
    } cases[] = {
        {"nothing 0x1", "there is no kind 'nothing'; there are comm, "},
        {"0x1", "name the kind of 0x1: 'mpilens handle 4711 KIND 0x1'; there are comm, "},
        {"comm 12x", "'12x' is neither a number of 64 bits nor a name"},
        {"comm 0x1 0x2", "give a kind and a value, or a name: "},
        {"--fortran", "give a kind and a value, or a name: "},
        {"--all comm 0x1", "a question has no option '--all'; there are --fortran and --rank RANKS"},
        {"comm 0x1 --rank", "--rank takes ranks such as 0,4-7, not ''"},
        {"comm 0x1 --rank=x", "--rank takes ranks such as 0,4-7, not 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s\ncomm 0x1\n", cases[i].line);
        struct handle_questions questions = read_text(text);
        cr_assert_eq(questions.count, 2, "%s", cases[i].line);
        cr_expect_eq(questions.items[0].status, EXIT_USAGE, "%s", cases[i].line);
        cr_assert_eq(questions.items[0].reason_count, 1, "%s", cases[i].line);
        const char *reason = questions.items[0].reasons[0].text;
        cr_expect_eq(strncmp(reason, cases[i].reason, strlen(cases[i].reason)), 0, "%s", reason);
        cr_expect_neq(questions.items[1].status, EXIT_USAGE, "behind %s", cases[i].line);
        handle_questions_clear(&questions);
    }
}

Test(handle_question, lines_are_bounded)
{
    enum { MOST = 1023 };
    char text[2 * MOST + 16];
    memset(text, 'x', sizeof text);
    text[MOST] = '\n';
    text[2 * MOST + 2] = '\n'; /* one byte more */
    memcpy(text + 2 * MOST + 3, "row", sizeof "row");
    struct handle_questions questions = read_text(text);
    cr_assert_eq(questions.count, 3);
    cr_expect_neq(questions.items[0].status, EXIT_USAGE);
    cr_expect_eq(strlen(questions.items[0].text), MOST);
    cr_expect_eq(questions.items[1].status, EXIT_USAGE);
    cr_expect_str_eq(questions.items[1].reasons[0].text, "the line has more than 1023 bytes");
    cr_expect_eq(questions.items[2].line, 3);
    cr_expect_str_eq(questions.items[2].query.name, "row");
    handle_questions_clear(&questions);
}

Test(handle_question, bytes_that_are_no_text)
{
    static const char bytes[] = "comm\0 0x1\n\033[2Jrow \xff\n";
    struct handle_questions questions = read_bytes(bytes, sizeof bytes - 1);
    cr_assert_eq(questions.count, 2);
    cr_expect_str_eq(questions.items[0].text, "comm  0x1");
    cr_expect_eq(questions.items[0].query.value, 1);
    cr_expect_str_eq(questions.items[1].text, "[2Jrow \xef\xbf\xbd");
    handle_questions_clear(&questions);
    questions = read_bytes("\n", 1);
    cr_expect_eq(questions.count, 0);
    cr_expect_eq(handle_questions_status(&questions), EXIT_GOOD);
    handle_questions_clear(&questions);
}

Test(handle_question, files_that_cannot_be_read)
{
    struct handle_questions questions = {.target = "4711"};
    FILE *directory = fopen("/", "r");
    cr_assert_not_null(directory);
    cr_expect_eq(handle_questions_read(&questions, directory), -1);
    fclose(directory);
    handle_questions_clear(&questions);
}
