/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of a job, and what else a host has to say, as lines (part_line.h).
 */
#ifndef MPILENS_INSPECT_PART_PART_LINES_H
#define MPILENS_INSPECT_PART_PART_LINES_H

#include "part/part_line.h"

#include <stddef.h>
#include <stdio.h>

/* These write to `stream` and flush it, under the name of `host`. 0, or -1: that failed, as errno says. */

/* The bytes, packed. */
int part_write(FILE *stream, const char *host, int round, const void *bytes, size_t count);
/* That the next round may begin. */
int part_write_ready(FILE *stream, const char *host, int round);
/* That the part of `host` is in that of `gateway`. */
int part_write_merged(FILE *stream, const char *host, int round, const char *gateway);
/* Why there is no part. */
int part_write_error(FILE *stream, const char *host, const char *text);
/* That the ranks of the host have stood still for so long, of which so many could be read. */
int part_write_mark(FILE *stream, const char *host, double quiet_s, size_t ranks);
/* What such a line says. False: it says nothing of the kind. */
bool part_parse_mark(const struct part_line *line, double *ret_quiet_s, size_t *ret_ranks);
/* The last line. */
int part_write_status(FILE *stream, const char *host, int status);

#endif
