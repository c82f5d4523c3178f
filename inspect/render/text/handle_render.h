/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of a handle, on standard output.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_RENDER_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_RENDER_H

#include "handle/handle_question.h"
#include "render/text/render.h"

/* One handle in one or several processes of the job; `count` is not 0. Both return 0, or -1 when writing failed.
 * The document has the first one as "handle" and all of them as "handles". */
int render_handles_text(FILE *stream, const struct handle *handles, size_t count, const struct render_options *options);
int render_handles_json(FILE *stream, const struct job *job, const struct handle *handles, size_t count,
                        const struct render_options *options);

/* The answers to all questions of a file. The text has those that were found, each below its question; the document has
 * all of them as "answers": what was asked, the exit status of that, and "handle" and "handles" as above or "failed",
 * the sentences why not. Likewise. */
int render_answers_text(FILE *stream, const struct handle_questions *questions, const struct render_options *options);
int render_answers_json(FILE *stream, const struct job *job, const struct handle_questions *questions,
                        const struct render_options *options);

#endif
