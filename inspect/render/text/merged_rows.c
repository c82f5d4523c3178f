/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Merges equal rows of tables.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

/* Rows of one list of one rank before "+ N more", and of the table. */
enum { MOST_ROWS = 10, MOST_TABLE_ROWS = 1000 };

static bool is_made_last(const struct merged_layout *layout, size_t column)
{
    return column == layout->rank || column == layout->what || column == layout->age;
}

/* NULL: there is none, or none so far. */
static bool same_text(const char *left, const char *right)
{
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static bool same_cells(const struct merged_layout *layout, const struct merged_row *left,
                       const struct merged_row *right)
{
    if (left->is_remainder || right->is_remainder || !same_text(left->what, right->what))
        return false;
    for (size_t i = 0; i < layout->column_count; i++)
        if (!is_made_last(layout, i) && i != layout->single && !same_text(left->cells[i], right->cells[i]))
            return false;
    return same_text(left->open_peer, right->open_peer) &&
           (left->open_peer == NULL ||
            (left->peer.local == right->peer.local && left->peer.world == right->peer.world));
}

static void append(struct merged_rows *rows, const struct merged_row *row)
{
    rows->items = array_append(rows->items, &rows->count, sizeof *rows->items);
    struct merged_row *added = &rows->items[rows->count - 1];
    *added = *row;
    added->repeats = 1;
    added->is_joined = false;
    added->rank = rows->rank;
    added->ranks = (struct ranks){.count = 0};
    ranks_add(&added->ranks, rows->rank);
}

void merged_rows_begin(struct merged_rows *rows, int rank)
{
    rows->list = rows->count;
    rows->rank = rank;
    rows->cut = 0;
}

/* The row of the current list that says the same, NULL: none. */
static struct merged_row *find_same(struct merged_rows *rows, const struct merged_row *row)
{
    for (size_t i = rows->count; i > rows->list; i--) {
        if (same_cells(&rows->layout, &rows->items[i - 1], row))
            return &rows->items[i - 1];
        if (!rows->layout.equal_anywhere)
            return NULL;
    }
    return NULL;
}

void merged_rows_add(struct merged_rows *rows, const struct merged_row *row)
{
    struct merged_row *same = rows->cut == 0 && !rows->layout.all ? find_same(rows, row) : NULL;
    if (same != NULL) {
        same->repeats++;
        same->age_s = row->age_s > same->age_s ? row->age_s : same->age_s;
    } else if (rows->cut > 0 || (rows->count - rows->list == MOST_ROWS && !rows->layout.all)) {
        rows->cut++;
    } else {
        append(rows, row);
    }
}

void merged_rows_add_remark(struct merged_rows *rows, const struct merged_row *row, const char *text)
{
    struct merged_row remark = *row;
    remark.is_remainder = true;
    remark.age_s = -1;
    for (size_t i = 0; i < rows->layout.column_count; i++)
        if (!is_made_last(&rows->layout, i) && remark.cells[i] == NULL)
            remark.cells[i] = "";
    remark.cells[rows->layout.what] = text;
    append(rows, &remark);
}

void merged_rows_end(struct merged_rows *rows)
{
    if (rows->cut == 0)
        return;
    const struct merged_row last = {.what = rows->items[rows->count - 1].what,
                                    .color = rows->items[rows->count - 1].color};
    merged_rows_add_remark(rows, &last, arena_text("+ %llu more", (unsigned long long)rows->cut));
    rows->cut = 0;
}

/* The number of what rows must agree in that become one, but for open peers. */
static size_t number_of(struct rank_texts *texts, const struct merged_layout *layout, const struct merged_row *row)
{
    char repeats[24];
    snprintf(repeats, sizeof repeats, "%llu", (unsigned long long)row->repeats);
    const char *parts[MOST_COLUMNS + 3] = {repeats, row->what, row->open_peer};
    for (size_t i = 0; i < layout->column_count; i++)
        if (!is_made_last(layout, i) && i != layout->single)
            parts[i + 3] = row->cells[i];
    return rank_texts_add_parts(texts, parts, layout->column_count + 3);
}

/* Rows that differ in nothing but their open peers. */
struct open_rows {
    struct merged_row **items;
    size_t count;
};

static void close_peers(struct merged_rows *rows)
{
    struct rank_texts texts = {.count = 0};
    struct open_rows *alike = NULL;
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->items[i].open_peer == NULL)
            continue;
        const size_t number = number_of(&texts, &rows->layout, &rows->items[i]);
        if (number >= count)
            alike = array_append(alike, &count, sizeof *alike);
        alike[number].items = array_append(alike[number].items, &alike[number].count, sizeof(struct merged_row *));
        alike[number].items[alike[number].count - 1] = &rows->items[i];
    }
    for (size_t i = 0; i < count; i++) {
        merged_peers_close(rows->layout.peer, alike[i].items, alike[i].count);
        free(alike[i].items);
    }
    free(alike);
}

/* Rows that all say the same. A rank may have several, of different lists: its first ones become one row with the first
 * ones of other ranks, its second ones with their second ones.
 */
struct equal_rows {
    size_t *kept; /* numbers of those that stay */
    size_t kept_count;
    int rank;     /* that was added last */
    size_t times; /* how often */
};

static void join(struct merged_rows *rows, struct equal_rows *equal, size_t number)
{
    struct merged_row *row = &rows->items[number];
    equal->times = equal->kept_count > 0 && equal->rank == row->rank ? equal->times + 1 : 0;
    equal->rank = row->rank;
    if (equal->times == equal->kept_count) {
        equal->kept = array_append(equal->kept, &equal->kept_count, sizeof *equal->kept);
        equal->kept[equal->times] = number;
        return;
    }
    struct merged_row *same = &rows->items[equal->kept[equal->times]];
    ranks_add(&same->ranks, row->rank);
    same->age_s = row->age_s > same->age_s ? row->age_s : same->age_s;
    row->is_joined = true;
}

/* Joins rows of later ranks that say the same as one of an earlier rank. */
static void merge_ranks(struct merged_rows *rows)
{
    struct rank_texts texts = {.count = 0};
    struct equal_rows *equal = NULL;
    size_t count = 0;
    close_peers(rows);
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->items[i].is_remainder)
            continue;
        const size_t number = number_of(&texts, &rows->layout, &rows->items[i]);
        if (number >= count)
            equal = array_append(equal, &count, sizeof *equal);
        join(rows, &equal[number], i);
    }
    for (size_t i = 0; i < count; i++)
        free(equal[i].kept);
    free(equal);
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->items[i].is_joined)
            rows->items[kept++] = rows->items[i];
    rows->count = kept;
}

static void finish_row(const struct merged_layout *layout, struct merged_row *row)
{
    row->cells[layout->rank] = ranks_text(&row->ranks);
    row->cells[layout->age] = describe_age(row->age_s);
    merged_peer_close(layout->peer, row);
    if (row->cells[layout->what] == NULL)
        row->cells[layout->what] = row->repeats > 1
                                       ? arena_text("%llu x %s", (unsigned long long)row->repeats, row->what)
                                       : arena_copy(row->what);
    if (layout->single < layout->column_count && (row->repeats > 1 || row->ranks.count > 1))
        row->cells[layout->single] = "";
}

int merged_rows_finish(struct merged_rows *rows, FILE *stream, bool color)
{
    const struct merged_layout *layout = &rows->layout;
    if (!layout->all)
        merge_ranks(rows);
    if (rows->count > 0)
        fputc('\n', stream);
    struct text_table *table = text_table_create(layout->columns, layout->column_count, true, color);
    const size_t shown = layout->all || rows->count <= MOST_TABLE_ROWS ? rows->count : MOST_TABLE_ROWS;
    const size_t hidden = rows->count - shown;
    for (size_t i = 0; i < shown; i++) {
        finish_row(layout, &rows->items[i]);
        text_table_add(table, rows->items[i].cells, rows->items[i].color);
    }
    free(rows->items);
    rows->items = NULL;
    rows->count = 0;
    const int result = text_table_finish(table, stream);
    if (hidden > 0)
        print_line(stream, "+ %zu more rows: --rank shows those of the ranks that you name, --all all", hidden);
    return result;
}
