/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints tables in the form that fits the terminal.
 */
#include "text/text.h"

#include "base/base.h"

#include <ctype.h>
#include <libsmartcols.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_COLUMNS = 16,   /* neither columns nor parts of words are narrower if they need not be */
    LEAST_DETAILS = 24,   /* nor columns that were put together */
    TREE_COLUMNS = 2,     /* in front of a line for each one above it */
    FOLDED_COLUMNS = 4,   /* of a table whose columns in the middle are put together */
    PARAGRAPH_INDENT = 2, /* of its lines behind the first */
    WIDTH_OF_STREAM = -1
};

/* Heads columns that were put together. */
static const char details_name[] = "DETAILS";

struct text_line {
    const struct text_line *parent;
    const struct text_line *last_below; /* NULL: none */
    size_t depth;
    char **cells;
    const char *color;
};

struct text_table {
    struct text_column *columns;
    size_t column_count;
    struct text_line **lines;
    size_t line_count;
    long width;
    bool headings, color;
};

struct text_table *text_table_create(const struct text_column *columns, size_t column_count, bool headings, bool color)
{
    struct text_table *table = allocate(sizeof *table);
    *table = (struct text_table){.columns = allocate(column_count * sizeof *columns),
                                 .column_count = column_count,
                                 .width = WIDTH_OF_STREAM,
                                 .headings = headings,
                                 .color = color};
    memcpy(table->columns, columns, column_count * sizeof *columns);
    return table;
}

void text_table_set_width(struct text_table *table, size_t width)
{
    table->width = (long)width;
}

struct text_line *text_table_add_below(struct text_table *table, struct text_line *parent, const char *const cells[])
{
    struct text_line *line = allocate(sizeof *line);
    *line = (struct text_line){.parent = parent,
                               .depth = parent != NULL ? parent->depth + 1 : 0,
                               .cells = allocate(table->column_count * sizeof *line->cells)};
    for (size_t i = 0; i < table->column_count; i++)
        line->cells[i] = escaped_text(cells[i]);
    table->lines = array_append(table->lines, &table->line_count, sizeof(struct text_line *));
    table->lines[table->line_count - 1] = line;
    if (parent != NULL)
        parent->last_below = line;
    return line;
}

void text_table_add(struct text_table *table, const char *const cells[], const char *color)
{
    text_table_add_below(table, NULL, cells)->color = color;
}

static size_t greater(size_t left, size_t right)
{
    return left > right ? left : right;
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

static size_t tree_columns(const struct text_line *line, size_t column)
{
    return column == 0 ? line->depth * TREE_COLUMNS : 0;
}

static struct column_need find_need(const struct text_table *table, size_t column)
{
    const bool is_whole = table->columns[column].whole;
    const size_t heading = table->headings ? strlen(table->columns[column].name) : 0;
    struct column_need need = {heading, heading, heading};
    for (size_t i = 0; i < table->line_count; i++) {
        const struct text_line *line = table->lines[i];
        const char *cell = line->cells[column];
        const size_t before = tree_columns(line, column);
        const size_t natural = before + text_columns(cell);
        need.natural = greater(need.natural, natural);
        need.words = greater(need.words, before + longest_word(cell, SIZE_MAX, is_whole));
        need.least = greater(need.least, before + longest_word(cell, LEAST_COLUMNS, is_whole));
    }
    const bool is_folded = table->columns[column].name == details_name;
    const size_t least = smaller(need.natural, is_folded ? LEAST_DETAILS : LEAST_COLUMNS);
    need.words = greater(need.words, least);
    need.least = greater(need.least, least);
    return need;
}

static bool find_widths(const struct text_table *table, size_t width, bool breaks_words, size_t *ret_widths)
{
    struct column_need *needs = allocate(table->column_count * sizeof *needs);
    for (size_t i = 0; i < table->column_count; i++)
        needs[i] = find_need(table, i);
    const bool does_fit = share_width(needs, table->column_count, width, breaks_words, ret_widths);
    free(needs);
    return does_fit;
}

/* Cells of several columns: "peer 1, tag 7", without those that are empty. */
static char *join_cells(const struct text_table *table, const struct text_line *line, size_t first, size_t last)
{
    char *joined = copy_text("");
    for (size_t i = first; i <= last; i++) {
        if (line->cells[i][0] == '\0')
            continue;
        const bool is_joined = table->columns[i].name == details_name;
        char *name = copy_text(table->headings && !is_joined ? table->columns[i].name : "");
        for (char *letter = name; *letter != '\0'; letter++)
            *letter = (char)tolower(*letter);
        const char *comma = table->headings ? ", " : COLUMN_SEPARATOR;
        char *longer = format_text("%s%s%s%s%s", joined, joined[0] != '\0' ? comma : "", name,
                                   name[0] != '\0' ? " " : "", line->cells[i]);
        free(name);
        free(joined);
        joined = longer;
    }
    return joined;
}

/* Puts the columns between the second and the last together. */
static void fold(struct text_table *table)
{
    const size_t last = table->column_count - 1;
    for (size_t i = 0; i < table->line_count; i++) {
        char **cells = table->lines[i]->cells;
        char *details = join_cells(table, table->lines[i], 2, last - 1);
        for (size_t j = 2; j < last; j++)
            free(cells[j]);
        cells[2] = details;
        cells[3] = cells[last];
    }
    table->columns[2] = (struct text_column){details_name, false, false};
    table->columns[3] = table->columns[last];
    table->column_count = FOLDED_COLUMNS;
}

static void add_columns(const struct text_table *table, struct libscols_table *made, bool has_lines)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const int flags = (table->columns[i].right ? SCOLS_FL_RIGHT : 0) | (has_lines ? SCOLS_FL_WRAP : 0);
        struct libscols_column *column = scols_table_new_column(made, table->columns[i].name, 0, flags);
        if (column != NULL && has_lines)
            scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
    }
}

/* The branches before a line of a tree, or before its rest if it is broken. libsmartcols 2.42 draws the same branches
 * before both. */
static char *draw_tree(const struct text_line *line, bool is_rest)
{
    static const char *const signs[2][2][2] = {{{"|-", "| "}, {"`-", "  "}},
                                               {{"\u251c\u2500", "\u2502 "}, {"\u2514\u2500", "  "}}};
    if (line->parent == NULL)
        return copy_text("");
    char *outer = draw_tree(line->parent, true);
    char *drawn = format_text("%s%s", outer, signs[text_has_unicode()][line->parent->last_below == line][is_rest]);
    free(outer);
    return drawn;
}

static size_t count_lines(const char *cell)
{
    size_t count = 1;
    for (; (cell = strchr(cell, '\n')) != NULL; cell++)
        count++;
    return count;
}

/* A cell with the tree before each of its `line_count` lines; it may have fewer. */
static char *add_tree(const struct text_line *line, const char *cell, size_t line_count)
{
    char *text = draw_tree(line, false), *rest = draw_tree(line, true);
    for (size_t i = 0; i < line_count; i++) {
        const size_t length = strcspn(cell, "\n");
        char *longer = format_text("%s%s%s%.*s", text, i > 0 ? "\n" : "", i > 0 ? rest : "", (int)length, cell);
        free(text);
        text = longer;
        cell += length + (cell[length] == '\n');
    }
    free(rest);
    return text;
}

static void add_line(const struct text_table *table, struct libscols_table *made, const struct text_line *line,
                     const size_t *widths)
{
    struct libscols_line *made_line = scols_table_new_line(made, NULL);
    size_t line_count = 1;
    if (made_line == NULL)
        return;
    for (size_t i = table->column_count; i-- > 0;) { /* the tree is as long as the cells beside it */
        const size_t before = tree_columns(line, i);
        const size_t width = widths != NULL ? widths[i] : 0;
        char *cell = widths != NULL
                         ? broken_text(line->cells[i], width > before ? width - before : 1, 0, table->columns[i].whole)
                         : copy_text(line->cells[i]);
        line_count = greater(line_count, count_lines(cell));
        char *drawn = before > 0 ? add_tree(line, cell, line_count) : NULL;
        scols_line_set_data(made_line, i, drawn != NULL ? drawn : cell);
        free(drawn);
        free(cell);
    }
    if (line->color != NULL)
        scols_line_set_color(made_line, line->color);
}

/* The library fills the last column with blanks, even before the sequence that ends a color. */
static void write_stripped(FILE *stream, const char *lines)
{
    static const char plain[] = "\033[0m";
    const size_t plain_length = sizeof plain - 1;
    for (size_t length; *lines != '\0'; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        const bool is_colored =
            length >= plain_length && strncmp(lines + length - plain_length, plain, plain_length) == 0;
        size_t used = length - (is_colored ? plain_length : 0);
        while (used > 0 && lines[used - 1] == ' ')
            used--;
        fprintf(stream, "%.*s%s\n", (int)used, lines, is_colored ? plain : "");
    }
}

/* `widths`: of the columns; NULL: as they become. */
static int print_table(const struct text_table *table, FILE *stream, const size_t *widths)
{
    char *lines;
    struct libscols_table *made = scols_new_table();
    if (made == NULL)
        return -1;
    scols_table_enable_noheadings(made, !table->headings);
    scols_table_enable_colors(made, table->color);
    scols_table_enable_noencoding(made, 1); /* that is done */
    scols_table_set_termforce(made, SCOLS_TERMFORCE_NEVER);
    scols_table_set_column_separator(made, COLUMN_SEPARATOR);
    add_columns(table, made, widths != NULL);
    for (size_t i = 0; i < table->line_count; i++)
        add_line(table, made, table->lines[i], widths);
    FILE *text = open_text(&lines);
    scols_table_set_stream(made, text);
    const int result = scols_print_table(made) != 0 ? -1 : 0;
    scols_unref_table(made);
    fclose(text);
    write_stripped(stream, lines);
    free(lines);
    return result;
}

static int print_paragraphs(const struct text_table *table, FILE *stream, size_t width)
{
    for (size_t i = 0; i < table->line_count; i++) {
        char *text = join_cells(table, table->lines[i], 0, table->column_count - 1);
        char *lines = broken_text(text, width, strspn(text, " ") + PARAGRAPH_INDENT, false);
        fprintf(stream, "%s\n", lines);
        free(lines);
        free(text);
    }
    return ferror(stream) ? -1 : 0;
}

static int print(struct text_table *table, FILE *stream)
{
    const size_t width = table->width == WIDTH_OF_STREAM ? terminal_width(stream) : (size_t)table->width;
    size_t *widths = allocate(table->column_count * sizeof *widths);
    bool does_fit = width == 0 || find_widths(table, width, false, widths);
    if (!does_fit && table->headings && table->column_count > FOLDED_COLUMNS) {
        fold(table);
        does_fit = find_widths(table, width, false, widths);
    }
    does_fit = does_fit || find_widths(table, width, true, widths);
    const int result =
        does_fit ? print_table(table, stream, width > 0 ? widths : NULL) : print_paragraphs(table, stream, width);
    free(widths);
    return result;
}

int text_table_finish(struct text_table *table, FILE *stream)
{
    const int result = table->line_count > 0 ? print(table, stream) : 0;
    for (size_t i = 0; i < table->line_count; i++) {
        for (size_t j = 0; j < table->column_count; j++)
            free(table->lines[i]->cells[j]);
        free(table->lines[i]->cells);
        free(table->lines[i]);
    }
    free(table->lines);
    free(table->columns);
    free(table);
    return result;
}
