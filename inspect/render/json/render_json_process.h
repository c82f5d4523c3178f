/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_PROCESS_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_PROCESS_H

#include "base/rank_set.h"
#include "model/model.h"
#include "text/json_stream.h"

/* "processes" of these ranks, in full or only what tells them apart: a member of the innermost object that is open. */
void json_write_processes(struct json_stream *stream, const struct job *job, const struct rank_set *ranks,
                          bool in_full);

#endif
