/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about calls that MPI has failed.
 */
#ifndef MPILENS_DLL_REPLIES_FAILED_CALLS_H
#define MPILENS_DLL_REPLIES_FAILED_CALLS_H

#include "process/process_info.h"

int reply_get_failed_calls(mqs_process_info *info, struct mpilens_failed_call_information *ret_calls, size_t capacity,
                           size_t *ret_count);

#endif
