/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What engines say on their standard error when a host cannot be reached, in the words that people need.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_REASON_H
#define MPILENS_INSPECT_ENGINE_ENGINE_REASON_H

#include "engine/host_index.h"

/* The host that the line is about, by its place in the list; the list's count: none of these. */
size_t engine_reason_host(const struct host_index *hosts, const char *line);

/* How much a line tells. */
enum engine_reason_worth {
    REASON_NONE,   /* nothing */
    REASON_STATUS, /* that something has failed: "exited with exit code 255" */
    REASON_WORDS,  /* why */
    REASON_MISSING /* the command is not there */
};

/* The reason in a line about `host` (NULL: not known), without what labels it: "ssh: No route to host". `command` is
 * the program that was to be run there. The caller frees *ret_reason, unless there is none. */
enum engine_reason_worth engine_reason_of(const char *line, const char *host, const char *command, char **ret_reason);

#endif
