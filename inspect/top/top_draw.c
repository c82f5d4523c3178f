/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lays out a screen of the full-screen view.
 */
#include "top/top.h"

#include "monitor/monitor.h"
#include "text/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TALL = 40,          /* from this number of rows on, there is room for more of everything */
    LEAST_FOR_MORE = 8, /* on fewer rows there is only the verdict and the ranks */
    LABEL_COLUMNS = 9,  /* of the first rank of a line of the strip */
    TENS = 10,
};

static size_t least_of(size_t left, size_t right)
{
    return left < right ? left : right;
}

/* Adds what fits into the line. */
static void add_text(struct top_screen *screen, size_t row, unsigned style, const char *text)
{
    if (row >= screen->rows)
        return;
    struct top_line *line = &screen->lines[row];
    size_t bytes = 0;
    while (text[bytes] != '\0') {
        const size_t length = valid_character(text + bytes);
        const size_t columns = length > 0 ? character_columns(text + bytes, length) : 1;
        if (length == 0 || line->columns + columns > screen->columns)
            break;
        line->columns += columns;
        bytes += length;
    }
    if (bytes == 0)
        return;
    line->spans = arena_append(line->spans, &line->count, sizeof *line->spans);
    line->spans[line->count - 1] = (struct top_span){style, arena_text("%.*s", (int)bytes, text)};
}

static void pad(struct top_screen *screen, size_t row, unsigned style, size_t columns)
{
    if (row < screen->rows && screen->lines[row].columns < columns)
        add_text(screen, row, style, arena_text("%*s", (int)(columns - screen->lines[row].columns), ""));
}

/* Texts with line breaks: line number `first` and those below it, as many as there is room for. */
static void add_lines(struct top_screen *screen, size_t row, size_t end, unsigned style, const char *text, size_t first)
{
    char *copy = copy_text(text), *rest = copy;
    for (size_t number = 0; rest != NULL && row < end; number++) {
        const char *line = strsep(&rest, "\n");
        if (number >= first && (rest != NULL || line[0] != '\0'))
            add_text(screen, row++, style, line);
    }
    free(copy);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (const char *at = text; *at != '\0'; count++) {
        const size_t length = strcspn(at, "\n");
        at += length + (at[length] == '\n');
    }
    return count;
}

/* A paragraph of at most `most` lines. Returns the row behind it. */
static size_t add_paragraph(struct top_screen *screen, size_t row, size_t most, unsigned style, const char *text)
{
    char *broken = broken_text(text, screen->columns, 2, false);
    const size_t lines = count_lines(broken);
    const size_t shown = least_of(lines, most);
    add_lines(screen, row, row + shown, style, broken, 0);
    free(broken);
    return row + shown;
}

static void draw_title(struct top_screen *screen, const struct top_facts *facts, double waited_s)
{
    const char *clock = waited_s > 0 ? arena_text("%s, reading for %.0f s", facts->clock, waited_s) : facts->clock;
    const size_t columns = text_columns(clock) + 1;
    add_text(screen, 0, TOP_TITLE, facts->job);
    if (screen->columns < 2 * columns)
        return;
    struct top_line *line = &screen->lines[0];
    if (line->columns + columns > screen->columns) { /* the clock is in front of what is cut */
        *line = (struct top_line){0};
        struct top_screen narrow = {.rows = 1, .columns = screen->columns - columns, .lines = line};
        add_text(&narrow, 0, TOP_TITLE, facts->job);
    }
    pad(screen, 0, TOP_TITLE, screen->columns - columns + 1);
    add_text(screen, 0, TOP_TITLE, clock);
}

static unsigned style_of(char character, char blamed)
{
    if (blamed == '1')
        return TOP_BLAMED;
    if (strchr("xT*", character) != NULL)
        return TOP_BAD;
    if (strchr("srmUw", character) != NULL)
        return TOP_WAITS;
    if (strchr("bBgGdRaAc", character) != NULL)
        return TOP_COLLECTIVE;
    return strchr("if", character) != NULL ? TOP_PLAIN : TOP_GOOD;
}

/* The style of a cell for several ranks, and the letter that most of them have. */
static unsigned fold(const struct top_facts *facts, size_t first, size_t count, char *ret_character)
{
    size_t numbers[128] = {0};
    char most = '\0', blamed = '0';
    bool is_mixed = false;
    for (size_t i = first; i < first + count && i < facts->rank_count; i++) {
        const char character = facts->characters[i] & 0x7f;
        numbers[(size_t)character]++;
        if (most == '\0' || numbers[(size_t)character] > numbers[(size_t)most])
            most = character;
        is_mixed = is_mixed || facts->characters[i] != facts->characters[first];
        if (facts->blamed[i] == '1')
            blamed = '1';
    }
    *ret_character = most;
    return style_of(most, blamed) | (is_mixed ? TOP_MIXED : 0);
}

/* The next of 1, 2, 5, 10, 20, 50, ... */
static size_t next_fold(size_t fold)
{
    size_t ten = 1;
    while (fold >= TENS * ten)
        ten *= TENS;
    return fold == ten ? 2 * ten : fold == 2 * ten ? 5 * ten : TENS * ten;
}

static void draw_strip_line(struct top_screen *screen, size_t row, const struct top_facts *facts, size_t first,
                            size_t cells, size_t ranks_of_cell)
{
    char run[2] = "";
    for (size_t i = 0; i < cells && first + i * ranks_of_cell < facts->rank_count; i++) {
        const unsigned style = fold(facts, first + i * ranks_of_cell, ranks_of_cell, run);
        add_text(screen, row, style, run);
    }
}

/* Returns the row behind it. */
static size_t draw_strip(struct top_screen *screen, size_t row, size_t most, const struct top_facts *facts)
{
    const bool has_labels = facts->rank_count > screen->columns && screen->columns >= LABEL_COLUMNS + TENS;
    const size_t room = screen->columns - (has_labels ? LABEL_COLUMNS : 0);
    const size_t cells = room > TENS ? room - room % TENS : room;
    size_t ranks_of_cell = 1;
    while ((facts->rank_count + ranks_of_cell * cells - 1) / (ranks_of_cell * cells) > most)
        ranks_of_cell = next_fold(ranks_of_cell);
    for (size_t first = 0; first < facts->rank_count; first += cells * ranks_of_cell) {
        if (has_labels)
            add_text(screen, row, TOP_PLAIN, arena_text("%*d  ", LABEL_COLUMNS - 2, facts->ranks[first]));
        draw_strip_line(screen, row++, facts, first, cells, ranks_of_cell);
    }
    if (ranks_of_cell > 1)
        add_text(screen, row++, TOP_PLAIN,
                 arena_text("a letter for %zu ranks, as most of them do; underlined: not all", ranks_of_cell));
    return row;
}

/* The words of a character in watch_legend. */
static const char *describe_character(char character)
{
    const char *at = watch_legend;
    while ((at = strstr(at, "  ")) != NULL) {
        at += strspn(at, " ");
        if (at[0] == character && at[1] == ' ') {
            const char *end = strstr(at + 2, "  ");
            const size_t line = strcspn(at + 2, "\n");
            const size_t length = end != NULL && (size_t)(end - at - 2) < line ? (size_t)(end - at - 2) : line;
            return arena_text("%.*s", (int)length, at + 2);
        }
    }
    return "?";
}

/* "61 r waits for a receive or message, 3 . computing", the most first. */
static const char *describe_characters(const struct top_facts *facts)
{
    size_t numbers[128] = {0};
    FILE *text = arena_open();
    for (size_t i = 0; i < facts->rank_count; i++)
        numbers[facts->characters[i] & 0x7f]++;
    for (const char *separator = "";; separator = ", ") {
        size_t most = 0;
        for (size_t i = 1; i < sizeof numbers / sizeof *numbers; i++)
            most = numbers[i] > numbers[most] ? i : most;
        if (numbers[most] == 0)
            break;
        fprintf(text, "%s%zu %c %s", separator, numbers[most], (char)most, describe_character((char)most));
        numbers[most] = 0;
    }
    if (facts->rank_count == 0)
        fprintf(text, "no rank of this host name");
    return arena_close(text);
}

static const char *name_ranks(const struct top_row *row)
{
    const bool several = row->ranks[0] == '[';
    return arena_text("%s %s", several ? "ranks" : "rank", row->ranks);
}

/* "rank 3       MPI_Recv(...)        12.3 s  ring.c:7 main". */
static void draw_row(struct top_screen *screen, size_t row, const char *name, const struct top_row *content)
{
    const size_t name_columns = screen->columns < 60 ? 14 : 22, age_columns = 10;
    const size_t site_columns = content->site[0] != '\0' && screen->columns >= 60 ? text_columns(content->site) + 1 : 0;
    const size_t site_shown = least_of(site_columns, screen->columns / 3);
    struct top_screen part = {
        .rows = 1, .columns = least_of(name_columns - 1, screen->columns), .lines = &screen->lines[row]};
    if (row >= screen->rows)
        return;
    add_text(&part, 0, TOP_PLAIN, name);
    pad(screen, row, TOP_PLAIN, name_columns);
    add_text(screen, row, TOP_PLAIN, arena_text("%*s  ", (int)age_columns - 2, describe_age(content->age_s)));
    part.columns = screen->columns > site_shown ? screen->columns - site_shown : 0;
    add_text(&part, 0, TOP_PLAIN, content->text);
    if (site_shown > 0)
        add_text(screen, row, TOP_PLAIN, arena_text(" %s", content->site));
}

/* Returns the row behind it. */
static size_t draw_awaited(struct top_screen *screen, size_t row, size_t most, const struct top_facts *facts)
{
    const struct top_rows *rows = &facts->awaited;
    if (rows->count == 0)
        return row;
    const uint64_t more = rows->count + rows->left_out - least_of(rows->count, most);
    add_text(screen, row, TOP_HEADING, "WAITED FOR");
    add_text(screen, row, TOP_PLAIN, ", by how many ranks, and since when");
    if (more > 0)
        add_text(screen, row, TOP_PLAIN, arena_text(", and %llu more", (unsigned long long)more));
    row++;
    for (size_t i = 0; i < rows->count && i < most; i++) {
        const struct top_row *content = &rows->items[i];
        draw_row(screen, row++, arena_text("%s by %llu", name_ranks(content), (unsigned long long)content->count),
                 content);
    }
    return row;
}

static int compare_ages(const void *left, const void *right)
{
    const struct top_row *one = *(const struct top_row *const *)left, *other = *(const struct top_row *const *)right;
    return one->age_s != other->age_s ? (one->age_s < other->age_s) - (one->age_s > other->age_s)
                                      : (one->first > other->first) - (one->first < other->first);
}

static int compare_firsts(const void *left, const void *right)
{
    const struct top_row *one = *(const struct top_row *const *)left, *other = *(const struct top_row *const *)right;
    return (one->first > other->first) - (one->first < other->first);
}

static void draw_calls(struct top_screen *screen, size_t row, size_t end, const struct top_facts *facts,
                       const struct top_view *view)
{
    static const char *const orders[] = {
        [TOP_BY_NUMBER] = "most ranks first", [TOP_BY_AGE] = "longest first", [TOP_BY_RANK] = "by rank"};
    const struct top_rows *rows = &facts->calls;
    if (row + 1 >= end)
        return;
    const size_t shown = end - row - 1;
    const size_t most = rows->count > shown ? rows->count - shown : 0;
    const size_t offset = least_of(view->offset, most);
    const struct top_row **sorted = allocate((rows->count + 1) * sizeof *sorted);
    for (size_t i = 0; i < rows->count; i++)
        sorted[i] = &rows->items[i];
    if (view->order != TOP_BY_NUMBER)
        qsort(sorted, rows->count, sizeof *sorted, view->order == TOP_BY_AGE ? compare_ages : compare_firsts);
    add_text(screen, row, TOP_HEADING, "CALLS");
    const char *part = rows->count > shown ? arena_text(", %zu-%zu of %" PRIu64, offset + 1, offset + shown,
                                                        rows->count + rows->left_out)
                                           : "";
    add_text(screen, row++, TOP_PLAIN, arena_text(", %s%s", orders[view->order], part));
    for (size_t i = offset; i < rows->count && row < end; i++)
        draw_row(screen, row++, name_ranks(sorted[i]), sorted[i]);
    free(sorted);
}

static void draw_keys(struct top_screen *screen, const struct top_view *view)
{
    static const char *const prompts[] = {[TOP_PROMPT_RANK] = "rank: ",
                                          [TOP_PROMPT_STACK] = "stacks of rank (none: all): ",
                                          [TOP_PROMPT_HOST] = "hosts with this in their names (none: all): "};
    const size_t row = screen->rows - 1;
    if (view->prompt != TOP_NO_PROMPT)
        add_text(screen, row, TOP_KEYS, arena_text("%s%s_", prompts[view->prompt], view->input));
    else if (view->note != NULL)
        add_text(screen, row, TOP_KEYS, view->note);
    else if (view->has_page)
        add_text(screen, row, TOP_KEYS, "arrows scroll  q back");
    else
        add_text(screen, row, TOP_KEYS,
                 screen->columns < 70 ? "h help  q quit"
                                      : "r rank  s stack  v verdict  o order  f host  w write  h help  q quit");
    pad(screen, row, TOP_KEYS, screen->columns);
}

static void draw_page(struct top_screen *screen, size_t end, const struct top_view *view)
{
    add_text(screen, 1, TOP_HEADING, view->page_title);
    if (view->page == NULL) {
        add_text(screen, 2, TOP_PLAIN, "reading ...");
        return;
    }
    const size_t lines = count_lines(view->page), room = end > 2 ? end - 2 : 0;
    const size_t most = lines > room ? lines - room : 0;
    add_lines(screen, 2, end, TOP_PLAIN, view->page, least_of(view->offset, most));
}

static void draw_job(struct top_screen *screen, size_t end, const struct top_facts *facts, const struct top_view *view)
{
    static const unsigned styles[] = {
        [TOP_UNKNOWN] = TOP_PLAIN, [TOP_NOTHING_WRONG] = TOP_GOOD, [TOP_FINDING] = TOP_BAD};
    const bool is_tall = screen->rows >= TALL, is_short = screen->rows < LEAST_FOR_MORE;
    const size_t most_of_strip = is_short ? 1 : screen->rows / 4;
    size_t row = add_paragraph(screen, 1,
                               is_tall    ? 6
                               : is_short ? 1
                                          : 3,
                               styles[facts->verdict_kind % 3], facts->verdict);
    if (!is_short)
        row = add_paragraph(screen, row, 2, TOP_PLAIN, facts->traffic);
    if (facts->host[0] != '\0')
        add_text(screen, row++, TOP_HEADING,
                 arena_text("%zu of %llu ranks: on hosts with '%s' in their names", facts->rank_count,
                            (unsigned long long)facts->job_ranks, facts->host));
    row = draw_strip(screen, row, most_of_strip, facts);
    row = add_paragraph(screen, row, is_tall ? 3 : is_short ? 1 : 2, TOP_PLAIN, describe_characters(facts));
    row = draw_awaited(screen, row, is_tall ? 8 : is_short ? 1 : 3, facts);
    draw_calls(screen, row, end, facts, view);
}

struct top_screen top_draw(const struct top_facts *facts, const struct top_view *view, double waited_s, size_t rows,
                           size_t columns)
{
    struct top_screen screen = {
        .rows = rows, .columns = columns, .lines = arena_allocate((rows + 1) * sizeof *screen.lines)};
    if (rows == 0 || columns == 0)
        return screen;
    const size_t end = rows > 2 ? rows - 1 : rows; /* where the keys are */
    draw_title(&screen, facts, waited_s);
    if (view->has_page)
        draw_page(&screen, end, view);
    else
        draw_job(&screen, end, facts, view);
    if (end < rows) {
        screen.lines[rows - 1] = (struct top_line){0};
        draw_keys(&screen, view);
    }
    return screen;
}
