/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of the full-screen view, and what they change.
 */
#include "top/top.h"

#include "monitor/monitor.h"

#include <stdlib.h>
#include <string.h>

static const char help[] = "  r  calls, queues and objects of one rank           (mpilens show --rank)\n"
                           "  s  call stacks of one rank, or of all: this stops\n"
                           "     each of these ranks for a moment                (mpilens show --stack)\n"
                           "  v  the whole verdict                               (mpilens why)\n"
                           "  w  write all to a file                             (mpilens snapshot)\n"
                           "  f  only ranks of hosts with this in their names\n"
                           "  o  order of the calls: by number of ranks, by age, by rank\n"
                           "  arrows, Page Up, Page Down, Home, End: scroll\n"
                           "  Esc  back        ^L  draw anew        q, ^C  quit\n"
                           "\n"
                           "Each letter of the strip is a rank, or several in a row. Ranks that a finding\n"
                           "blames are marked; underlined letters stand for ranks that do different things.\n"
                           "\n";

static void close_page(struct top_view *view)
{
    free(view->page_title);
    free(view->page);
    view->page_title = view->page = NULL;
    view->has_page = false;
    view->offset = 0;
}

void top_view_open_page(struct top_view *view, const char *title, char *lines)
{
    char *name = copy_text(title);
    close_page(view);
    view->has_page = true;
    view->page_title = name;
    view->page = lines;
}

void top_view_set_note(struct top_view *view, const char *note)
{
    char *text = note != NULL ? copy_text(note) : NULL;
    free(view->note);
    view->note = text;
}

void top_view_clear(struct top_view *view)
{
    close_page(view);
    top_view_set_note(view, NULL);
}

static void scroll(struct top_view *view, int key)
{
    enum { LINES_OF_PAGE = 10 };
    switch (key) {
    case TOP_KEY_UP:
        view->offset -= view->offset > 0;
        break;
    case TOP_KEY_DOWN:
        view->offset++;
        break;
    case TOP_KEY_PAGE_UP:
        view->offset -= view->offset < LINES_OF_PAGE ? view->offset : LINES_OF_PAGE;
        break;
    case TOP_KEY_PAGE_DOWN:
    case ' ':
        view->offset += LINES_OF_PAGE;
        break;
    case TOP_KEY_HOME:
        view->offset = 0;
        break;
    case TOP_KEY_END:
        view->offset = SIZE_MAX / 2; /* drawing knows where the end is */
        break;
    }
}

static bool is_wanted(enum top_prompt prompt, int key)
{
    return prompt == TOP_PROMPT_HOST ? key > ' ' && key < 127 : key >= '0' && key <= '9';
}

static enum top_action take_input(struct top_view *view, int key)
{
    static const enum top_action actions[] = {
        [TOP_PROMPT_RANK] = TOP_SHOW_RANK, [TOP_PROMPT_STACK] = TOP_SHOW_STACK, [TOP_PROMPT_HOST] = TOP_FILTER};
    const enum top_prompt prompt = view->prompt;
    const size_t length = strlen(view->input);
    if (key == TOP_ENTER) {
        view->prompt = TOP_NO_PROMPT;
        return prompt == TOP_PROMPT_RANK && length == 0 ? TOP_NOTHING : actions[prompt];
    }
    if (key == TOP_ESCAPE)
        view->prompt = TOP_NO_PROMPT;
    else if (key == TOP_KEY_DELETE && length > 0)
        view->input[length - 1] = '\0';
    else if (is_wanted(prompt, key) && length + 1 < sizeof view->input) {
        view->input[length] = (char)key;
        view->input[length + 1] = '\0';
    }
    return TOP_NOTHING;
}

static void ask(struct top_view *view, enum top_prompt prompt)
{
    view->prompt = prompt;
    view->input[0] = '\0';
}

enum top_action top_view_take(struct top_view *view, int key)
{
    top_view_set_note(view, NULL);
    if (view->prompt != TOP_NO_PROMPT)
        return take_input(view, key);
    switch (key) {
    case 'q':
        if (!view->has_page)
            return TOP_QUIT;
        close_page(view);
        return TOP_NOTHING;
    case TOP_ESCAPE:
        close_page(view);
        return TOP_NOTHING;
    case 'r':
        ask(view, TOP_PROMPT_RANK);
        return TOP_NOTHING;
    case 's':
        ask(view, TOP_PROMPT_STACK);
        return TOP_NOTHING;
    case 'f':
        ask(view, TOP_PROMPT_HOST);
        return TOP_NOTHING;
    case 'o':
        view->order = (view->order + 1) % TOP_ORDERS;
        return TOP_NOTHING;
    case 'v':
        return TOP_SHOW_VERDICT;
    case 'w':
        return TOP_SNAPSHOT;
    case 'h':
    case '?':
        top_view_open_page(view, "help", format_text("%s%s", help, watch_legend));
        return TOP_NOTHING;
    default:
        scroll(view, key);
        return TOP_NOTHING;
    }
}
