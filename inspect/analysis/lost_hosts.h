/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for ranks on hosts that have not answered: often that is why the job hangs.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_LOST_HOSTS_H
#define MPILENS_INSPECT_ANALYSIS_LOST_HOSTS_H

#include "analysis/causes/cause_text.h"
#include "analysis/findings/finding.h"
#include "analysis/graph/awaited_ranks.h"

/* Whether the ranks that are waited for are on such a host. */
bool is_on_lost_host(const struct awaited_ranks *awaited);

/* Adds a finding for each such host with ranks that others wait for. */
void lost_hosts_find(const struct cause_text *text, const struct awaited_list *list, struct findings *findings);

#endif
