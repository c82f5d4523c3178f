/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of a handle for people: the sentence, then everything that is known; equal pages of several ranks together.
 */
#include "render/text/handle_page.h"

#include "base/allocation.h"
#include "base/rank_texts.h"
#include "handle/handle_describe.h"
#include "handle/handle_summary.h"
#include "mpilens/words.h"
#include "render/text/handle_page_communicator.h"
#include "render/text/handle_page_datatype.h"
#include "render/text/handle_page_lines.h"
#include "render/text/handle_page_memory.h"
#include "render/text/handle_page_request.h"
#include "text/printed_line.h"
#include "words/describe.h"

#include <inttypes.h>
#include <stdlib.h>

/* Users and texts that are listed unless all are asked for. */
enum { MOST_LISTED = 24 };

/* "MPI_Cart_create at app.c:40 main". */
static char *describe_call_at(const char *function, const struct site *site, uint64_t address)
{
    char *place = site != NULL ? describe_site(site) : handle_describe_place(NULL, address);
    char *text = format_text("%s%s%s", function, place[0] != '\0' ? " at " : "", place);
    free(place);
    return text;
}

static void write_identity(struct page *page, const struct handle *handle)
{
    const struct mpilens_object_information *object = &handle->object;
    const bool is_request = handle->kind == MPILENS_OBJECT_REQUEST;
    page_write(page, "handle", handle->value != 0 ? "0x%" PRIx64 : "not known", handle->value);
    if (handle->more.has_fortran_handle)
        page_write(page, "Fortran handle", "%" PRId64, handle->more.fortran_handle);
    if (handle->variable != NULL)
        page_write(page, "variable", "%s", handle->variable);
    if (object->name[0] != '\0')
        page_write(page, "name", "%s", object->name);
    if (object->predefined)
        page_write(page, "made by", "MPI (predefined)");
    else if (object->function[0] != '\0') {
        char *call =
            describe_call_at(object->function, is_request ? handle->request.site : handle->created_site, object->site);
        page_write(page, "made by", "%s%s", call, handle->more.from_fortran ? ", from Fortran" : "");
        free(call);
    } else if (object->origin_unseen)
        page_write(page, "made by", "a call that was not seen");
    if (object->freed) {
        char *call = handle->more.freed_function[0] != '\0'
                         ? describe_call_at(handle->more.freed_function, handle->freed_site, handle->more.freed_site)
                         : copy_text("the application");
        page_write(page, "freed by", "%s; MPI keeps it%s", call,
                   handle_is_gone(handle) ? " no longer" : " until nothing refers to it");
        free(call);
    } else if (object->references > 1)
        page_write(page, "references", "%u: to be freed as many times", object->references);
    if (handle->communicator != 0)
        page_take(page, "communicator", handle_describe_name(handle->communicator, handle->communicator_name));
    if (handle->errhandler != 0)
        page_take(page, "errhandler", handle_describe_name(handle->errhandler, handle->errhandler_name));
}

static void write_function(struct page *page, const char *label, const struct handle_function *function)
{
    if (function->address == 0)
        return;
    page_take(page, label, handle_describe_function(function));
}

static void write_session(struct page *page, const struct handle *handle)
{
    const char *level = mpilens_thread_level_phrase((uint32_t)handle->session.thread_level);
    if (level != NULL)
        page_write(page, "thread level", "%s", level);
    if (handle->session.buffer != 0)
        page_write(page, "buffer", "%" PRIu64 " bytes at 0x%" PRIx64, handle->session.buffer_bytes,
                   handle->session.buffer);
}

static void write_kind(struct page *page, const struct handle *handle)
{
    switch (handle->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        page_communicator(page, handle);
        break;
    case MPILENS_OBJECT_GROUP:
        page_group(page, handle);
        break;
    case MPILENS_OBJECT_WINDOW:
        page_window(page, handle);
        break;
    case MPILENS_OBJECT_FILE:
        page_file(page, handle);
        break;
    case MPILENS_OBJECT_REQUEST:
        page_request(page, handle);
        break;
    case MPILENS_OBJECT_STATUS:
        page_status(page, handle);
        break;
    case MPILENS_OBJECT_MESSAGE:
        page_message(page, handle);
        break;
    case MPILENS_OBJECT_SESSION:
        write_session(page, handle);
        break;
    case MPILENS_OBJECT_OP:
        page_write(page, "commutative", handle->op.commutative ? "yes" : "no");
        write_function(page, "function", &handle->function);
        break;
    case MPILENS_OBJECT_ERRHANDLER:
        page_write(page, "for", "%s", handle_describe_attachable(handle->handler.attachable));
        write_function(page, "function", &handle->function);
        break;
    case MPILENS_OBJECT_KEYVAL:
        page_write(page, "for", "attributes of %s", handle_describe_attachable(handle->keyval.attachable));
        write_function(page, "copy function", &handle->copy_function);
        write_function(page, "delete function", &handle->delete_function);
        if (handle->keyval.extra_state != 0)
            page_write(page, "extra state", "0x%" PRIx64, handle->keyval.extra_state);
        break;
    }
}

static void write_texts(struct page *page, const struct handle *handle, bool all)
{
    const char *label = handle->kind == MPILENS_OBJECT_INFO      ? "entries"
                        : handle->kind == MPILENS_OBJECT_SESSION ? "process sets"
                                                                 : "hints";
    if (handle->text_count == 0)
        return;
    char *count = format_text("%zu", handle->text_count);
    page_begin(page, label, count);
    for (size_t i = 0; i < handle->text_count && (all || i < MOST_LISTED); i++)
        page_add(page, handle->texts[i].key, handle->texts[i].value);
    if (!all && handle->text_count > MOST_LISTED)
        page_write(page, "...", "%zu more (--all shows them)", handle->text_count - MOST_LISTED);
    page_end(page);
    free(count);
}

static void write_users(struct page *page, const struct handle *handle, bool all)
{
    if (handle->user_count == 0)
        return;
    char *count = format_text("%zu", handle->user_count);
    page_begin(page, "used by", count);
    for (size_t i = 0; i < handle->user_count && (all || i < MOST_LISTED); i++) {
        const struct mpilens_user_information *user = &handle->users[i];
        char *name = user->handle == 0 && user->name[0] == '\0' ? format_text("#%u", user->serial)
                     : user->handle == 0                        ? copy_text(user->name)
                                                                : handle_describe_name(user->handle, user->name);
        page_take(page, mpilens_object_kind_name((int)user->kind), name);
    }
    if (!all && handle->user_count > MOST_LISTED)
        page_write(page, "...", "%zu more (--all shows them)", handle->user_count - MOST_LISTED);
    page_end(page);
    free(count);
}

/* `has_users`: the predefined have others in every rank, so that no two pages would be equal. */
static int write_page(FILE *stream, const struct handle *handle, bool has_users, const struct render_options *options)
{
    static const struct text_column columns[] = {{"WHAT", false, false}, {"IS", false, false}};
    struct page page = {.table = text_table_create_tree(columns, 2, false, options->color)};
    if (handle->kind != MPILENS_OBJECT_STATUS && !handle->is_null)
        write_identity(&page, handle);
    if (!handle->is_null) {
        write_kind(&page, handle);
        write_texts(&page, handle, options->all);
        if (has_users)
            write_users(&page, handle, options->all);
    }
    int result = text_table_finish(page.table, stream);
    if (result == 0 && handle->kind == MPILENS_OBJECT_DATATYPE && !handle->is_null)
        result = page_datatype(stream, handle, options->color);
    return result;
}

/* What is written for one handle, or for equal ones. */
struct finished_page {
    char *sentence;
    char *text;
};

struct finished_pages {
    struct finished_page *items;
    struct rank_texts texts; /* of the pages, by number */
    size_t count;
};

static char *page_text(const struct handle *handle, bool has_users, const struct render_options *options)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("");
    write_page(stream, handle, has_users, options);
    fclose(stream);
    return text;
}

static void add_page(struct finished_pages *pages, const struct handle *handle, bool has_users,
                     const struct render_options *options)
{
    const struct finished_page page = {.sentence = handle_summary(handle),
                                       .text = page_text(handle, has_users, options)};
    char *text = rank_texts_join((const char *const[]){page.sentence, page.text}, 2);
    const size_t number = rank_texts_add_rank(&pages->texts, text, handle->rank);
    if (number == pages->count) {
        pages->items = array_append(pages->items, &pages->count, sizeof *pages->items);
        pages->items[number] = page;
    } else {
        free(page.sentence);
        free(page.text);
    }
    free(text);
}

static void write_finished(FILE *stream, const struct finished_page *page, const struct rank_text *ranks, bool color)
{
    print_colored_line(stream, color ? "\033[1m" : NULL, "%s", page->sentence);
    if (ranks->ranks[0] >= 0) {
        char *numbers = format_ranks(ranks->ranks, ranks->rank_count);
        print_line(stream, "in rank%s %s of MPI_COMM_WORLD", ranks->rank_count > 1 ? "s" : "", numbers);
        free(numbers);
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
        free(pages.items[i].sentence);
        free(pages.items[i].text);
    }
    free(pages.items);
    rank_texts_clear(&pages.texts);
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
