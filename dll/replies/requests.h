/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about requests that stand in no queue.
 */
#ifndef MPILENS_DLL_REPLIES_REQUESTS_H
#define MPILENS_DLL_REPLIES_REQUESTS_H

#include "process/process_info.h"

int reply_setup_request_iterator(mqs_process_info *info);
int reply_next_request(mqs_process_info *info, struct mpilens_request_information *ret_request);
int reply_get_partitions(mqs_process_info *info, uint64_t serial, struct mpilens_partition_run *ret_runs,
                         size_t capacity, size_t *ret_count);

#endif
