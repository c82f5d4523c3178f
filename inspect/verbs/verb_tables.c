/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens tables [VERB]: the verbs, or what a verb says of itself and its options, as JSON, from which the manual pages
 * are made.
 */
#include "base/base.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>
#include <string.h>

static void add_option(const struct argp_option *option, void *context)
{
    struct json_stream *stream = context;
    const char letter[] = {(char)(command_line_has_letter(option) ? option->key : '\0'), '\0'};
    json_stream_open_object(stream, NULL);
    json_stream_any_text(stream, "name", option->name);
    json_stream_any_text(stream, "letter", letter);
    json_stream_text(stream, "argument", option->arg);
    json_stream_boolean(stream, "optional", (option->flags & OPTION_ARG_OPTIONAL) != 0);
    json_stream_any_text(stream, "text", option->doc);
    json_stream_close(stream);
}

static void print_verb(const struct argp *argp, int argument_count, char **arguments, bool in_order)
{
    (void)argument_count;
    (void)arguments;
    (void)in_order;
    const size_t length = strcspn(argp->doc, "\v");
    struct json_stream stream = {.file = stdout};
    json_stream_open_object(&stream, NULL);
    json_stream_any_text(&stream, "arguments", argp->args_doc != NULL ? argp->args_doc : "");
    json_stream_any_text(&stream, "description", arena_text("%.*s", (int)length, argp->doc));
    json_stream_any_text(&stream, "more", argp->doc[length] != '\0' ? argp->doc + length + 1 : "");
    json_stream_open_array(&stream, "options");
    command_line_visit(argp, add_option, &stream);
    json_stream_close(&stream);
    json_stream_close(&stream);
    json_stream_finish(&stream);
}

static void print_verbs(void)
{
    struct json_stream stream = {.file = stdout};
    json_stream_open_array(&stream, NULL);
    for (size_t i = 0; i < verb_count; i++) {
        if (verbs[i].summary == NULL)
            continue;
        json_stream_open_object(&stream, NULL);
        json_stream_any_text(&stream, "name", verbs[i].name);
        json_stream_any_text(&stream, "summary", verbs[i].summary);
        json_stream_close(&stream);
    }
    json_stream_close(&stream);
    json_stream_finish(&stream);
}

enum exit_status verb_tables(int argument_count, char **arguments)
{
    if (argument_count < 2) {
        print_verbs();
        return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
    }
    const struct verb *verb = verb_find(arguments[1]);
    if (verb == NULL || verb->summary == NULL)
        return EXIT_USAGE;
    command_line_read_by(print_verb);
    return verb->function(1, arguments + 1);
}
