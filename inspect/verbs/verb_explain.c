/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens explain: says what a kind of finding means and what to do about it.
 */
#include "analysis/findings/findings.h"
#include "base/base.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer lines of prose are hard to read, and a pipe has no width. */
enum { MOST_COLUMNS = 80, INDENT = 2 };

static const char documentation[] =
    "Explain a kind of finding: what it means, an example, what to do, and what the MPI standard says. Without KIND, "
    "list all kinds.\v"
    "KIND is the word before the colon in what 'mpilens why' reports, such as deadlock or tag-mismatch.\n\n"
    "Exit status: 0, or 2 wrong usage.\n\n"
    "Examples:\n"
    "  mpilens explain\n"
    "  mpilens explain tag-mismatch\n"
    "  mpilens explain --json";

struct explain_options {
    char **kinds; /* into the arguments */
    size_t count;
    bool json;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct explain_options *options = state->input;
    switch (key) {
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        options->kinds = array_append((void *)options->kinds, &options->count, sizeof *options->kinds);
        options->kinds[options->count - 1] = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static int compare_facts(const void *left_item, const void *right_item)
{
    const struct finding_facts *left = *(const struct finding_facts *const *)left_item;
    const struct finding_facts *right = *(const struct finding_facts *const *)right_item;
    return left->importance != right->importance ? left->importance - right->importance
                                                 : strcmp(left->name, right->name);
}

/* All kinds, in the order in which they are reported. */
static void list_facts(const struct finding_facts *ret_facts[FINDING_KIND_COUNT])
{
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++)
        ret_facts[kind] = finding_kind_facts((enum finding_kind)kind);
    qsort((void *)ret_facts, FINDING_KIND_COUNT, sizeof *ret_facts, compare_facts);
}

/* NULL, with a message: there is no such kind. */
static const struct finding_facts *find_kind(const char *name)
{
    const char *names[FINDING_KIND_COUNT];
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        names[kind] = finding_kind_name((enum finding_kind)kind);
        if (strcmp(names[kind], name) == 0)
            return finding_kind_facts((enum finding_kind)kind);
    }
    const char *similar = similar_word(name, names, FINDING_KIND_COUNT);
    if (similar != NULL)
        print_line(stderr, "mpilens explain: there is no finding '%s'; did you mean '%s'?", name, similar);
    else
        print_line(stderr, "mpilens explain: there is no finding '%s'; 'mpilens explain' lists them", name);
    return NULL;
}

static void print_paragraph(const char *text, size_t width)
{
    char *lines = broken_text(text, width - INDENT, INDENT, false);
    printf("%*s%s\n", INDENT, "", lines);
    free(lines);
}

static void print_section(const char *heading, const char *text)
{
    const size_t terminal = terminal_width(stdout);
    const size_t width = terminal > 0 && terminal < MOST_COLUMNS ? terminal : MOST_COLUMNS;
    printf("\n%s:\n", heading);
    for (const char *end = strstr(text, "\n\n"); end != NULL; end = strstr(text, "\n\n")) {
        char *paragraph = format_text("%.*s", (int)(end - text), text);
        print_paragraph(paragraph, width);
        putchar('\n');
        free(paragraph);
        text = end + 2;
    }
    print_paragraph(text, width);
}

static void print_example(const char *text)
{
    printf("\nExample:\n");
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
        printf("%*s%.*s\n", INDENT, "", (int)strcspn(text, "\n"), text);
}

static void print_facts(const struct finding_facts *facts)
{
    print_line(stdout, "%s: %s", facts->name, facts->summary);
    print_section("What it means", facts->meaning);
    print_example(facts->example);
    print_section("What to do", facts->remedy);
    char *order = format_text("Reported %s.", facts->order);
    print_section("Among other findings", order);
    free(order);
    print_section("MPI standard (4.1)", facts->standard);
}

static int print_list(void)
{
    static const struct text_column columns[] = {{"FINDING", false, true}, {"MEANING", false, false}};
    const struct finding_facts *facts[FINDING_KIND_COUNT];
    list_facts(facts);
    struct text_table *table = text_table_create(columns, 2, true, false);
    for (size_t i = 0; i < FINDING_KIND_COUNT; i++)
        text_table_add(table, (const char *[]){facts[i]->name, facts[i]->summary}, NULL);
    if (text_table_finish(table, stdout) != 0)
        return -1;
    printf("\n'mpilens explain FINDING' says what it means and what to do.\n");
    return 0;
}

static void write_facts(struct json_stream *stream, const struct finding_facts *facts)
{
    json_stream_open_object(stream, NULL);
    json_stream_any_text(stream, "kind", facts->name);
    json_stream_integer(stream, "importance", facts->importance);
    json_stream_any_text(stream, "order", facts->order);
    json_stream_any_text(stream, "summary", facts->summary);
    json_stream_any_text(stream, "meaning", facts->meaning);
    json_stream_any_text(stream, "example", facts->example);
    json_stream_any_text(stream, "remedy", facts->remedy);
    json_stream_any_text(stream, "standard", facts->standard);
    json_stream_close(stream);
}

static int print_json(const struct finding_facts *const *facts, size_t count)
{
    struct json_stream stream = {.file = stdout};
    json_stream_open_document(&stream, "explain");
    json_stream_open_array(&stream, "kinds");
    for (size_t i = 0; i < count; i++)
        write_facts(&stream, facts[i]);
    json_stream_close(&stream);
    json_stream_close(&stream);
    return json_stream_finish(&stream);
}

static int print_chosen(const struct explain_options *options, const struct finding_facts *const *facts)
{
    if (options->json)
        return print_json(facts, options->count);
    for (size_t i = 0; i < options->count; i++) {
        if (i > 0)
            putchar('\n');
        print_facts(facts[i]);
    }
    return 0;
}

static enum exit_status explain(const struct explain_options *options)
{
    const struct finding_facts *all[FINDING_KIND_COUNT];
    int result;
    if (options->count == 0 && options->json) {
        list_facts(all);
        result = print_json(all, FINDING_KIND_COUNT);
    } else if (options->count == 0) {
        result = print_list();
    } else {
        const struct finding_facts **chosen = allocate(options->count * sizeof *chosen);
        bool all_known = true;
        for (size_t i = 0; i < options->count; i++) {
            chosen[i] = find_kind(options->kinds[i]);
            all_known = all_known && chosen[i] != NULL;
        }
        result = all_known ? print_chosen(options, chosen) : 0;
        free((void *)chosen);
        if (!all_known)
            return EXIT_USAGE;
    }
    if (result == 0 && finish_output(stdout) == 0)
        return EXIT_GOOD;
    perror("mpilens: standard output");
    return EXIT_UNREADABLE;
}

enum exit_status verb_explain(int argument_count, char **arguments)
{
    static const struct argp_option argp_options[] = {
        {"json", 'j', NULL, 0, "Write one JSON document", 0},
        {0},
    };
    static const struct argp argp = {
        .options = argp_options, .parser = parse_option, .args_doc = "[KIND...]", .doc = documentation};
    struct explain_options options = {0};
    char name[] = "mpilens explain";
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, 0, &options);
    const enum exit_status status = explain(&options);
    free((void *)options.kinds);
    return status;
}
