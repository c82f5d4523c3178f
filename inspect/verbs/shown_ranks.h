/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ranks of --rank against those of the job, for all verbs alike.
 */
#ifndef MPILENS_INSPECT_VERBS_SHOWN_RANKS_H
#define MPILENS_INSPECT_VERBS_SHOWN_RANKS_H

#include "base/rank_set.h"
#include "base/reason.h"
#include "model/model.h"

#include <stdbool.h>

/* Whether the job has all ranks that the set names, be they read or not. 0, or -1 and a reason. */
int check_shown_ranks(const struct job *job, const struct rank_set *ranks, struct reason *ret_reason);

/* Whether the job has any of them. */
bool has_shown_rank(const struct job *job, const struct rank_set *ranks);

#endif
