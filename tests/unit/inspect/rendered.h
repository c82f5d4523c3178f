/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command's output for a job, for tests.
 */
#ifndef TESTS_RENDERED_H
#define TESTS_RENDERED_H

#include "render/text/render_text.h"

#include <jansson.h>

typedef int render_function(FILE *stream, const struct job *job, const struct render_options *options);

/* The caller frees the text. */
char *rendered(render_function *function, const struct job *job, const struct render_options *options);

/* The document of `show --json`; the caller releases it. */
json_t *rendered_json(const struct job *job, const struct render_options *options);

#endif
