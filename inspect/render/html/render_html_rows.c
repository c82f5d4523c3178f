/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Equal rows are made one here, so that the page is small and its script has little to do. A cell is the number of its
 * text.
 */
#include "render/html/render_html_rows.h"

#include "base/allocation.h"
#include "render/html/html_ranks.h"
#include "text/valid_text.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Ranks that have the same row the same number of times. */
struct row_group {
    const struct row_content *content;
    uint64_t repeats; /* at each of the ranks */
    int *ranks;
    size_t rank_count;
    double least_age_s, most_age_s;
    struct row_group *next; /* of the same content */
};

struct row_content {
    json_int_t cells[PAGE_CELLS];
    uint64_t repeats; /* at the current rank */
    double least_age_s, most_age_s;
    struct row_group *groups;
};

struct numbered_text {
    char *text;
    json_int_t number;
};

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const struct numbered_text *)left)->text, ((const struct numbered_text *)right)->text);
}

static int compare_contents(const void *left_content, const void *right_content)
{
    const struct row_content *left = left_content, *right = right_content;
    return memcmp(left->cells, right->cells, sizeof left->cells);
}

static void free_text(void *numbered)
{
    free(((struct numbered_text *)numbered)->text);
    free(numbered);
}

json_int_t page_text(struct page_rows *rows, const char *text)
{
    const struct numbered_text wanted = {.text = (char *)(uintptr_t)text};
    struct numbered_text *const *found = tfind(&wanted, &rows->text_tree, compare_texts);
    if (found != NULL)
        return (*found)->number;
    struct numbered_text *new = allocate(sizeof *new);
    *new = (struct numbered_text){.text = copy_text(text), .number = (json_int_t)json_array_size(rows->texts)};
    tsearch(new, &rows->text_tree, compare_texts);
    char *valid = valid_text(text);
    json_array_append_new(rows->texts, json_string(valid));
    free(valid);
    return new->number;
}

json_int_t page_take_text(struct page_rows *rows, char *text)
{
    const json_int_t number = page_text(rows, text);
    free(text);
    return number;
}

static struct row_content *find_content(struct page_rows *rows, const json_int_t *cells)
{
    struct row_content wanted;
    memcpy(wanted.cells, cells, sizeof wanted.cells);
    struct row_content *const *found = tfind(&wanted, &rows->content_tree, compare_contents);
    if (found != NULL)
        return *found;
    struct row_content *new = allocate(sizeof *new);
    memcpy(new->cells, cells, sizeof new->cells);
    tsearch(new, &rows->content_tree, compare_contents);
    return new;
}

void page_rows_add(struct page_rows *rows, const json_int_t *cells, double age_s)
{
    struct row_content *content = find_content(rows, cells);
    if (content->repeats++ == 0) {
        content->least_age_s = content->most_age_s = age_s;
        rows->touched = array_append(rows->touched, &rows->touched_count, sizeof(struct row_content *));
        rows->touched[rows->touched_count - 1] = content;
    }
    content->least_age_s = age_s < content->least_age_s ? age_s : content->least_age_s;
    content->most_age_s = age_s > content->most_age_s ? age_s : content->most_age_s;
}

/* The group that has the row as often as the current rank; NULL: there is no room for it. */
static struct row_group *find_group(struct page_rows *rows, struct row_content *content)
{
    for (struct row_group *group = content->groups; group != NULL; group = group->next)
        if (group->repeats == content->repeats)
            return group;
    if (rows->group_count == MOST_PAGE_ROWS)
        return NULL;
    struct row_group *group = allocate(sizeof *group);
    *group = (struct row_group){.content = content,
                                .repeats = content->repeats,
                                .least_age_s = content->least_age_s,
                                .most_age_s = content->most_age_s,
                                .next = content->groups};
    content->groups = group;
    rows->groups = array_append(rows->groups, &rows->group_count, sizeof(struct row_group *));
    rows->groups[rows->group_count - 1] = group;
    return group;
}

void page_rows_end(struct page_rows *rows, int rank)
{
    for (size_t i = 0; i < rows->touched_count; i++) {
        struct row_content *content = rows->touched[i];
        struct row_group *group = find_group(rows, content);
        if (group != NULL) {
            group->ranks = array_append(group->ranks, &group->rank_count, sizeof *group->ranks);
            group->ranks[group->rank_count - 1] = rank;
            group->least_age_s = content->least_age_s < group->least_age_s ? content->least_age_s : group->least_age_s;
            group->most_age_s = content->most_age_s > group->most_age_s ? content->most_age_s : group->most_age_s;
        } else {
            rows->left_out++;
        }
        content->repeats = 0;
    }
    free(rows->touched);
    rows->touched = NULL;
    rows->touched_count = 0;
}

static char *describe_ages(const struct row_group *group)
{
    char *least = describe_age(group->least_age_s), *most = describe_age(group->most_age_s);
    char *text = least[0] == '\0' || strcmp(least, most) == 0 ? copy_text(most) : format_text("%s to %s", least, most);
    free(least);
    free(most);
    return text;
}

static json_t *make_row(struct page_rows *rows, const struct row_group *group)
{
    char *ranks = page_ranks(group->ranks, group->rank_count);
    json_t *row = json_array();
    json_array_append_new(row, json_string(ranks));
    json_array_append_new(row, json_integer((json_int_t)group->repeats));
    json_array_append_new(row, json_integer(page_take_text(rows, describe_ages(group))));
    for (size_t i = 0; i < PAGE_CELLS; i++)
        json_array_append_new(row, json_integer(group->content->cells[i]));
    free(ranks);
    return row;
}

json_t *page_rows_finish(struct page_rows *rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rows->group_count; i++) {
        json_array_append_new(list, make_row(rows, rows->groups[i]));
        free(rows->groups[i]->ranks);
        free(rows->groups[i]);
    }
    free(rows->groups);
    tdestroy(rows->content_tree, free);
    tdestroy(rows->text_tree, free_text);
    return json_pack("{s:o, s:o, s:I}", "texts", rows->texts, "rows", list, "left_out", (json_int_t)rows->left_out);
}
