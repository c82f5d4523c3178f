/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of lines cut out of a source text, and of the mark under the call.
 */
#include "source/source.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void use_unicode(void)
{
    cr_assert_not_null(setlocale(LC_CTYPE, "C.UTF-8"));
}

TestSuite(source_lines, .init = use_unicode);

static struct source_lines take(const char *text, int line, int before, int after, const char *called)
{
    struct source_lines lines;
    cr_assert(source_lines_take(text, strlen(text), line, before, after, called, &lines), "no line %d", line);
    cr_assert_lt(lines.named, lines.count);
    cr_expect_eq(lines.items[lines.named].number, line);
    return lines;
}

/* "2:b|3:c", all lines. */
static void expect_lines(const char *text, int line, int before, int after, const char *expected)
{
    struct source_lines lines = take(text, line, before, after, NULL);
    const char *all = "";
    for (size_t i = 0; i < lines.count; i++)
        all = arena_text("%s%s%d:%s", all, i > 0 ? "|" : "", lines.items[i].number, lines.items[i].text);
    cr_expect_str_eq(all, expected, "line %d: %s", line, all);
}

Test(source_lines, with_lines_around)
{
    expect_lines("a\nb\nc\nd\ne\n", 3, 2, 0, "1:a|2:b|3:c");
    expect_lines("a\nb\nc\nd\ne\n", 3, 1, 1, "2:b|3:c|4:d");
    expect_lines("a\nb\nc\nd\ne\n", 1, 2, 1, "1:a|2:b");
    expect_lines("a\nb", 2, 5, 5, "1:a|2:b");
    expect_lines("a\r\nb\r\n", 2, 5, 5, "1:a|2:b");
    expect_lines("\n \t\na\n\nb\n\n\nc", 5, 4, 2, "3:a|4:|5:b");
    expect_lines("\n", 1, 2, 2, "1:");
}

static void expect_none(const char *text, int line)
{
    struct source_lines lines;
    cr_expect_not(source_lines_take(text, strlen(text), line, 2, 5, NULL, &lines), "line %d of '%s'", line, text);
}

Test(source_lines, beyond_the_end)
{
    expect_none("", 1);
    expect_none("a\nb\n", 3);
    expect_none("a\nb", 3);
    expect_none("a\n", INT_MAX);
}

Test(source_lines, for_terminals)
{
    expect_lines("\tx\n1234567\tx\n12345678\tx\n", 3, 2, 0, "1:        x|2:1234567 x|3:12345678        x");
    expect_lines("a\x1b[31m\xff\xc3\xa9\n", 1, 0, 0, "1:a\\x1b[31m\\xff\xc3\xa9");
    expect_lines("\x1b\tx\n", 1, 0, 0, "1:\\x1b    x");
    struct source_lines lines;
    cr_assert(source_lines_take("MPI_Send\0MPI_Recv", 17, 1, 0, 0, "MPI_Recv", &lines));
    cr_expect_str_eq(lines.items[0].text, "MPI_Send");
    cr_expect_eq(lines.mark_bytes, 1, "the line ends before the name");
}

Test(source_lines, bounded)
{
    enum { LONG = 1 << 20, MOST_LINE = 4096 };
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    struct source_lines lines = take(text, 1, 2, 2, "MPI_Send");
    cr_expect_eq(strlen(lines.items[0].text), MOST_LINE);
    free(text);
}

static void expect_mark(const char *line, const char *called, size_t column, const char *marked)
{
    struct source_lines lines = take(line, 1, 0, 0, called);
    cr_expect_eq(lines.column, column, "'%s': column %zu instead of %zu", line, lines.column, column);
    cr_expect_eq(lines.mark_columns, strlen(marked), "'%s': %zu columns", line, lines.mark_columns);
    cr_expect_eq(strncmp(lines.items[0].text + lines.mark, marked, strlen(marked)), 0, "'%s'", line);
    cr_expect_eq(lines.mark_bytes, strlen(marked), "'%s': %zu bytes", line, lines.mark_bytes);
}

Test(source_lines, mark_under_the_call)
{
    expect_mark("  MPI_Send(buffer, 1, MPI_INT);", "MPI_Send", 2, "MPI_Send");
    expect_mark("\tx = 1; MPI_Send(buffer);", "MPI_Send", 15, "MPI_Send");
    expect_mark("MPI_Sendrecv(MPI_Send)", "MPI_Send", 13, "MPI_Send");
    expect_mark("/* \xc3\xa9\xe4\xb8\xad */ MPI_Send()", "MPI_Send", 10, "MPI_Send");
    expect_mark("      call mpi_send(buffer, 1, MPI_REAL)", "MPI_Send", 11, "mpi_send");
    expect_mark("    all = comm.gather(x, root=0)", "MPI_Gather", 15, "gather");
    expect_mark("    all = comm.gather(x, root=0)", "MPI_Gatherv", 15, "gather");
    expect_mark("    gather = comm.Gather(x)", "MPI_Gather", 18, "Gather");
    expect_mark("    comm.Gather(x)", "MPI_Gatherv_c", 9, "Gather");
    expect_mark("      call mpi_send(buffer, 1, MPI_REAL)", "MPI_Send_c", 11, "mpi_send");
    expect_mark("    window.Fence()", "MPI_Win_fence", 11, "Fence");
    expect_mark("  world->send(x)", "MPI_Send", 9, "send");
    expect_mark("  ns::solve<double>(a);", "ns::solve<double>(int)", 6, "solve");
    expect_mark("  nanosleep(&t, NULL);", "nanosleep", 2, "nanosleep");
}

Test(source_lines, mark_without_a_call)
{
    expect_mark("    halo(x);", "MPI_Send", 4, "h");
    expect_mark("    send(x);", "MPI_Send", 4, "s");
    expect_mark("\tx", NULL, 8, "x");
    expect_mark("  (x)", "", 2, "(");
    struct source_lines lines = take("\n", 1, 0, 0, "MPI_Send");
    cr_expect_eq(lines.mark_bytes, 0);
    cr_expect_eq(lines.mark_columns, 0);
}

static void expect_part(const char *text, size_t skipped, size_t columns, const char *expected)
{
    const char *part = source_line_part(text, skipped, columns);
    cr_expect_str_eq(part, expected, "'%s' from %zu on: '%s'", text, skipped, part);
}

Test(source_lines, cut_at_the_width)
{
    expect_part("0123456789", 0, 10, "0123456789");
    expect_part("0123456789", 0, 9, "012345...");
    expect_part("0123456789", 2, 8, "...56789");
    expect_part("0123456789abcdef", 2, 9, "...567...");
    expect_part("\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 0, 5, "\xe4\xb8\xad...");
    expect_part("", 2, 8, "");
    expect_part("0", 4, 8, "...");
}
