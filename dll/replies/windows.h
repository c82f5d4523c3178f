/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about windows.
 */
#ifndef MPILENS_DLL_REPLIES_WINDOWS_H
#define MPILENS_DLL_REPLIES_WINDOWS_H

#include "process/process_info.h"

int reply_get_window(mqs_process_info *info, struct mpilens_window_information *ret_window);
int reply_get_window_locks(mqs_process_info *info, struct mpilens_window_lock_information *ret_locks, size_t capacity,
                           size_t *ret_count);
int reply_get_window_group(mqs_process_info *info, int exposure, int *ret_world_ranks);

#endif
