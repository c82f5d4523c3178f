/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joins what the members of communicators have sent and received: see mpilens_match_messages. A pure function of plain
 * records, for whoever has them.
 */
#ifndef MPILENS_DLL_MATCHING_MATCHING_H
#define MPILENS_DLL_MATCHING_MATCHING_H

#include "mpilens/extension.h"

/* mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int match_messages(struct mpilens_matching_member *members, size_t count);

#endif
