/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the rows of the page's table. Equal rows are merged here, so that the page is small and its script has
 * little to do. A cell is the number of its text.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

struct row_content {
    size_t cells[PAGE_CELLS];
    uint64_t repeats; /* at the current rank */
    double least_age_s, most_age_s;
};

/* Ranks that have the same row the same number of times. */
struct row_group {
    size_t content;
    uint64_t repeats; /* at each of the ranks */
    double least_age_s, most_age_s;
};

size_t page_text(struct page_rows *rows, const char *text)
{
    return rank_texts_add(&rows->texts, text);
}

/* Valid until the next is found. */
static struct row_content *find_content(struct page_rows *rows, const size_t *cells)
{
    enum { MOST_DIGITS = 21 };
    char text[PAGE_CELLS * MOST_DIGITS + 1] = "";
    for (size_t i = 0, end = 0; i < PAGE_CELLS; i++)
        end += (size_t)snprintf(text + end, sizeof text - end, "%zu ", cells[i]);
    const size_t number = rank_texts_add(&rows->content_numbers, text);
    if (number == rows->content_count) {
        rows->contents = array_append(rows->contents, &rows->content_count, sizeof *rows->contents);
        memcpy(rows->contents[number].cells, cells, sizeof rows->contents[number].cells);
    }
    return &rows->contents[number];
}

void page_rows_add(struct page_rows *rows, const size_t *cells, double age_s)
{
    struct row_content *content = find_content(rows, cells);
    if (content->repeats++ == 0) {
        content->least_age_s = content->most_age_s = age_s;
        rows->touched = array_append(rows->touched, &rows->touched_count, sizeof *rows->touched);
        rows->touched[rows->touched_count - 1] = (size_t)(content - rows->contents);
    }
    content->least_age_s = age_s < content->least_age_s ? age_s : content->least_age_s;
    content->most_age_s = age_s > content->most_age_s ? age_s : content->most_age_s;
}

/* Adds the current rank to those that have the row as often. */
static void add_to_group(struct page_rows *rows, size_t content_number, int rank)
{
    const struct row_content *content = &rows->contents[content_number];
    const char *text = arena_text("%zu %llu", content_number, (unsigned long long)content->repeats);
    size_t number = rank_texts_find(&rows->group_numbers, text);
    if (number == MOST_PAGE_ROWS) {
        rows->left_out++;
        return;
    }
    number = rank_texts_add_rank(&rows->group_numbers, text, rank);
    if (number == rows->group_count) {
        rows->groups = array_append(rows->groups, &rows->group_count, sizeof *rows->groups);
        rows->groups[number] = (struct row_group){.content = content_number,
                                                  .repeats = content->repeats,
                                                  .least_age_s = content->least_age_s,
                                                  .most_age_s = content->most_age_s};
    }
    struct row_group *group = &rows->groups[number];
    group->least_age_s = content->least_age_s < group->least_age_s ? content->least_age_s : group->least_age_s;
    group->most_age_s = content->most_age_s > group->most_age_s ? content->most_age_s : group->most_age_s;
}

void page_rows_end(struct page_rows *rows, int rank)
{
    for (size_t i = 0; i < rows->touched_count; i++) {
        add_to_group(rows, rows->touched[i], rank);
        rows->contents[rows->touched[i]].repeats = 0;
    }
    free(rows->touched);
    rows->touched = NULL;
    rows->touched_count = 0;
}

static const char *describe_ages(const struct row_group *group)
{
    const char *least = describe_age(group->least_age_s), *most = describe_age(group->most_age_s);
    return least[0] == '\0' || strcmp(least, most) == 0 ? arena_copy(most) : arena_text("%s to %s", least, most);
}

static void write_row(struct page_rows *rows, size_t number, struct json_stream *data)
{
    const struct row_group *group = &rows->groups[number];
    json_stream_open_array(data, NULL);
    json_stream_any_text(data, NULL, ranks_list(&rows->group_numbers.items[number]->ranks));
    json_stream_integer(data, NULL, (int64_t)group->repeats);
    json_stream_integer(data, NULL, (int64_t)page_text(rows, describe_ages(group)));
    for (size_t i = 0; i < PAGE_CELLS; i++)
        json_stream_integer(data, NULL, (int64_t)rows->contents[group->content].cells[i]);
    json_stream_close(data);
}

void page_rows_finish(struct page_rows *rows, struct json_stream *data)
{
    json_stream_open_array(data, "rows");
    for (size_t i = 0; i < rows->group_count; i++)
        write_row(rows, i, data);
    json_stream_close(data);
    json_stream_integer(data, "left_out", (int64_t)rows->left_out);
    json_stream_open_array(data, "texts");
    for (size_t i = 0; i < rows->texts.count; i++)
        json_stream_any_text(data, NULL, arena_take(valid_text(rows->texts.items[i]->text)));
    json_stream_close(data);
    free(rows->contents);
    free(rows->groups);
}
