/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the texts of an object: pairs of key and value.
 */
#ifndef MPILENS_DLL_REPLIES_TEXTS_H
#define MPILENS_DLL_REPLIES_TEXTS_H

#include "process/process_info.h"

int reply_get_text_pair(mqs_process_info *info, size_t n, char *ret_key, size_t key_bytes, char *ret_value,
                        size_t value_bytes);

#endif
