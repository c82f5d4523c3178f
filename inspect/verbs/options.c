/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options that the verbs about jobs share, through argp.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "file/file.h"
#include "render/machine/machine.h"
#include "text/text.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

/* Marks are sent at a low rate. */
static const double least_marks_s = 0.1;

static double parse_number(struct argp_state *state, const char *option, const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most))
        argp_error(state, "--%s takes a number from %.0f to %.0f, not '%s'", option, least, most, text);
    return value;
}

static void choose_form(struct argp_state *state, struct options *options, enum output_form form)
{
    if (options->form != FORM_TEXT && options->form != form)
        argp_error(state, "%s exclude each other",
                   form == FORM_METRICS || options->form == FORM_METRICS ? "--json and --openmetrics"
                                                                         : "--json, --format, --dot, --svg and --html");
    options->form = form;
}

static void take_format(struct argp_state *state, struct options *options, const char *argument)
{
    options->format = format_option(state, argument);
    choose_form(state, options,
                options->format == machine_format_find("text")   ? FORM_TEXT
                : options->format == machine_format_find("json") ? FORM_JSON
                                                                 : FORM_MACHINE);
}

static bool is_when(const char *word)
{
    return word != NULL && (strcmp(word, "auto") == 0 || strcmp(word, "always") == 0 || strcmp(word, "never") == 0);
}

static void take_queues(struct argp_state *state, struct options *options, const char *argument)
{
    static const char *const words[] = {[QUEUES_CONCERNED] = "concerned", [QUEUES_NONE] = "none", [QUEUES_ALL] = "all"};
    size_t i = 0;
    while (i < sizeof words / sizeof *words && strcmp(argument, words[i]) != 0)
        i++;
    if (i == sizeof words / sizeof *words)
        argp_error(state, "--queues takes concerned, all or none, not '%s'", argument);
    options->render.queues = (enum shown_queues)i;
}

/* `when` is what stands behind "=", NULL: nothing. */
static void take_color(struct argp_state *state, struct options *options, const char *when)
{
    if (when == NULL && state->next < state->argc && is_when(state->argv[state->next]))
        when = state->argv[state->next++];
    if (when == NULL || strcmp(when, "always") == 0)
        options->render.color = true;
    else if (strcmp(when, "never") == 0)
        options->render.color = false;
    else if (strcmp(when, "auto") != 0)
        argp_error(state, "--color takes auto, always or never, not '%s'", when);
}

static void take_html(struct argp_state *state, struct options *options, const char *argument)
{
    choose_form(state, options, FORM_HTML);
    options->html = argument;
}

static void take_stack(struct argp_state *state, struct options *options, const char *argument)
{
    (void)state, (void)argument;
    options->render.stack = true;
    options->stacks = true;
}

static void take_interval(struct argp_state *state, struct options *options, const char *argument)
{
    options->interval_s = duration_option(state, "interval", argument, 0, 86400);
    options->has_interval = true;
}

static void take_mode(struct argp_state *state, struct options *options, const char *argument)
{
    options->mode = file_mode_option(state, argument);
}

static void take_rounds(struct argp_state *state, struct options *options, const char *argument)
{
    if (strcmp(argument, "stdin") != 0)
        argp_error(state, "--rounds takes stdin, not '%s'", argument);
    options->part.rounds = true;
}

static void take_marks(struct argp_state *state, struct options *options, const char *argument)
{
    options->part.marks_s = duration_option(state, "marks", argument, 0, 86400);
    if (options->part.marks_s < least_marks_s)
        argp_error(state, "--marks takes a duration from %g s on, not '%s'", least_marks_s, argument);
}

static void take_end(struct argp_state *state, struct options *options, const char *argument)
{
    options->part.ends = true;
    options->part.end_s = duration_option(state, "end", argument, 0, 1e9);
}

static void take_ranks(struct argp_state *state, struct options *options, const char *argument)
{
    options->rank_text = argument;
    if (rank_set_parse(&options->render.ranks, argument) != 0)
        argp_error(state, "--rank takes ranks such as 0,4-7, not '%s'", argument);
}

/* Kinds of options, each with a heading in the help. */
enum help_kind { HELP_TARGET, HELP_OUTPUT, HELP_HOSTS, HELP_ADVANCED, HELP_KINDS };
enum { OPTIONS_COMMON = 0 }; /* of all verbs but OPTIONS_GDB */

static const char *const help_headings[HELP_KINDS] = {
    [HELP_TARGET] = "Target:", [HELP_OUTPUT] = "Output:", [HELP_HOSTS] = "Other hosts:", [HELP_ADVANCED] = "Advanced:"};

static const struct option_rule {
    enum help_kind kind;
    unsigned group; /* of enum option_groups, or OPTIONS_COMMON */
    const char *name, *argument, *help;
    enum { OPTION_SETS, OPTION_UNSETS, OPTION_KEEPS_WORD, OPTION_COUNTS, OPTION_LASTS, OPTION_FORMS, OPTION_CALLS } act;
    int letter;
    enum output_form form;
    size_t offset, bytes; /* of a member of struct options */
    double least, most;
    void (*take)(struct argp_state *state, struct options *options, const char *argument);
} all_options[] = {
#define MEMBER(member)             .offset = offsetof(struct options, member), .bytes = sizeof((struct options *)NULL)->member
#define SET(member)                .act = OPTION_SETS, MEMBER(member)
#define UNSET(member)              .act = OPTION_UNSETS, MEMBER(member)
#define WORD(member)               .act = OPTION_KEEPS_WORD, MEMBER(member)
#define NUMBER(member, from, to)   .act = OPTION_COUNTS, MEMBER(member), .least = (from), .most = (to)
#define DURATION(member, from, to) .act = OPTION_LASTS, MEMBER(member), .least = (from), .most = (to)
#define FORM(chosen)               .act = OPTION_FORMS, .form = (chosen)
#define CALL(function)             .act = OPTION_CALLS, .take = (function)
#define OPTION(heading, options, long_name, short_name, word, does, text)                                              \
    {.kind = HELP_##heading,                                                                                           \
     .group = OPTIONS_##options,                                                                                       \
     .name = (long_name),                                                                                              \
     .letter = (short_name),                                                                                           \
     .argument = (word),                                                                                               \
     .help = (text),                                                                                                   \
     does},
#include "verbs/options.def"
#undef OPTION
};
enum { OPTION_COUNT = sizeof all_options / sizeof *all_options, FIRST_KEY = 256 /* no letter */ };

static void take_option(struct argp_state *state, const struct option_rule *option, struct options *options,
                        const char *argument)
{
    void *member = (char *)options + option->offset;
    switch (option->act) {
    case OPTION_SETS:
    case OPTION_UNSETS:
        *(bool *)member = option->act == OPTION_SETS;
        break;
    case OPTION_KEEPS_WORD:
        *(const char **)member = argument;
        break;
    case OPTION_COUNTS: {
        const double number = parse_number(state, option->name, argument, option->least, option->most);
        if (option->bytes == sizeof(int))
            *(int *)member = (int)number;
        else
            *(uint64_t *)member = (uint64_t)number;
        break;
    }
    case OPTION_LASTS:
        *(double *)member = duration_option(state, option->name, argument, option->least, option->most);
        break;
    case OPTION_FORMS:
        choose_form(state, options, option->form);
        break;
    case OPTION_CALLS:
        option->take(state, options, argument);
        break;
    }
}

/* The options of a verb below one heading; `other` is the parser of host_options.c or source_options.c. */
struct option_kind {
    struct options *options;
    struct argp_option items[OPTION_COUNT + 1]; /* and the end */
    size_t numbers[OPTION_COUNT];               /* of them, in all_options */
    size_t count;
    struct argp argp;
    struct argp_child other[2]; /* and the end */
    void *other_input;
};

static error_t parse_kind(int key, char *argument, struct argp_state *state)
{
    struct option_kind *kind = state->input;
    if (key == ARGP_KEY_INIT && kind->other_input != NULL)
        state->child_inputs[0] = kind->other_input;
    for (size_t i = 0; i < kind->count; i++)
        if (kind->items[i].key == key) {
            take_option(state, &all_options[kind->numbers[i]], kind->options, argument);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

/* The parser of a verb. */
/* NOLINTNEXTLINE(readability-non-const-parameter): argp gives the type */
static error_t parse_verb(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    (void)argument;
    if (key == ARGP_KEY_END && options->render.again_s > 0 &&
        (options->html == NULL || strcmp(options->html, "-") == 0))
        argp_error(state, "--watch needs --html FILE, which it writes again and again");
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    for (size_t i = 0; i < options->kind_count; i++)
        state->child_inputs[i] = options->kinds[i];
    return 0;
}

static error_t parse_verb_of_targets(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key != ARGP_KEY_ARG)
        return parse_verb(key, argument, state);
    options->targets = arena_append(options->targets, &options->target_count, sizeof *options->targets);
    options->targets[options->target_count - 1] = argument;
    return 0;
}

static void add_option(struct option_kind *kind, size_t number)
{
    const struct option_rule *option = &all_options[number];
    const bool may_lack_argument = option->take == take_color;
    kind->numbers[kind->count] = number;
    kind->items[kind->count++] =
        (struct argp_option){.name = option->name,
                             .key = option->letter != 0 ? option->letter : FIRST_KEY + (int)number,
                             .arg = option->argument,
                             .flags = may_lack_argument ? OPTION_ARG_OPTIONAL : 0,
                             .doc = option->help};
}

static void add_other(struct option_kind *kind, const struct argp *parser, void *input)
{
    kind->other[0].argp = parser;
    kind->other_input = input;
}

/* The groups of a verb and those that all verbs have which write something. */
static void choose_groups(unsigned groups, struct option_kind *kinds, struct options *options)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const unsigned group = all_options[i].group;
        if (group != OPTIONS_COMMON ? (groups & group) != 0 : (groups & OPTIONS_GDB) == 0)
            add_option(&kinds[all_options[i].kind], i);
    }
    if ((groups & OPTIONS_HOSTS) != 0)
        add_other(&kinds[HELP_HOSTS], &host_option_parser, &options->hosts);
    if ((groups & OPTIONS_SOURCE) != 0)
        add_other(&kinds[HELP_OUTPUT], &source_option_parser, &options->render.source);
}

/* Fills the children of the verb's parser with the kinds that it has. */
static void choose_kinds(unsigned groups, struct option_kind *kinds, struct argp_child *ret_children,
                         struct options *options)
{
    for (size_t i = 0; i < HELP_KINDS; i++)
        kinds[i] = (struct option_kind){.options = options};
    choose_groups(groups, kinds, options);
    for (size_t i = 0; i < HELP_KINDS; i++) {
        if (kinds[i].count == 0)
            continue;
        kinds[i].argp = (struct argp){.options = kinds[i].items, .parser = parse_kind, .children = kinds[i].other};
        ret_children[options->kind_count] =
            (struct argp_child){.argp = &kinds[i].argp, .header = help_headings[i], .group = (int)i + 1};
        options->kinds[options->kind_count++] = &kinds[i];
    }
}

/* The arguments after the name of the verb, as in the help. */
static const char *describe_arguments(unsigned groups)
{
    if ((groups & OPTIONS_HANDLE) != 0)
        return "[TARGET...] KIND VALUE\n[TARGET...] [KIND] NAME\n[TARGET...] --questions FILE";
    if ((groups & OPTIONS_PART) != 0)
        return "JOB\n--merge";
    if ((groups & OPTIONS_GDB) != 0)
        return "RANK[,RANK...] [TARGET...]";
    return (groups & OPTIONS_TARGETS) != 0 ? "[TARGET...]" : NULL;
}

static struct options default_options(unsigned groups)
{
    return (struct options){.mode = OUTPUT_MODE_PRIVATE,
                            .samples = 2,
                            .stacks = (groups & OPTIONS_STACKS) != 0,
                            .interval_s = (groups & OPTIONS_PACE) != 0 ? 1 : 0.5,
                            .verdict = analysis_default_options(),
                            .has_hosts = (groups & OPTIONS_HOSTS) != 0,
                            .limit = 1000,
                            .hosts = default_host_options(),
                            .render.color = is_colored(stdout)};
}

void options_parse(int argument_count, char **arguments, unsigned groups, const char *description, const char *more,
                   struct options *ret_options)
{
    struct argp_child children[HELP_KINDS + 1] = {0}; /* and the end */
    struct option_kind kinds[HELP_KINDS];
    *ret_options = default_options(groups);
    choose_kinds(groups, kinds, children, ret_options);
    char *name = format_text("mpilens %s", arguments[0]);
    const char *document = arena_text("%s\v%s", description, more);
    const struct argp argp = {
        .parser = (groups & (OPTIONS_TARGETS | OPTIONS_GDB)) != 0 ? parse_verb_of_targets : parse_verb,
        .args_doc = describe_arguments(groups),
        .doc = document,
        .children = children,
    };
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, 0, ret_options);
    free(name);
}
