/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks as text.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_STACKS_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_STACKS_H

#include "render/text/render_options.h"

/* The call stacks of all threads as one tree. 0, or -1 when writing failed. */
int render_stacks(FILE *stream, const struct job *job, const struct render_options *options);

#endif
