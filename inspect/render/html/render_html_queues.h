/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of the page's table.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_QUEUES_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_QUEUES_H

#include "render/text/render_options.h"
#include "words/describe.h"

#include <jansson.h>

/* The rows of the page's table: {"texts": [...], "rows": [[ranks, repeats, age, what, function, details, peer, tag,
 * communicator, status, place], ...], "left_out": n}; all but the first two are numbers of texts. Equal rows of several
 * ranks are one, and equal ones of one rank. The caller releases it. */
json_t *page_rows(const struct job *job, const struct communicator_labels *labels,
                  const struct render_options *options);

#endif
