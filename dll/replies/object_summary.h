/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One sentence about an object: what it is, the facts by which people know it, and last of all who made it.
 */
#ifndef MPILENS_DLL_REPLIES_OBJECT_SUMMARY_H
#define MPILENS_DLL_REPLIES_OBJECT_SUMMARY_H

#include "process/process_info.h"

int reply_summarize_object(mqs_process_info *info, char *ret_text, size_t bytes);
int reply_get_summary(mqs_process_info *info, struct mpilens_summary_information *ret_summary);

#endif
