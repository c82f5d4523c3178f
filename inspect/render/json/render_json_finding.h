/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings as JSON.
 */
#ifndef MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_FINDING_H
#define MPILENS_INSPECT_RENDER_JSON_RENDER_JSON_FINDING_H

#include "analysis/findings/finding.h"
#include "model/model.h"
#include "text/json_stream.h"

/* "findings", a member of the innermost object that is open. */
void json_write_findings(struct json_stream *stream, const struct job *job, const struct findings *findings);

#endif
