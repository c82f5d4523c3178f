/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options about source files, through argp.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "source/source.h"

enum { OPTION_SOURCE = 1024, OPTION_NO_SOURCE };

static const struct argp_option argp_options[] = {
    {"source", OPTION_SOURCE, "DIR", 0,
     "Look for source files that are not where they were compiled in DIR, with as much of their path as is there; may "
     "be repeated",
     0},
    {"no-source", OPTION_NO_SOURCE, NULL, 0, "Do not show the source lines that a finding names", 0},
    {0},
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp gives the type */
static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct source_options *options = state->input;
    switch (key) {
    case OPTION_SOURCE:
        options->directories =
            arena_append(options->directories, &options->directory_count, sizeof *options->directories);
        options->directories[options->directory_count - 1] = argument;
        return 0;
    case OPTION_NO_SOURCE:
        options->is_off = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp source_option_parser = {.options = argp_options, .parser = parse_option};
