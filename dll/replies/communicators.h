/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the communicator at which the iterator stands.
 */
#ifndef MPILENS_DLL_REPLIES_COMMUNICATORS_H
#define MPILENS_DLL_REPLIES_COMMUNICATORS_H

#include "process/process_info.h"

int reply_get_communicator(mqs_process_info *info, struct mpilens_communicator_information *ret_communicator);
int reply_get_communicator_object(mqs_process_info *info, struct mpilens_communicator_information *ret_communicator);
int reply_get_comm_remote_group(mqs_process_info *info, int *ret_world_ranks);

#endif
