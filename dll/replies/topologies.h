/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about topologies.
 */
#ifndef MPILENS_DLL_REPLIES_TOPOLOGIES_H
#define MPILENS_DLL_REPLIES_TOPOLOGIES_H

#include "process/process_info.h"

int reply_get_topology(mqs_process_info *info, struct mpilens_topology_information *ret_topology);
int reply_get_topology_values(mqs_process_info *info, int32_t *ret_values, size_t capacity, size_t *ret_count);

#endif
