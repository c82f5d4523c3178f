/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One sentence about a request or a status.
 */
#ifndef MPILENS_DLL_REPLIES_REQUEST_SUMMARY_H
#define MPILENS_DLL_REPLIES_REQUEST_SUMMARY_H

#include "process/process_info.h"

/* "pending", "inactive"; "send", "one-sided operation". */
const char *request_state_phrase(const struct mpilens_request_information *request);
const char *request_class_phrase(uint32_t operation_class);

int reply_summarize_request(mqs_process_info *info, const struct mpilens_request_information *request, char *ret_text,
                            size_t bytes);
int reply_summarize_status(const struct mpilens_status_information *status, char *ret_text, size_t bytes);

#endif
