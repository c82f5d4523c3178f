/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Documents of the schema mpilens/1, on standard output.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_H

#include "analysis/analysis.h"
#include "handle/handle.h"
#include "render/text/render_text.h"

/* The last calls as a trace of Chrome's format in the file. 0, or -1 and a reason. */
int render_history_trace(const char *path, const struct job *job, const struct render_options *options,
                         struct reason *ret_reason);

/* Those below return 0, or -1 when writing failed. */
int render_show_json(FILE *stream, const struct job *job, const struct render_options *options);
int render_list_json(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options);
/* Without what the processes have: of which job a snapshot was taken. */
int render_snapshot_json(FILE *stream, const struct job *job, const struct render_options *options);
int render_why_json(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options);
/* Messages only of ranks that the user has chosen. */
int render_history_json(FILE *stream, const struct job *job, const struct render_options *options);
int render_leaks_json(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options);
/* One handle in one or several processes of the job; `count` is not 0. The document has the first one as "handle" and
 * all of them as "handles". */
int render_handles_json(FILE *stream, const struct job *job, const struct handle *handles, size_t count,
                        const struct render_options *options);
/* The answers to all questions of a file as "answers": the question, its exit status, and "handle" and "handles" as
 * above or "failed", the sentences why not. */
int render_answers_json(FILE *stream, const struct job *job, const struct handle_questions *questions,
                        const struct render_options *options);

#endif
