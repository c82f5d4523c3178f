/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Output structs that begin with their size as the caller knows it.
 *
 * A function reply_X of this room answers what mpilens_X of extension.h is asked, with the same arguments and codes,
 * about what one interface keeps for a process: every interface asks for its own. `info` NULL: nothing is kept.
 */
#ifndef MPILENS_DLL_REPLIES_REPLY_H
#define MPILENS_DLL_REPLIES_REPLY_H

#include "process/process_info.h"

/* Whether `ret_struct` is there and says a size that can be one. */
bool reply_is_possible(const void *ret_struct);

/* Copies `bytes` of `filled` to the caller's struct, as far as that goes; its struct_size stays. */
void reply_give(void *ret_struct, const void *filled, size_t bytes);

/* The same for the n-th element of an array of such structs: the struct_size of the first counts for all. */
void reply_give_element(void *ret_array, size_t n, const void *filled, size_t bytes);

/* The object that the object iterator delivered last, for an answer about it. mqs_ok, or what to return:
 * MPILENS_ERROR_BAD_ARGUMENT where `ret_struct` cannot take an answer, or a code of process_info_current_object. */
int reply_object(mqs_process_info *info, int kind, const void *ret_struct, const void **ret_record);

/* The same of the communicator at which the communicator iterator stands. */
int reply_communicator(mqs_process_info *info, const void *ret_struct,
                       const struct communicator_view **ret_communicator);

#endif
