/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of a handle, on standard output.
 */
#ifndef INSPECT_HANDLE_RENDER_H
#define INSPECT_HANDLE_RENDER_H

#include "handle.h"
#include "render.h"

/* One handle in one or several processes of the job; `count` is not 0. Both return 0, or -1 when writing failed.
 * The document has the first one as "handle" and all of them as "handles". */
int render_handles_text(FILE *stream, const struct handle *handles, size_t count, const struct render_options *options);
int render_handles_json(FILE *stream, const struct job *job, const struct handle *handles, size_t count,
                        const struct render_options *options);

#endif
