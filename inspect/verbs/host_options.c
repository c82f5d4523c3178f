/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options about other hosts, through argp.
 */
#include "verbs/verbs_internal.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_HERE = 512, OPTION_HOSTS, OPTION_ENGINE, OPTION_ENGINE_TIMEOUT, OPTION_SHIP };

static const double most_timeout_s = 86400;

static const struct argp_option argp_options[] = {
    {"here", OPTION_HERE, NULL, 0, "Read the ranks of this host only (default: those of all hosts of the job)", 0},
    {"hosts", OPTION_HOSTS, "LIST", 0, "Read the ranks of these hosts, such as n1,n[3-8] (default: the job's)", 0},
    {"engine", OPTION_ENGINE, "ENGINE", 0,
     "How other hosts are reached: slurm, ssh, clush, pdsh, hydra, or a command with %h for the hosts, such as 'clush "
     "-w %h' "
     "(default: MPILENS_ENGINE, else the first of these that suits)",
     0},
    {"engine-timeout", OPTION_ENGINE_TIMEOUT, "DURATION", 0,
     "Hosts that have not answered by then are given up (default: 20 s)", 0},
    {"ship", OPTION_SHIP, NULL, 0,
     "Send mpilens to hosts that do not have it: it is run there from a temporary directory, which is removed at once",
     0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct host_options *options = state->input;
    switch (key) {
    case OPTION_HERE:
        options->here = true;
        return 0;
    case OPTION_HOSTS:
        options->list = argument;
        return 0;
    case OPTION_ENGINE:
        options->engine = argument;
        return 0;
    case OPTION_ENGINE_TIMEOUT:
        options->timeout_s = duration_option(state, "engine-timeout", argument, 0, most_timeout_s);
        return 0;
    case OPTION_SHIP:
        options->ship = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp host_option_parser = {.options = argp_options, .parser = parse_option};

struct host_options default_host_options(void)
{
    static const double timeout_s = 20;
    return (struct host_options){.engine = getenv("MPILENS_ENGINE"), .timeout_s = timeout_s};
}

/* A name in the table, or the words of an engine of the user. */
static int choose_engine(const char *text, struct host_reach *reach, struct reason *ret_reason)
{
    if (text == NULL || text[0] == '\0')
        return 0;
    reach->engine = engine_by_name(text);
    if (reach->engine != NULL)
        return 0;
    if (strpbrk(text, " %/") == NULL)
        return reason_set(ret_reason, "there is no engine '%s': name %s, or a command with %%h for the hosts", text,
                          engine_names());
    reach->engine = &engine_of_words;
    reach->engine_words = text;
    return 0;
}

int host_options_reach(const struct host_options *options, struct host_reach *ret_reach, struct reason *ret_reason)
{
    struct host_reach reach = {
        .here = options->here, .hosts = options->list, .timeout_s = options->timeout_s, .ship = options->ship};
    if (choose_engine(options->engine, &reach, ret_reason) != 0)
        return -1;
    *ret_reach = reach;
    return 0;
}
