/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --error-exitcode of the verbs that start programs.
 */
#include "verbs/verbs_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Beyond these a shell says what has become of a program. */
enum { MOST_STATUS = 125 };

static const char variable[] = "MPILENS_ERROR_EXITCODE";

/* 0: it is none. */
static int parse_status(const char *text)
{
    char *end;
    const long status = strtol(text, &end, 10);
    return end != text && *end == '\0' && status > 0 && status <= MOST_STATUS ? (int)status : 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    int *status = state->input;
    if (key != 'e')
        return ARGP_ERR_UNKNOWN;
    *status = parse_status(argument);
    if (*status == 0)
        argp_error(state, "--error-exitcode takes a number from 1 to %d, not '%s'", MOST_STATUS, argument);
    return 0;
}

static const struct argp_option argp_options[] = {
    {"error-exitcode", 'e', "STATUS", 0,
     "Look for leaks as 'mpilens run --leaks' does; if there are any and nothing else is wrong, exit with STATUS", 0},
    {0},
};

const struct argp error_exitcode_parser = {.options = argp_options, .parser = parse_option};

int error_exitcode_of_environment(void)
{
    const char *text = getenv(variable);
    return text != NULL ? parse_status(text) : 0;
}

void error_exitcode_export(int status)
{
    char text[16];
    snprintf(text, sizeof text, "%d", status);
    setenv(variable, text, 1);
    setenv("MPILENS_LEAKS", "1", 1);
}
