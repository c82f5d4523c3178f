/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the members of groups and communicators.
 */
#ifndef MPILENS_DLL_REPLIES_MEMBERS_H
#define MPILENS_DLL_REPLIES_MEMBERS_H

#include "process/process_info.h"

int reply_get_members(mqs_process_info *info, int remote, struct mpilens_rank_range *ret_ranges, size_t capacity,
                      size_t *ret_count);

#endif
