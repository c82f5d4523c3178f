/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of a handle, for people.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_H

#include "handle/handle_question.h"
#include "render/text/render_options.h"

/* One handle in one or several processes of the job; `count` is not 0. 0, or -1 when writing failed. */
int render_handles_text(FILE *stream, const struct handle *handles, size_t count, const struct render_options *options);
/* The answers to those questions of a file that were found, each below its question. Likewise. */
int render_answers_text(FILE *stream, const struct handle_questions *questions, const struct render_options *options);

#endif
