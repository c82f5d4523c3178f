/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes that a finding is about, for who goes on with a debugger.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_CULPRITS_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_CULPRITS_H

#include "analysis/findings/finding.h"
#include "model/model.h"

#include <stdio.h>

/* "  rank 2: process 4711 on node3: gdb -p 4711", of each of the culprits that is one of `ranks`; of
 * many only of the first. */
void render_culprits(FILE *stream, const struct job *job, const struct finding *finding, const struct rank_set *ranks);

#endif
