/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of a handle for people: the sentence, then everything that is known; equal pages of several ranks together.
 */
#include "render/text/render_text.h"

#include "base/base.h"
#include "handle/handle.h"
#include "text/text.h"

#include <stdlib.h>

/* Lines below one at the margin, unless all are asked for; and how deep they are in each other. */
enum { MOST_LISTED = 24, MOST_DEPTH = 32 };

/* A page that is being written. */
struct page {
    struct text_table *table;
    struct text_line *lines[MOST_DEPTH]; /* the last one of each depth */
    size_t below;                        /* the last one at the margin: how many were seen */
    bool all;
};

static void add_line(struct page *page, uint32_t depth, const char *label, const char *text)
{
    const char *const cells[] = {label, text};
    const uint32_t place = depth < MOST_DEPTH ? depth : MOST_DEPTH - 1;
    page->lines[place] = text_table_add_below(page->table, place > 0 ? page->lines[place - 1] : NULL, cells);
}

static void end_list(struct page *page)
{
    if (!page->all && page->below > MOST_LISTED) {
        add_line(page, 1, "...", arena_text("%zu more (--all shows them)", page->below - MOST_LISTED));
    }
    page->below = 0;
}

static void write_line(struct page *page, const struct handle_line *line)
{
    if (line->depth == 0)
        end_list(page);
    else if (++page->below > MOST_LISTED && !page->all)
        return;
    add_line(page, line->depth, line->label, handle_line_text(line));
}

/* `has_users`: the predefined have others in every rank, so that no two pages would be equal. */
static int write_page(FILE *stream, const struct handle *handle, bool has_users, const struct render_options *options)
{
    static const struct text_column columns[] = {{"WHAT", false, false}, {"IS", false, false}};
    struct page page = {.table = text_table_create(columns, 2, false, options->color), .all = options->all};
    if (handle->variable != NULL && !handle->is_null)
        add_line(&page, 0, "variable", handle->variable);
    for (size_t i = 0; i < handle->line_count; i++)
        if (has_users || !handle->lines[i].is_of_users)
            write_line(&page, &handle->lines[i]);
    end_list(&page);
    return text_table_finish(page.table, stream);
}

/* The text for one handle, or for equal ones. */
struct finished_page {
    const char *sentence;
    const char *text;
};

struct finished_pages {
    struct finished_page *items;
    struct rank_texts texts; /* of the pages, by number */
    size_t count;
};

static const char *page_text(const struct handle *handle, bool has_users, const struct render_options *options)
{
    FILE *stream = arena_open();
    write_page(stream, handle, has_users, options);
    return arena_close(stream);
}

static void add_page(struct finished_pages *pages, const struct handle *handle, bool has_users,
                     const struct render_options *options)
{
    const struct finished_page page = {.sentence = handle_summary(handle),
                                       .text = page_text(handle, has_users, options)};
    const size_t number = rank_texts_add_parts(&pages->texts, (const char *const[]){page.sentence, page.text}, 2);
    ranks_add(&pages->texts.items[number]->ranks, handle->rank);
    if (number == pages->count) {
        pages->items = array_append(pages->items, &pages->count, sizeof *pages->items);
        pages->items[number] = page;
    }
}

static void write_finished(FILE *stream, const struct finished_page *page, const struct rank_text *ranks, bool color)
{
    print_colored_line(stream, color ? "\033[1m" : NULL, "%s", page->sentence);
    if (ranks->ranks.count > 0) {
        print_line(stream, "in %s of MPI_COMM_WORLD", ranks_name(&ranks->ranks));
    }
    if (page->text[0] != '\0')
        fprintf(stream, "\n%s", page->text);
}

int render_handles_text(FILE *stream, const struct handle *handles, size_t count, const struct render_options *options)
{
    struct finished_pages pages = {.texts = {.apart = options->all}};
    for (size_t i = 0; i < count; i++)
        add_page(&pages, &handles[i], options->all || count == 1 || !handles[i].object.predefined, options);
    for (size_t i = 0; i < pages.count; i++) {
        if (i > 0)
            fputc('\n', stream);
        write_finished(stream, &pages.items[i], pages.texts.items[i], options->color);
    }
    free(pages.items);
    return fflush(stream) == 0 && !ferror(stream) ? 0 : -1;
}

int render_answers_text(FILE *stream, const struct handle_questions *questions, const struct render_options *options)
{
    const char *before = "";
    for (size_t i = 0; i < questions->count; i++) {
        const struct handle_question *question = &questions->items[i];
        if (question->count == 0)
            continue;
        fputs(before, stream);
        print_line(stream, "==> %s <==", question->text);
        if (render_handles_text(stream, question->handles, question->count, options) != 0)
            return -1;
        before = "\n";
    }
    return 0;
}
