/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about message counts per peer, messages that matched probes hold, and unexpected ones.
 */
#ifndef MPILENS_DLL_REPLIES_TRAFFIC_H
#define MPILENS_DLL_REPLIES_TRAFFIC_H

#include "process/process_info.h"

int reply_setup_channel_iterator(mqs_process_info *info);
int reply_next_channel(mqs_process_info *info, struct mpilens_channel_information *ret_channel);
int reply_setup_message_iterator(mqs_process_info *info);
int reply_next_message(mqs_process_info *info, struct mpilens_message_information *ret_message);
int reply_get_unexpected(mqs_process_info *info, struct mpilens_unexpected_information *ret_unexpected);

#endif
