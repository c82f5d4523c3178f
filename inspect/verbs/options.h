/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options that the verbs about jobs share.
 */
#ifndef MPILENS_INSPECT_VERBS_OPTIONS_H
#define MPILENS_INSPECT_VERBS_OPTIONS_H

#include "analysis/analysis.h"
#include "render/text/render_options.h"
#include "verbs/host_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Groups of options, in the order of the help; --color, --json, --help and --version are always there. */
enum option_groups {
    OPTIONS_TARGETS = 1 << 0,    /* TARGET..., --rank, --stop */
    OPTIONS_LISTS = 1 << 1,      /* --all */
    OPTIONS_RANKS = 1 << 2,      /* --verbose */
    OPTIONS_OBJECTS = 1 << 3,    /* --objects */
    OPTIONS_STACK_TREE = 1 << 4, /* --stack */
    OPTIONS_SAMPLES = 1 << 5,    /* --samples, --interval */
    OPTIONS_STACKS = 1 << 6,     /* --no-stack */
    OPTIONS_VERDICT = 1 << 7,    /* --patience, --growth */
    OPTIONS_FORMS = 1 << 8,      /* --dot, --svg, --html */
    OPTIONS_WATCH = 1 << 9,      /* --interval, --count */
    OPTIONS_LIMIT = 1 << 10,     /* --limit */
    OPTIONS_OUTPUT = 1 << 11,    /* --output */
    OPTIONS_PART = 1 << 13,      /* JOB, --full, --round, ..., --marks, --end, --slurm; with OPTIONS_TARGETS */
    OPTIONS_HOSTS = 1 << 14,     /* --here, --hosts, --slurm, --engine, --engine-timeout */
    OPTIONS_DLL = 1 << 15,       /* --dll */
    OPTIONS_HANDLE = 1 << 12,    /* TARGET KIND VALUE, TARGET NAME, --fortran, --questions; with OPTIONS_TARGETS */
};

/* How the result is written; one at a time. */
enum output_form {
    FORM_TEXT,
    FORM_JSON,
    FORM_DOT,
    FORM_SVG,
    FORM_HTML,
};

/* What a host sends of its ranks. */
struct part_options {
    const char *host; /* of --as, into the arguments; NULL: none */
    int round;        /* of --round; 0: none was given */
    bool rounds;      /* both, the second one when standard input says so */
    bool full;
    bool merge;
    double marks_s;    /* between two marks; 0: none are asked for */
    bool ends;         /* the job, here */
    double end_s;      /* between SIGTERM and SIGKILL */
    const char *guard; /* of --guard, into the arguments; NULL: none */
};

struct options {
    struct render_options render;
    enum output_form form;
    bool stop;
    bool stacks; /* of all threads are read */
    bool fortran;
    int samples;
    double interval_s; /* between samples */
    bool has_interval; /* the user has said it */
    struct analysis_options verdict;
    uint64_t count;        /* how often the job is shown; 0: to its end */
    uint64_t limit;        /* live objects of one place that are too many at a rank */
    mode_t mode;           /* of --mode: what is written to that */
    const char *output;    /* of --output, into the arguments; NULL: none */
    const char *html;      /* of --html, likewise */
    const char *questions; /* of --questions, likewise */
    const char *dll;       /* of --dll, likewise */
    struct part_options part;
    struct host_options hosts;
    const char *slurm_job; /* of --slurm, into the arguments; NULL: none */
    const char *rank_text; /* of --rank, into the arguments */
    char **targets;        /* into the arguments */
    size_t target_count;
    size_t group_count; /* groups of options that the verb has */
    size_t host_group;  /* which of them is that of struct host_options */
};

/* Reads the arguments of a verb, arguments[0] being its name; help and errors end the process (status 0 and
 * EXIT_USAGE). `description` is the first line of the help, `more` what stands below the options. */
void options_parse(int argument_count, char **arguments, unsigned groups, const char *description, const char *more,
                   struct options *ret_options);
void options_clear(struct options *options);

#endif
