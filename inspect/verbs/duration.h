/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations as people write them: "90", "90s", "1m30s", "2h", "1.5h", "500ms", "1d".
 */
#ifndef MPILENS_INSPECT_VERBS_DURATION_H
#define MPILENS_INSPECT_VERBS_DURATION_H

/* Seconds, 0 or more; a number without a unit is of seconds and stands alone. 0, or -1: it is no duration. */
int duration_parse(const char *text, double *ret_seconds);

#endif
