/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies that find what a handle names.
 */
#ifndef MPILENS_DLL_REPLIES_HANDLES_H
#define MPILENS_DLL_REPLIES_HANDLES_H

#include "process/process_info.h"

int reply_find_object(mqs_process_info *info, int kind, enum mpilens_handle_language language, uint64_t handle,
                      struct mpilens_object_information *ret_object);
int reply_find_object_by_serial(mqs_process_info *info, int kind, uint32_t serial,
                                struct mpilens_object_information *ret_object);
int reply_find_request(mqs_process_info *info, enum mpilens_handle_language language, uint64_t handle,
                       struct mpilens_request_information *ret_request);
int reply_handle_bytes(mqs_process_info *info, int kind);
int reply_get_handle(mqs_process_info *info, struct mpilens_handle_information *ret_handle);
/* Of what reply_find_object has found, a null handle too. */
int reply_get_handle_of(mqs_process_info *info, const struct mpilens_object_information *object,
                        struct mpilens_handle_information *ret_handle);

#endif
