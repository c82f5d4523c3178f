/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of `list`.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_LIST_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_LIST_H

#include "render/text/render_options.h"

/* 0, or -1 when writing failed. */
int render_list_text(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options);

#endif
