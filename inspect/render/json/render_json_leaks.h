/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Leaks as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_LEAKS_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_LEAKS_H

#include "analysis/leaks.h"
#include "text/json_stream.h"

/* "leaks", a member of the innermost object that is open. */
void json_write_leaks(struct json_stream *stream, const struct leaks *leaks);

#endif
