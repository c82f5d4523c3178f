/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about files.
 */
#ifndef MPILENS_DLL_REPLIES_FILES_H
#define MPILENS_DLL_REPLIES_FILES_H

#include "process/process_info.h"

int reply_get_file(mqs_process_info *info, struct mpilens_file_information *ret_file);

#endif
