/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --mpi of the verbs that start programs.
 */
#include "verbs/verbs_internal.h"

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    const struct mpi_family **family = state->input;
    if (key != 'm')
        return ARGP_ERR_UNKNOWN;
    *family = mpi_family_by_name(argument);
    if (*family == NULL)
        argp_error(state, "--mpi takes mpich, openmpi or abi, not '%s'", argument);
    return 0;
}

static const struct argp_option argp_options[] = {
    {"mpi", 'm', "NAME", 0, "The MPI that the program will load: mpich, openmpi or abi (default: the one it needs)", 0},
    {0},
};

const struct argp mpi_option_parser = {.options = argp_options, .parser = parse_option};
