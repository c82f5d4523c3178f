/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about what datatypes were made of.
 */
#ifndef MPILENS_DLL_REPLIES_DATATYPES_H
#define MPILENS_DLL_REPLIES_DATATYPES_H

#include "process/process_info.h"

const char *reply_combiner_name(uint32_t combiner);
int reply_get_datatype_contents(mqs_process_info *info, struct mpilens_datatype_contents *ret_contents);
int reply_get_datatype_arguments(mqs_process_info *info, int64_t *ret_arguments, size_t capacity, size_t *ret_count);
int reply_get_datatype_argument(mqs_process_info *info, size_t n, struct mpilens_object_information *ret_object);

#endif
