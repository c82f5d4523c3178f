/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about collective calls: on the communicator at which the iterator stands, on the window or
 * file that is the current object.
 */
#ifndef MPILENS_DLL_REPLIES_COLLECTIVES_H
#define MPILENS_DLL_REPLIES_COLLECTIVES_H

#include "process/process_info.h"

int reply_get_collective_class(mqs_process_info *info, int collective_class,
                               struct mpilens_collective_class_information *ret_class);
int reply_setup_collective_iterator(mqs_process_info *info);
int reply_next_collective(mqs_process_info *info, struct mpilens_collective_information *ret_collective);
int reply_get_collective_amounts(mqs_process_info *info, int is_expected, size_t first, size_t count,
                                 int64_t *ret_bytes);
int reply_get_collective_marks(mqs_process_info *info, struct mpilens_collective_mark_information *ret_marks,
                               size_t capacity, size_t *ret_count);
int reply_setup_object_collective_iterator(mqs_process_info *info);
int reply_next_object_collective(mqs_process_info *info, struct mpilens_collective_information *ret_collective);

#endif
