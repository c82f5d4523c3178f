/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about an MPI_Status in the memory of the target.
 */
#ifndef MPILENS_DLL_REPLIES_STATUSES_H
#define MPILENS_DLL_REPLIES_STATUSES_H

#include "process/process_info.h"

int reply_get_status(mqs_process_info *info, mqs_taddr_t address, struct mpilens_status_information *ret_status);
int reply_status_bytes(mqs_process_info *info);

#endif
