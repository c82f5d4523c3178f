/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of top/ only.
 */
#ifndef MPILENS_INSPECT_TOP_TOP_INTERNAL_H
#define MPILENS_INSPECT_TOP_TOP_INTERNAL_H

#include "base/base.h"
#include "top/top.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* -- top_command.c -- Another verb of this program on a small terminal of its own, so that its lines fit the screen.
 */

struct top_command {
    pid_t pid; /* 0: none runs */
    int output;
    char *text;
    size_t length;
};

/* Ends the one that runs. `words` end with NULL. 0, or -1: it cannot be started. */
int top_command_start(struct top_command *command, const char *const *words, size_t rows, size_t columns);
/* Takes what it has written. True: it has ended, and *ret_text is all of it, escaped, for the caller to free; "" where
 * it has said nothing. */
bool top_command_take(struct top_command *command, char **ret_text);
void top_command_end(struct top_command *command);

#endif
