/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens tables [VERB]: the verbs, or what a verb says of itself and its options, as JSON, from which the manual pages
 * are made.
 */
#include "verbs/verbs_internal.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void print_json(json_t *document)
{
    json_dumpf(document, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(document);
}

static void add_option(const struct argp_option *option, void *context)
{
    const char letter[] = {(char)(command_line_has_letter(option) ? option->key : '\0'), '\0'};
    json_array_append_new(context, json_pack("{s:s, s:s, s:s?, s:b, s:s}", "name", option->name, "letter", letter,
                                             "argument", option->arg, "optional",
                                             (option->flags & OPTION_ARG_OPTIONAL) != 0, "text", option->doc));
}

static void print_verb(const struct argp *argp, int argument_count, char **arguments, bool in_order)
{
    (void)argument_count;
    (void)arguments;
    (void)in_order;
    const size_t length = strcspn(argp->doc, "\v");
    json_t *options = json_array();
    command_line_visit(argp, add_option, options);
    print_json(json_pack("{s:s, s:s%, s:s, s:o}", "arguments", argp->args_doc != NULL ? argp->args_doc : "",
                         "description", argp->doc, length, "more",
                         argp->doc[length] != '\0' ? argp->doc + length + 1 : "", "options", options));
}

static void print_verbs(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < verb_count; i++)
        if (verbs[i].summary != NULL)
            json_array_append_new(list, json_pack("{s:s, s:s}", "name", verbs[i].name, "summary", verbs[i].summary));
    print_json(list);
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
