/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What ranks do, a line per moment.
 */
#ifndef MPILENS_INSPECT_MONITOR_WATCH_RENDER_H
#define MPILENS_INSPECT_MONITOR_WATCH_RENDER_H

#include "monitor/watch.h"

/* Writes what the ranks do, the clock in front: a line, where the terminal is too narrow several, each with the number
 * of its first rank; the ruler first and now and then. 0, or -1 when writing failed. */
int watch_render(FILE *stream, struct watch_page *page, const struct job *job, const struct job *before,
                 const char *clock);
/* The same as one line of JSON; `at`: seconds since 1970. */
int watch_render_json(FILE *stream, const struct rank_set *ranks, const struct job *job, const struct job *before,
                      double at);

#endif
