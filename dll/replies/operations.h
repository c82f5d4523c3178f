/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about operations: those of the queues and those of the flight recorder.
 */
#ifndef MPILENS_DLL_REPLIES_OPERATIONS_H
#define MPILENS_DLL_REPLIES_OPERATIONS_H

#include "process/process_info.h"

int reply_get_operation(mqs_process_info *info, struct mpilens_operation_information *ret_operation);
int reply_setup_completed_iterator(mqs_process_info *info);
int reply_next_completed(mqs_process_info *info, struct mpilens_operation_information *ret_operation);

#endif
