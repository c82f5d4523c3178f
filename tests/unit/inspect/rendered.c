/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rendering into memory.
 */
#include "rendered.h"
#include "render/json/render_json.h"

#include <criterion/criterion.h>
#include <stdlib.h>

char *rendered(render_function *function, const struct job *job, const struct render_options *options)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_eq(function(stream, job, options), 0);
    fclose(stream);
    return text;
}

json_t *rendered_json(const struct job *job, const struct render_options *options)
{
    char *text = rendered(render_show_json, job, options);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(document);
    free(text);
    return document;
}
