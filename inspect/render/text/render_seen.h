/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the text says of ranks without the runtime, beside what they do.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_SEEN_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_SEEN_H

#include "model/model.h"
#include "render/text/render_options.h"

#include <stdio.h>

/* Whether only stacks tell what some rank does. */
bool has_seen_ranks(const struct job *job);
/* Of which ranks that is so, and how to start the job next time; nothing where there are none. */
void render_seen_note(FILE *stream, const struct job *job, const struct rank_set *ranks);
/* The same below the stacks of all ranks as a tree. */
void render_seen(FILE *stream, const struct job *job, const struct render_options *options);

#endif
