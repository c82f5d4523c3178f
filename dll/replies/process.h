/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the process as a whole.
 */
#ifndef MPILENS_DLL_REPLIES_PROCESS_H
#define MPILENS_DLL_REPLIES_PROCESS_H

#include "process/process_info.h"

int reply_get_clock(mqs_process_info *info, struct mpilens_clock_information *ret_clock);
int reply_get_process(mqs_process_info *info, struct mpilens_process_information *ret_process);
int reply_identify_process(mqs_process_info *info, struct mpilens_process_information *ret_process);
int reply_get_freed_objects(mqs_process_info *info, struct mpilens_freed_object_information *ret_objects,
                            size_t capacity, size_t *ret_count);

#endif
