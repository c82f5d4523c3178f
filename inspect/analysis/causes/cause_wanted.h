/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes the message that a receive or probe of a cause waits for, and what was sent instead.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_WANTED_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_WANTED_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

/* What the node waits for: a receive, or a probe. False: it waits for no message. */
bool cause_find_wanted(const struct waits *waits, uint32_t node, struct wanted_message *ret_wanted);
/* Calls `look` with every node that waits for a message, until one is true: then the cause has what is wanted there. */
bool cause_look_at_wanted(const struct waits *waits, struct cause *cause,
                          bool (*look)(const struct waits *waits, struct cause *cause));
/* A message of another source that would fit, or else one that went to another rank, is no fault of its own, as it may
 * be meant so, but worth to be told; likewise what nearly fits, though such messages were received before. */
void cause_note_message(const struct waits *waits, struct cause *cause);
void cause_note_stray(const struct waits *waits, struct cause *cause);
void cause_note_unreceived(const struct waits *waits, struct cause *cause);
/* "MPI_Recv(... <- 0, tag 8, ...) at a.c:3", of what waits for a message. The caller frees it. */
char *cause_describe_wanting(const struct cause_text *text, const struct cause *cause);
/* "rank 2 is stuck in MPI_Recv(...) at a.c:7", "rank 3 is stuck in MPI_Waitall at a.c:9: nothing matches its
 * MPI_Irecv(...) at a.c:3". */
void cause_write_stuck(FILE *stream, const struct cause_text *text, const struct cause *cause);

#endif
