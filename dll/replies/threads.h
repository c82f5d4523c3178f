/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about threads.
 */
#ifndef MPILENS_DLL_REPLIES_THREADS_H
#define MPILENS_DLL_REPLIES_THREADS_H

#include "process/process_info.h"

int reply_setup_thread_iterator(mqs_process_info *info);
int reply_next_thread(mqs_process_info *info, struct mpilens_thread_information *ret_thread);
int reply_next_poll(mqs_process_info *info, struct mpilens_thread_information *ret_poll);
int reply_get_waiting(mqs_process_info *info, uint64_t *ret_serials, size_t capacity, size_t *ret_count);

#endif
