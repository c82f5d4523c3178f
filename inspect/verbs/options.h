/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options that the verbs about jobs share.
 */
#ifndef MPILENS_INSPECT_VERBS_OPTIONS_H
#define MPILENS_INSPECT_VERBS_OPTIONS_H

#include "render/text/render.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Groups of options; --color, --json, --help and --version are always there. */
enum option_groups {
    OPTIONS_TARGETS = 1,       /* TARGET..., --rank, --stop */
    OPTIONS_LISTS = 2,         /* --all */
    OPTIONS_OBJECTS = 4,       /* --objects */
    OPTIONS_SAMPLES = 16,      /* --samples, --interval */
    OPTIONS_VERDICT = 32,      /* --patience, --growth */
    OPTIONS_HANDLE = 8,        /* TARGET KIND VALUE, TARGET NAME, --fortran, --questions; with OPTIONS_TARGETS */
    OPTIONS_OUTPUT = 64,       /* --output */
    OPTIONS_LIMIT = 256,       /* --limit */
    OPTIONS_FORMS = 128,       /* --dot, --svg, --html */
    OPTIONS_WATCH = 512,       /* --interval, --count */
    OPTIONS_STACKS = 1024,     /* --no-stack */
    OPTIONS_STACK_TREE = 2048, /* --stack */
    OPTIONS_RANKS = 4096,      /* --verbose */
};

/* How the result is written; one at a time. */
enum output_form {
    FORM_TEXT,
    FORM_JSON,
    FORM_DOT,
    FORM_SVG,
    FORM_HTML,
};

struct options {
    struct render_options render;
    enum output_form form;
    bool json; /* form is FORM_JSON */
    bool stop;
    bool stacks; /* of all threads are read */
    bool fortran;
    int samples;
    double interval_s;     /* between samples */
    double patience_s;     /* with a rank that is not in MPI */
    uint64_t growth;       /* unreceived messages that are too many where they grow */
    uint64_t count;        /* how often the job is shown; 0: to its end */
    uint64_t limit;        /* live objects of one place that are too many at a rank */
    const char *output;    /* of --output, into the arguments; NULL: none */
    const char *html;      /* of --html, likewise */
    const char *questions; /* of --questions, likewise */
    const char *rank_text; /* of --rank, into the arguments */
    char **targets;        /* into the arguments */
    size_t target_count;
    size_t group_count; /* groups of options that the verb has */
};

/* Reads the arguments of a verb, arguments[0] being its name; help and errors end the process (status 0 and
 * EXIT_USAGE). `description` is the first line of the help, `more` what stands below the options. */
void options_parse(int argument_count, char **arguments, unsigned groups, const char *description, const char *more,
                   struct options *ret_options);
void options_clear(struct options *options);

#endif
