/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Output structs that begin with their size as the caller knows it.
 */
#ifndef MPILENS_DLL_EXTENSION_REPLY_H
#define MPILENS_DLL_EXTENSION_REPLY_H

#include "process/process_info.h"

/* Whether `ret_struct` is there and says a size that can be one. */
bool reply_is_possible(const void *ret_struct);

/* Copies `bytes` of `filled` to the caller's struct, as far as that goes; its struct_size stays. */
void reply_give(void *ret_struct, const void *filled, size_t bytes);

/* The object that the object iterator delivered last, for an answer about it. mqs_ok, or what to return:
 * MPILENS_ERROR_BAD_ARGUMENT where `ret_struct` cannot take an answer, or a code of process_info_with_object. */
int reply_object(mqs_process *process, int kind, const void *ret_struct, mqs_process_info **ret_info,
                 const void **ret_record);

#endif
