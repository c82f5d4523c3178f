/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments of verbs.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static command_line_reader reader_instead;

void command_line_read_by(command_line_reader reader)
{
    reader_instead = reader;
}

void command_line_visit(const struct argp *argp, void (*visit)(const struct argp_option *option, void *context),
                        void *context)
{
    for (const struct argp_option *option = argp->options; option != NULL && option->name != NULL; option++)
        visit(option, context);
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; child++)
        command_line_visit(child->argp, visit, context);
}

bool command_line_has_letter(const struct argp_option *option)
{
    return option->key > 0 && option->key <= UCHAR_MAX && isprint(option->key);
}

static const struct argp_option always[] = {{.name = "help"}, {.name = "usage"}, {.name = "version"}};
enum { ALWAYS_COUNT = sizeof always / sizeof *always };

struct search {
    const char *word;
    const struct argp_option *found;
};

static void compare_option(const struct argp_option *option, void *context)
{
    struct search *search = context;
    const char *word = search->word;
    const bool is_long = word[1] == '-';
    const char *name = word + 2;
    if (search->found == NULL && (is_long ? strncmp(option->name, name, strcspn(name, "=")) == 0
                                          : option->key == (unsigned char)word[strlen(word) - 1]))
        search->found = option;
}

const struct argp_option *command_line_find(const struct argp *argp, const char *word)
{
    struct search search = {.word = word};
    command_line_visit(argp, compare_option, &search);
    for (size_t i = 0; i < ALWAYS_COUNT; i++)
        compare_option(&always[i], &search);
    return search.found;
}

bool command_line_takes_next(const struct argp_option *option, const char *word)
{
    return option != NULL && option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0 &&
           strchr(word, '=') == NULL;
}

struct names {
    const char **items;
    size_t count;
};

static void add_name(const struct argp_option *option, void *context)
{
    struct names *names = context;
    names->items = array_append((void *)names->items, &names->count, sizeof *names->items);
    names->items[names->count - 1] = option->name;
}

/* argp says only that it does not know an option. */
static void refuse_unknown(const struct argp *argp, const char *verb, const char *argument)
{
    struct names names = {0};
    char *word = copy_text(argument + 2);
    word[strcspn(word, "=")] = '\0';
    command_line_visit(argp, add_name, &names);
    for (size_t i = 0; i < ALWAYS_COUNT; i++)
        add_name(&always[i], &names);
    const char *similar = similar_word(word, names.items, names.count);
    if (similar != NULL) {
        print_line(stderr, "%s: there is no option --%s; did you mean --%s?", verb, word, similar);
        exit(EXIT_USAGE);
    }
    free((void *)names.items);
    free(word);
}

static void check_options(const struct argp *argp, int argument_count, char **arguments, bool in_order)
{
    for (int i = 1; i < argument_count && strcmp(arguments[i], "--") != 0; i++) {
        const char *argument = arguments[i];
        if (in_order && argument[0] != '-')
            break; /* the rest is for a program */
        if (argument[0] != '-' || argument[1] == '\0')
            continue;
        const struct argp_option *option = command_line_find(argp, argument);
        if (option == NULL && argument[1] == '-')
            refuse_unknown(argp, arguments[0], argument);
        if (command_line_takes_next(option, argument))
            i++;
    }
}

void command_line_parse(const struct argp *argp, int argument_count, char **arguments, unsigned flags, void *input)
{
    const bool in_order = (flags & ARGP_IN_ORDER) != 0;
    if (reader_instead != NULL) {
        reader_instead(argp, argument_count, arguments, in_order);
        exit(fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNREADABLE);
    }
    check_options(argp, argument_count, arguments, in_order);
    argp_parse(argp, argument_count, arguments, flags, NULL, input);
}
