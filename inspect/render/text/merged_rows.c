/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Merging rows of tables.
 */
#include "render/text/merged_rows.h"

#include "base/allocation.h"
#include "base/rank_set.h"
#include "render/text/merged_peers.h"
#include "text/printed_line.h"

#include <stdlib.h>
#include <string.h>

/* Rows of one list of one rank before "+ N more", and of the table. */
enum { MOST_ROWS = 10, MOST_TABLE_ROWS = 1000 };

static bool is_made_last(const struct merged_layout *layout, size_t column)
{
    return column == layout->rank || column == layout->what || column == layout->age;
}

/* NULL: there is none, or none so far. */
static int compare_texts(const char *left, const char *right)
{
    if (left == NULL || right == NULL)
        return (left != NULL) - (right != NULL);
    return strcmp(left, right);
}

/* But for peers that are open. */
static int compare_cells(const struct merged_layout *layout, const struct merged_row *left,
                         const struct merged_row *right)
{
    int order = strcmp(left->what, right->what);
    for (size_t i = 0; order == 0 && i < layout->column_count; i++)
        if (!is_made_last(layout, i) && i != layout->single)
            order = compare_texts(left->cells[i], right->cells[i]);
    return order != 0 ? order : compare_texts(left->open_peer, right->open_peer);
}

static bool same_cells(const struct merged_layout *layout, const struct merged_row *left,
                       const struct merged_row *right)
{
    if (left->is_remainder || right->is_remainder || compare_cells(layout, left, right) != 0)
        return false;
    return left->open_peer == NULL || (left->peer.local == right->peer.local && left->peer.world == right->peer.world);
}

static void row_clear(struct merged_row *row)
{
    for (size_t i = 0; i < MOST_COLUMNS; i++)
        free(row->cells[i]);
    free(row->open_peer);
    free(row->ranks);
}

static void append(struct merged_rows *rows, const struct merged_row *row)
{
    rows->items = array_append(rows->items, &rows->count, sizeof *rows->items);
    struct merged_row *added = &rows->items[rows->count - 1];
    *added = *row;
    added->repeats = 1;
    added->ranks = NULL;
    added->rank_count = 0;
    added->ranks = array_append(added->ranks, &added->rank_count, sizeof *added->ranks);
    added->ranks[0] = rows->rank;
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
    struct merged_row copy = *row;
    struct merged_row *same = rows->cut == 0 && !rows->layout.all ? find_same(rows, row) : NULL;
    if (same != NULL) {
        same->repeats++;
        same->age_s = row->age_s > same->age_s ? row->age_s : same->age_s;
        row_clear(&copy);
    } else if (rows->cut > 0 || (rows->count - rows->list == MOST_ROWS && !rows->layout.all)) {
        rows->cut++;
        row_clear(&copy);
    } else {
        append(rows, row);
    }
}

void merged_rows_add_remark(struct merged_rows *rows, const struct merged_row *row, char *text)
{
    struct merged_row remark = *row;
    remark.is_remainder = true;
    remark.age_s = -1;
    for (size_t i = 0; i < rows->layout.column_count; i++)
        if (!is_made_last(&rows->layout, i) && remark.cells[i] == NULL)
            remark.cells[i] = copy_text("");
    remark.cells[rows->layout.what] = text;
    append(rows, &remark);
}

void merged_rows_end(struct merged_rows *rows)
{
    if (rows->cut == 0)
        return;
    const struct merged_row last = {.what = rows->items[rows->count - 1].what,
                                    .color = rows->items[rows->count - 1].color};
    merged_rows_add_remark(rows, &last, format_text("+ %llu more", (unsigned long long)rows->cut));
    rows->cut = 0;
}

static int compare_contents(const struct merged_layout *layout, const struct merged_row *left,
                            const struct merged_row *right)
{
    int order = left->is_remainder - right->is_remainder;
    if (order == 0 && left->repeats != right->repeats)
        order = left->repeats < right->repeats ? -1 : 1;
    return order != 0 ? order : compare_cells(layout, left, right);
}

/* Rows that say the same follow each other, as they were added; remainders come last. */
static int compare_rows(const void *left_row, const void *right_row, void *context)
{
    const struct merged_row *left = *(struct merged_row *const *)left_row;
    const struct merged_row *right = *(struct merged_row *const *)right_row;
    const int order = compare_contents(context, left, right);
    if (order == 0)
        return left < right ? -1 : left > right;
    return order;
}

/* Where the rows end that say the same as the first one, but for open peers. */
static size_t find_end(const struct merged_layout *layout, struct merged_row *const *rows, size_t first, size_t count)
{
    size_t end = first + 1;
    while (end < count && !rows[first]->is_remainder && compare_contents(layout, rows[first], rows[end]) == 0)
        end++;
    return end;
}

static void close_peers(const struct merged_layout *layout, struct merged_row **rows, size_t count)
{
    for (size_t first = 0, end; first < count; first = end) {
        end = find_end(layout, rows, first, count);
        if (rows[first]->open_peer != NULL)
            merged_peers_close(layout->peer, rows + first, end - first);
    }
}

/* Joins the rows, which all say the same, with the first one of an earlier rank. */
static void join(struct merged_row **rows, size_t count)
{
    size_t kept = 0; /* a rank has few that say the same, so there are few */
    for (size_t i = 0; i < count; i++) {
        struct merged_row *row = rows[i];
        struct merged_row *same = NULL;
        for (size_t j = 0; j < kept && same == NULL; j++)
            if (rows[j]->ranks[rows[j]->rank_count - 1] < row->ranks[0])
                same = rows[j];
        if (same == NULL) {
            rows[kept++] = row;
            continue;
        }
        same->ranks = array_append(same->ranks, &same->rank_count, sizeof *same->ranks);
        same->ranks[same->rank_count - 1] = row->ranks[0];
        same->age_s = row->age_s > same->age_s ? row->age_s : same->age_s;
        row_clear(row);
        row->rank_count = 0;
    }
}

/* Joins rows of later ranks that say the same as one of an earlier rank. */
static void merge_ranks(struct merged_rows *rows)
{
    struct merged_row **order = allocate(rows->count * sizeof *order);
    for (size_t i = 0; i < rows->count; i++)
        order[i] = &rows->items[i];
    qsort_r(order, rows->count, sizeof *order, compare_rows, &rows->layout);
    close_peers(&rows->layout, order, rows->count);
    qsort_r(order, rows->count, sizeof *order, compare_rows, &rows->layout);
    for (size_t first = 0, end; first < rows->count; first = end) {
        end = find_end(&rows->layout, order, first, rows->count);
        join(order + first, end - first);
    }
    free(order);
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].rank_count > 0)
            rows->items[kept++] = rows->items[i];
    rows->count = kept;
}

static void finish_row(const struct merged_layout *layout, struct merged_row *row)
{
    row->cells[layout->rank] = format_ranks(row->ranks, row->rank_count);
    row->cells[layout->age] = describe_age(row->age_s);
    merged_peer_close(layout->peer, row);
    if (row->cells[layout->what] == NULL)
        row->cells[layout->what] = row->repeats > 1
                                       ? format_text("%llu x %s", (unsigned long long)row->repeats, row->what)
                                       : copy_text(row->what);
    if (layout->single < layout->column_count && (row->repeats > 1 || row->rank_count > 1))
        row->cells[layout->single][0] = '\0';
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
    for (size_t i = 0; i < rows->count; i++)
        row_clear(&rows->items[i]);
    free(rows->items);
    rows->items = NULL;
    rows->count = 0;
    const int result = text_table_finish(table, stream);
    if (hidden > 0)
        print_line(stream, "+ %zu more rows: --rank shows those of the ranks that you name, --all all", hidden);
    return result;
}
