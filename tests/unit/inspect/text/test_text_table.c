/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables on terminals of some width.
 */
#include "text/text.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct text_column call_columns[] = {
    {"RANK", false, false}, {"CALL", false, false}, {"AGE", true, false}, {"SITE", false, true}};

static const struct text_column queue_columns[] = {
    {"RANK", true, false},  {"QUEUE", false, false}, {"PEER", true, false},
    {"COUNT", true, false}, {"NAME", false, false},  {"SITE", false, true},
};

static char *finish(struct text_table *table, size_t width)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    text_table_set_width(table, width);
    cr_expect_eq(text_table_finish(table, stream), 0);
    fclose(stream);
    return text;
}

static char *calls(const char *call, const char *site, size_t width)
{
    const char *const cells[] = {"rank 0", call, "2.7 s", site};
    struct text_table *table = text_table_create(call_columns, 4, false, false);
    text_table_add(table, cells, NULL);
    return finish(table, width);
}

static char *queues(const char *name, const char *site, size_t width)
{
    const char *const cells[] = {"[0-3]", "receive", "1", "", name, site};
    struct text_table *table = text_table_create(queue_columns, 6, true, false);
    text_table_add(table, cells, NULL);
    return finish(table, width);
}

static void expect_text(char *text, const char *expected)
{
    cr_expect_str_eq(text, expected, "%s", text);
    free(text);
}

static void set_locale(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    escaped_text_set_locale();
}

TestSuite(text_table, .init = set_locale);

Test(text_table, what_fits_stands_in_one_line)
{
    expect_text(calls("MPI_Recv(1 x MPI_INT <- 1)", "ring.c:12 main", 0),
                "rank 0  MPI_Recv(1 x MPI_INT <- 1)  2.7 s  ring.c:12 main\n");
    expect_text(calls("MPI_Recv(1 x MPI_INT <- 1)", "ring.c:12 main", 57),
                "rank 0  MPI_Recv(1 x MPI_INT <- 1)  2.7 s  ring.c:12 main\n");
}

Test(text_table, the_widest_column_gives_first)
{
    expect_text(calls("MPI_Recv(1 x MPI_INT <- 1)", "ring.c:12 main", 50),
                "rank 0  MPI_Recv(1 x   2.7 s  ring.c:12 main\n"
                "        MPI_INT <- 1)\n");
}

Test(text_table, no_line_ends_with_blanks)
{
    const char *const cells[] = {"rank 0", "not in MPI", "", ""};
    const bool colored[] = {false, true};
    for (size_t i = 0; i < 2; i++) {
        struct text_table *table = text_table_create(call_columns, 4, false, colored[i]);
        text_table_add(table, (const char *[]){"rank 1", "in MPI_Recv(1 x MPI_INT <- 1)", "1.0 s", "a.c:1"}, NULL);
        text_table_add(table, cells, "yellow");
        expect_text(finish(table, 0), colored[i] ? "rank 1  in MPI_Recv(1 x MPI_INT <- 1)  1.0 s  a.c:1\n"
                                                   "\033[1;33mrank 0  not in MPI\033[0m\n"
                                                 : "rank 1  in MPI_Recv(1 x MPI_INT <- 1)  1.0 s  a.c:1\n"
                                                   "rank 0  not in MPI\n");
    }
}

Test(text_table, columns_in_the_middle_are_put_together)
{
    expect_text(queues("Gitter-R\u00e4nder", "ring.c:12", 53),
                " RANK  QUEUE    PEER  COUNT  NAME           SITE\n"
                "[0-3]  receive     1         Gitter-R\u00e4nder  ring.c:12\n");
    expect_text(queues("Gitter-R\u00e4nder", "halo_exchange.c:1234", 63),
                " RANK  QUEUE    DETAILS        SITE\n"
                "[0-3]  receive  peer 1, name   halo_exchange.c:1234\n"
                "                Gitter-R\u00e4nder\n");
}

Test(text_table, else_rows_are_paragraphs)
{
    expect_text(queues("a", "a_file_with_a_long_name.c:1234", 34), "rank [0-3], queue receive, peer 1,\n"
                                                                   "  name a, site\n"
                                                                   "  a_file_with_a_long_name.c:1234\n");
}

Test(text_table, cells_are_escaped)
{
    expect_text(calls("a\nrank 1  b\033[31m", "\xff.c:1", 0), "rank 0  a\\nrank 1  b\\x1b[31m  2.7 s  \\xff.c:1\n");
    expect_text(calls("\\x1b", "a.c:1", 80), "rank 0  \\x1b  2.7 s  a.c:1\n");
}

Test(text_table, trees_stay_trees)
{
    static const struct text_column columns[] = {{"WHAT", false, false}, {"IS", false, false}};
    struct text_table *table = text_table_create(columns, 2, false, false);
    const char *const top[] = {"used by", "2"};
    const char *const first[] = {"request", "MPI_Irecv of a name that is long"};
    const char *const last[] = {"request", "MPI_Recv"};
    struct text_line *line = text_table_add_below(table, NULL, top);
    text_table_add_below(table, line, first);
    text_table_add_below(table, line, last);
    expect_text(finish(table, 30), "used by    2\n"
                                   "\u251c\u2500request  MPI_Irecv of a name\n"
                                   "\u2502          that is long\n"
                                   "\u2514\u2500request  MPI_Recv\n");
}

Test(text_table, lines_of_trees_are_continued_below_their_text)
{
    static const struct text_column columns[] = {{"STACK", false, false}, {"RANKS", false, false}};
    struct text_table *table = text_table_create(columns, 2, false, false);
    const char *const outer[] = {"main (main.cc:19)", "rank 0"};
    const char *const inner[] = {"solver::exchange_everything (exchange.cc:8)", ""};
    struct text_line *line = text_table_add_below(table, NULL, outer);
    text_table_add_below(table, line, inner);
    expect_text(finish(table, 40), "main (main.cc:19)              rank 0\n"
                                   "\u2514\u2500solver::exchange_everything\n"
                                   "  (exchange.cc:8)\n");
}

/* Whatever the width: no line is wider, and the place is in it. */
Test(text_table, no_line_is_too_wide)
{
    for (size_t width = 30; width < 140; width++) {
        char *text = queues("A name that has many words, and one_that_is_really_very_long_and_has_no_blank_in_it",
                            "halo_exchange.c:1234 app::exchange(std::vector<double, std::allocator<double> >&)", width);
        cr_expect_not_null(strstr(text, "halo_exchange.c:1234"), "width %zu: %s", width, text);
        char *rest = text;
        for (const char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
            cr_expect_leq(text_columns(line), width, "%s", line);
        free(text);
    }
}
