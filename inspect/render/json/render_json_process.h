/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_PROCESS_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_PROCESS_H

#include "base/rank_set.h"
#include "base/ranks.h"
#include "model/model.h"
#include "text/json_stream.h"

/* "processes" of these ranks: a member of the innermost object that is open. Those `in_full` (NULL: all; finished) with
 * what they do and have, of which only the first 1,000 of each queue where `in_full` names them; others only with what
 * tells them apart. */
void json_write_processes(struct json_stream *stream, const struct job *job, const struct rank_set *ranks,
                          const struct ranks *in_full);

#endif
