/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations as people write them: "90", "90s", "1m30s", "2h", "1.5h", "500ms", "1d".
 */
#ifndef MPILENS_INSPECT_VERBS_DURATION_H
#define MPILENS_INSPECT_VERBS_DURATION_H

#include <argp.h>

/* Seconds, 0 or more; a number without a unit is of seconds and stands alone. 0, or -1: it is no duration. */
int duration_parse(const char *text, double *ret_seconds);
/* The value of an option, in seconds; with one that is none, is below the least or above the most, the command ends as
 * argp_error() does. */
double duration_option(struct argp_state *state, const char *option, const char *text, double least_s, double most_s);

#endif
