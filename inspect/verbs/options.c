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

enum {
    OPTION_COLOR = 256,
    OPTION_STOP,
    OPTION_OBJECTS,
    OPTION_STACK,
    OPTION_NO_STACK,
    OPTION_FORTRAN,
    OPTION_QUESTIONS,
    OPTION_SAMPLES,
    OPTION_INTERVAL,
    OPTION_PATIENCE,
    OPTION_QUEUES,
    OPTION_GROWTH,
    OPTION_LIMIT,
    OPTION_MODE,
    OPTION_COUNT,
    OPTION_DOT,
    OPTION_SVG,
    OPTION_HTML,
    OPTION_WATCH,
    OPTION_REDACT,
    OPTION_FULL,
    OPTION_ROUND,
    OPTION_ROUNDS,
    OPTION_AS,
    OPTION_MERGE,
    OPTION_MARKS,
    OPTION_END,
    OPTION_GUARD,
    OPTION_SLURM,
    OPTION_DLL,
    OPTION_PERFETTO,
    OPTION_ENDED,
    OPTION_PRINT,
    OPTION_FORMAT,
    OPTION_METRICS,
    OPTION_ON_FINDING,
    OPTION_NO_PAGER
};

/* Marks are sent at a low rate. */
static const double least_marks_s = 0.1;

/* A page is not written more often: reading stops each rank for a moment. */
static const double least_again_s = 1;

static const struct argp_option target_options[] = {
    {"rank", 'r', "RANKS", 0, "Show only these ranks, such as 0,4-7", 0},
    {"stop", OPTION_STOP, NULL, 0, "Freeze the ranks on this host while they are read (default: they keep running)", 0},
    {0},
};

static const struct argp_option list_options[] = {
    {"all", 'a', NULL, 0, "Do not merge equal ranks and entries, and do not shorten lists", 0},
    {0},
};

static const struct argp_option rank_options[] = {
    {"verbose", 'v', NULL, 0, "List the ranks of each job, with their states", 0},
    {"ended", OPTION_ENDED, NULL, 0, "List the last jobs that have ended, and not well, instead of those that run", 0},
    {0},
};

static const struct argp_option object_options[] = {
    {"objects", OPTION_OBJECTS, NULL, 0,
     "Show all objects that the application has made and not freed, and inactive persistent requests", 0},
    {0},
};

static const struct argp_option stack_tree_options[] = {
    {"stack", OPTION_STACK, NULL, 0,
     "Show the call stacks of all threads as one tree; reading them stops each rank for a moment", 0},
    {0},
};

static const struct argp_option dll_options[] = {
    {"dll", OPTION_DLL, "FILE", 0,
     "For ranks without the runtime on this host, show the message queues by this debugger library of their MPI's "
     "vendor, such as libompi_dbg_msgq.so",
     0},
    {0},
};

static const struct argp_option sample_options[] = {
    {"samples", OPTION_SAMPLES, "COUNT", 0, "Number of readings (default: 2; core files are read once)", 0},
    {"interval", OPTION_INTERVAL, "DURATION", 0,
     "Time between two readings, such as 2 or 500ms (default: 0.5 s, less where a verdict is certain earlier)", 0},
    {0},
};

static const struct argp_option stack_options[] = {
    {"no-stack", OPTION_NO_STACK, NULL, 0,
     "Do not read the call stacks of threads in MPI; reading them stops each rank for a moment", 0},
    {0},
};

static const struct argp_option verdict_options[] = {
    {"patience", OPTION_PATIENCE, "DURATION", 0,
     "Report a rank outside MPI once others have waited this long for it, such as 90s or 2h (default: 60 s)", 0},
    {"queues", OPTION_QUEUES, "WHOSE", 0,
     "With --json, whose calls, stacks and queues are written: concerned (default: of the ranks that findings name, of "
     "each the first 64 culprits and the first 64 others, and the first 1000 operations of each queue), all or none",
     0},
    {"growth", OPTION_GROWTH, "MESSAGES", 0,
     "Report a rank with more unreceived messages than this, if their number grows (default: 10000)", 0},
    {0},
};

static const struct argp_option form_options[] = {
    {"dot", OPTION_DOT, NULL, 0, "Write the wait-for graph as Graphviz source", 0},
    {"svg", OPTION_SVG, NULL, 0, "Write the wait-for graph as a picture (SVG), drawn by Graphviz", 0},
    {"html", OPTION_HTML, "FILE", 0,
     "Write an HTML page to FILE, replacing it: the verdict, the wait-for graph and all queues", 0},
    {"watch", OPTION_WATCH, "DURATION", 0,
     "With --html: read the job again at this interval, such as 10s, and write the page anew, until the job ends", 0},
    {0},
};

static const struct argp_option format_options[] = {
    {"format", OPTION_FORMAT, "FORMAT", 0, FORMAT_HELP, 0},
    {0},
};

static const struct argp_option metrics_options[] = {
    {"openmetrics", OPTION_METRICS, NULL, 0,
     "Write OpenMetrics, for the textfile collector of node_exporter: jobs, ranks, and how long all ranks have been in "
     "their calls",
     0},
    {0},
};

static const struct argp_option on_finding_options[] = {
    {"on-finding", OPTION_ON_FINDING, "COMMAND", 0, ON_FINDING_HELP, 0},
    {0},
};

static const struct argp_option trace_options[] = {
    {"perfetto", OPTION_PERFETTO, "FILE", 0,
     "Write a trace for Perfetto and chrome://tracing to FILE, replacing it, instead of text", 0},
    {0},
};

static const struct argp_option watch_options[] = {
    {"count", OPTION_COUNT, "COUNT", 0, "Number of lines to show (default: until the job ends)", 0},
    {0},
};

static const struct argp_option pace_options[] = {
    {"interval", OPTION_INTERVAL, "DURATION", 0, "Time between two readings, such as 2 or 500ms (default: 1 s)", 0},
    {0},
};

static const struct argp_option limit_options[] = {
    {"limit", OPTION_LIMIT, "COUNT", 0,
     "Before MPI_Finalize, report a rank with more live objects made at one place than this (default: 1000)", 0},
    {0},
};

static const struct argp_option output_options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE, replacing it", 0},
    {"mode", OPTION_MODE, "MODE", 0, FILE_MODE_HELP, 0},
    {0},
};

static const struct argp_option report_options[] = {
    {"redact", OPTION_REDACT, NULL, 0,
     "Replace the names of hosts and users, paths, arguments and addresses by host-1, user-1, path-1/solve.c, ...; "
     "without source lines and snapshot",
     0},
    {0},
};

static const struct argp_option handle_options[] = {
    {"fortran", OPTION_FORTRAN, NULL, 0, "VALUE is a Fortran integer, not a C handle", 0},
    {"questions", OPTION_QUESTIONS, "FILE", 0,
     "Answer all questions of FILE (-: standard input), one per line, such as 'comm 0x84000002' or 'row --rank 1'", 0},
    {0},
};

static const struct argp_option part_options[] = {
    {"full", OPTION_FULL, NULL, 0, "Send what a snapshot has, memory included (default: what why, show and watch need)",
     0},
    {"round", OPTION_ROUND, "NUMBER", 0, "Send one of two rounds: 1, what is compared later, or 2, the part (default)",
     0},
    {"rounds", OPTION_ROUNDS, "stdin", 0, "Send both rounds, the second one when standard input says 'go'", 0},
    {"as", OPTION_AS, "NAME", 0, "Send under this name (default: that of the host)", 0},
    {"slurm", OPTION_SLURM, "JOBID", 0, "Without JOB: the only job on this host that Slurm runs as JOBID", 0},
    {"marks", OPTION_MARKS, "DURATION", 0,
     "Stay, and say at this interval how long the ranks of this host have made no progress", 0},
    {"end", OPTION_END, "DURATION", 0,
     "End the processes of JOB on this host, and send a part without ranks: SIGTERM, and after this time SIGKILL", 0},
    {"guard", OPTION_GUARD, "MARK", 0, "With --end: also processes that have MPILENS_GUARD=MARK in their environment",
     0},
    {"merge", OPTION_MERGE, NULL, 0, "Read the lines of several hosts from standard input and send one part", 0},
    {0},
};

static const struct argp_option gdb_options[] = {
    {"print", OPTION_PRINT, NULL, 0, "Print the command, for a shell, instead of executing it", 0},
    {0},
};

static const struct argp_option slurm_options[] = {
    {"slurm", OPTION_SLURM, "JOBID", 0, "Read this job of Slurm, also from a host that it does not run on", 0},
    {0},
};

static const struct argp_option common_options[] = {
    {"json", 'j', NULL, 0, "Write one JSON document (schema mpilens/1)", 0},
    {"color", OPTION_COLOR, "WHEN", OPTION_ARG_OPTIONAL,
     "Use color: auto (default: on a terminal, unless NO_COLOR is set or TERM is dumb), always (the same as no WHEN), "
     "never",
     0},
    {"no-pager", OPTION_NO_PAGER, NULL, 0,
     "Write long output to the terminal as it is (default: through MPILENS_PAGER or PAGER, or less)", 0},
    {0},
};

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

static void choose_format(struct argp_state *state, struct options *options, const char *word)
{
    options->format = format_option(state, word);
    choose_form(state, options,
                options->format == machine_format_find("text")   ? FORM_TEXT
                : options->format == machine_format_find("json") ? FORM_JSON
                                                                 : FORM_MACHINE);
}

static bool is_when(const char *word)
{
    return word != NULL && (strcmp(word, "auto") == 0 || strcmp(word, "always") == 0 || strcmp(word, "never") == 0);
}

/* `when` is what stands behind "=", NULL: nothing. */
static enum shown_queues parse_queues(struct argp_state *state, const char *argument)
{
    static const char *const words[] = {[QUEUES_CONCERNED] = "concerned", [QUEUES_NONE] = "none", [QUEUES_ALL] = "all"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(argument, words[i]) == 0)
            return (enum shown_queues)i;
    argp_error(state, "--queues takes concerned, all or none, not '%s'", argument);
    return QUEUES_CONCERNED;
}

static void parse_color(struct argp_state *state, const char *when, bool *ret_color)
{
    if (when == NULL && state->next < state->argc && is_when(state->argv[state->next]))
        when = state->argv[state->next++];
    if (when == NULL || strcmp(when, "always") == 0)
        *ret_color = true;
    else if (strcmp(when, "never") == 0)
        *ret_color = false;
    else if (strcmp(when, "auto") != 0)
        argp_error(state, "--color takes auto, always or never, not '%s'", when);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'j':
        choose_form(state, options, FORM_JSON);
        return 0;
    case OPTION_FORMAT:
        choose_format(state, options, argument);
        return 0;
    case OPTION_METRICS:
        choose_form(state, options, FORM_METRICS);
        return 0;
    case OPTION_ON_FINDING:
        options->on_finding = argument;
        return 0;
    case OPTION_DOT:
        choose_form(state, options, FORM_DOT);
        return 0;
    case OPTION_SVG:
        choose_form(state, options, FORM_SVG);
        return 0;
    case OPTION_HTML:
        choose_form(state, options, FORM_HTML);
        options->html = argument;
        return 0;
    case OPTION_WATCH:
        options->render.again_s = duration_option(state, "watch", argument, least_again_s, 86400);
        return 0;
    case OPTION_REDACT:
        options->redacts = true;
        return 0;
    case 'a':
        options->render.all = true;
        return 0;
    case 'v':
        options->render.verbose = true;
        return 0;
    case OPTION_OBJECTS:
        options->render.objects = true;
        return 0;
    case OPTION_STACK:
        options->render.stack = true;
        options->stacks = true;
        return 0;
    case OPTION_NO_STACK:
        options->stacks = false;
        return 0;
    case OPTION_FORTRAN:
        options->fortran = true;
        return 0;
    case OPTION_QUESTIONS:
        options->questions = argument;
        return 0;
    case OPTION_SAMPLES:
        options->samples = (int)parse_number(state, "samples", argument, 1, 1000);
        return 0;
    case OPTION_INTERVAL:
        options->interval_s = duration_option(state, "interval", argument, 0, 86400);
        options->has_interval = true;
        return 0;
    case OPTION_PATIENCE:
        options->verdict.patience_s = duration_option(state, "patience", argument, 0, 1e9);
        return 0;
    case OPTION_QUEUES:
        options->render.queues = parse_queues(state, argument);
        return 0;
    case OPTION_GROWTH:
        options->verdict.growth = (uint64_t)parse_number(state, "growth", argument, 0, 1e15);
        return 0;
    case OPTION_COUNT:
        options->count = (uint64_t)parse_number(state, "count", argument, 1, 1e15);
        return 0;
    case OPTION_LIMIT:
        options->limit = (uint64_t)parse_number(state, "limit", argument, 0, 1e15);
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    case OPTION_MODE:
        options->mode = file_mode_option(state, argument);
        return 0;
    case OPTION_FULL:
        options->part.full = true;
        return 0;
    case OPTION_ROUND:
        options->part.round = (int)parse_number(state, "round", argument, 1, 2);
        return 0;
    case OPTION_ROUNDS:
        if (strcmp(argument, "stdin") != 0)
            argp_error(state, "--rounds takes stdin, not '%s'", argument);
        options->part.rounds = true;
        return 0;
    case OPTION_AS:
        options->part.host = argument;
        return 0;
    case OPTION_MERGE:
        options->part.merge = true;
        return 0;
    case OPTION_MARKS:
        options->part.marks_s = duration_option(state, "marks", argument, 0, 86400);
        if (options->part.marks_s < least_marks_s)
            argp_error(state, "--marks takes a duration from %g s on, not '%s'", least_marks_s, argument);
        return 0;
    case OPTION_END:
        options->part.ends = true;
        options->part.end_s = duration_option(state, "end", argument, 0, 1e9);
        return 0;
    case OPTION_GUARD:
        options->part.guard = argument;
        return 0;
    case OPTION_SLURM:
        options->slurm_job = argument;
        return 0;
    case OPTION_DLL:
        options->dll = argument;
        return 0;
    case OPTION_PERFETTO:
        options->perfetto = argument;
        return 0;
    case OPTION_ENDED:
        options->ended = true;
        return 0;
    case OPTION_PRINT:
        options->prints = true;
        return 0;
    case OPTION_NO_PAGER:
        options->no_pager = true;
        return 0;
    case OPTION_STOP:
        options->stop = true;
        return 0;
    case OPTION_COLOR:
        parse_color(state, argument, &options->render.color);
        return 0;
    case 'r':
        options->rank_text = argument;
        if (rank_set_parse(&options->render.ranks, argument) != 0)
            argp_error(state, "--rank takes ranks such as 0,4-7, not '%s'", argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Kinds of options, each with a heading in the help. */
enum help_kind { HELP_TARGET, HELP_OUTPUT, HELP_HOSTS, HELP_ADVANCED, HELP_KINDS };
enum { MOST_GROUPS = 24 }; /* of one kind */

static const char *const help_headings[HELP_KINDS] = {
    [HELP_TARGET] = "Target:", [HELP_OUTPUT] = "Output:", [HELP_HOSTS] = "Other hosts:", [HELP_ADVANCED] = "Advanced:"};

/* The options of a verb below one heading. Their number does not come from root_argp, which argp makes of its own
 * groups and this one. */
struct option_kind {
    struct options *options;
    size_t count;
    size_t host_group, source_group; /* of its children */
    struct argp argp;
    struct argp_child children[MOST_GROUPS + 1]; /* and the end */
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp gives the type */
static error_t parse_kind(int key, char *argument, struct argp_state *state)
{
    struct option_kind *kind = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    for (size_t i = 0; i < kind->count; i++)
        state->child_inputs[i] = i == kind->host_group     ? (void *)&kind->options->hosts
                                 : i == kind->source_group ? (void *)&kind->options->render.source
                                                           : (void *)kind->options;
    return 0;
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
    options->targets = array_append(options->targets, &options->target_count, sizeof *options->targets);
    options->targets[options->target_count - 1] = argument;
    return 0;
}

struct option_group {
    enum help_kind kind;
    unsigned group; /* of enum option_groups; 0: of all verbs but OPTIONS_GDB */
    struct argp argp;
    const struct argp *other; /* instead: the parser of host_options.c or source_options.c; NULL: none */
};

/* In the order of the help. */
static const struct option_group option_groups[] = {
#define OPTION_GROUP(kind, group, table)                                                                               \
    {                                                                                                                  \
        kind, group, {.options = (table), .parser = parse_option}, NULL                                                \
    }
    OPTION_GROUP(HELP_TARGET, OPTIONS_TARGETS, target_options),
    OPTION_GROUP(HELP_TARGET, OPTIONS_HANDLE, handle_options),
    OPTION_GROUP(HELP_TARGET, OPTIONS_PART, part_options),
    OPTION_GROUP(HELP_TARGET, OPTIONS_GDB, gdb_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_LISTS, list_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_RANKS, rank_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_OBJECTS, object_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_STACK_TREE, stack_tree_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_FORMAT, format_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_METRICS, metrics_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_FORMS, form_options),
    {HELP_OUTPUT, OPTIONS_SOURCE, {0}, &source_option_parser},
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_TRACE, trace_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_PACE, pace_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_WATCH, watch_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_ON_FINDING, on_finding_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_LIMIT, limit_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_OUTPUT, output_options),
    OPTION_GROUP(HELP_OUTPUT, OPTIONS_REPORT, report_options),
    OPTION_GROUP(HELP_OUTPUT, 0, common_options),
    {HELP_HOSTS, OPTIONS_HOSTS, {0}, &host_option_parser},
    OPTION_GROUP(HELP_HOSTS, OPTIONS_HOSTS, slurm_options),
    OPTION_GROUP(HELP_ADVANCED, OPTIONS_SAMPLES, sample_options),
    OPTION_GROUP(HELP_ADVANCED, OPTIONS_STACKS, stack_options),
    OPTION_GROUP(HELP_ADVANCED, OPTIONS_VERDICT, verdict_options),
    OPTION_GROUP(HELP_ADVANCED, OPTIONS_DLL, dll_options),
#undef OPTION_GROUP
};
enum { OPTION_GROUP_COUNT = sizeof option_groups / sizeof option_groups[0] };

static void add_group(const struct option_group *group, struct option_kind *kind)
{
    if (group->other == &host_option_parser)
        kind->host_group = kind->count;
    if (group->other == &source_option_parser)
        kind->source_group = kind->count;
    kind->children[kind->count++].argp = group->other != NULL ? group->other : &group->argp;
}

/* The groups of a verb and those that all verbs have which write something. */
static void choose_groups(unsigned groups, struct option_kind *kinds)
{
    for (size_t i = 0; i < OPTION_GROUP_COUNT; i++) {
        const struct option_group *group = &option_groups[i];
        if (group->group != 0 ? (groups & group->group) != 0 : (groups & OPTIONS_GDB) == 0)
            add_group(group, &kinds[group->kind]);
    }
}

/* Fills the children of the verb's parser with the kinds that it has. */
static void choose_kinds(unsigned groups, struct option_kind *kinds, struct argp_child *ret_children,
                         struct options *options)
{
    for (size_t i = 0; i < HELP_KINDS; i++)
        kinds[i] = (struct option_kind){.options = options, .host_group = SIZE_MAX, .source_group = SIZE_MAX};
    choose_groups(groups, kinds);
    for (size_t i = 0; i < HELP_KINDS; i++) {
        if (kinds[i].count == 0)
            continue;
        kinds[i].argp = (struct argp){.parser = parse_kind, .children = kinds[i].children};
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
    char *document = format_text("%s\v%s", description, more);
    const struct argp argp = {
        .parser = (groups & (OPTIONS_TARGETS | OPTIONS_GDB)) != 0 ? parse_verb_of_targets : parse_verb,
        .args_doc = describe_arguments(groups),
        .doc = document,
        .children = children,
    };
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, 0, ret_options);
    free(document);
    free(name);
}

void options_clear(struct options *options)
{
    rank_set_clear(&options->render.ranks);
    free(options->targets);
    free(options->render.source.directories);
    *options = (struct options){0};
}
