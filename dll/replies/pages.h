/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies that are pages: everything that is known of an object, a request or a status, as lines for people.
 */
#ifndef MPILENS_DLL_REPLIES_PAGES_H
#define MPILENS_DLL_REPLIES_PAGES_H

#include "process/process_info.h"

int reply_setup_object_page(mqs_process_info *info);
int reply_setup_request_page(mqs_process_info *info, const struct mpilens_request_information *request);
int reply_setup_status_page(mqs_process_info *info, const struct mpilens_status_information *status);
int reply_next_page_line(mqs_process_info *info, struct mpilens_page_line *ret_line);

#endif
